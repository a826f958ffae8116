// The order of faults within a cycle (R21) and the registered queue (R6, R7).
#include "clocked/shared.h"

namespace daedalus::clocked {
namespace {

/// R21, with the range faults of docs/decisions/0003 directly behind the limit faults of their module.
unsigned rank(const Fault &fault) {
  using C = FaultCause;
  using M = CounterModule;
  static const std::pair<C, M> order[] = {
      {C::IllegalEncoding, M::Fetch}, {C::MissingFinish, M::Fetch},    {C::NoProgress, M::Fetch},
      {C::AddressLimit, M::Fetch},    {C::BusError, M::Fetch},         {C::MemoryTimeout, M::Fetch},
      {C::AddressLimit, M::Load},     {C::ScratchpadRange, M::Load},   {C::BusError, M::Load},
      {C::MemoryTimeout, M::Load},    {C::CounterOverflow, M::Load},   {C::ScratchpadRange, M::Gemm},
      {C::CounterOverflow, M::Gemm},  {C::ScratchpadRange, M::Vector}, {C::CounterOverflow, M::Vector},
      {C::AddressLimit, M::Store},    {C::ScratchpadRange, M::Store},  {C::BusError, M::Store},
      {C::MemoryTimeout, M::Store},   {C::CounterOverflow, M::Store}};
  if (fault.cause == C::NoProgress) // whichever module waits
    return 2;
  unsigned at = 0;
  while (at < std::size(order) && order[at] != std::pair(fault.cause, fault.module))
    ++at;
  return at;
}

} // namespace

void FaultRegister::report(const Fault &fault) {
  if (reported.cause == FaultCause::None || (!isSet() && rank(fault) < rank(reported)))
    reported = fault;
}

void Queue::commit() {
  if (popped)
    items.pop_front();
  if (pushed)
    items.push_back(*pushed);
  popped = false;
  pushed.reset();
}

} // namespace daedalus::clocked
