// STORE before a memory of constant latency, where no burst has a fault and every one is answered: the cycles
// of all bursts, by their beats alone. As schedule() (store.cpp) without what cannot happen. Places are given
// back when one is needed, not when they are free: a burst leaves behind the completion that makes room, or
// at once where that has passed.
#include "systemc/store.h"

#include "common/store_costs.h"

namespace daedalus::sim::systemc {

/// Whether no burst has a fault, by the instruction's fields.
bool Store::isSound(const isa::Store &store) const {
  const StoreBounds bounds = boundsOf(store, *run.machine);
  const BaseRegister &base = run.core->bases[store.base];
  return bounds.rowBegin >= 0 && bounds.rowEnd * run.machine->n <= run.machine->bytes(store.scope) &&
         bounds.dramBegin >= 0 && bounds.dramEnd <= int64_t(base.limit) &&
         memory.holds(base.address + uint64_t(bounds.dramBegin), uint64_t(bounds.dramEnd - bounds.dramBegin));
}

void Store::scheduleSteadily(const isa::Store &store, Cycle now) {
  StoreCosts costs(store, *run.machine, run.core->bases[store.base].address);
  Cycle leave = now + run.machine->storeIssueLatency; // R20
  while (const uint32_t beats = costs.next()) {
    for (; open.size() >= run.machine->outstandingWrites; open.pop_front())
      leave = std::max(leave, open.front() + 1);
    complete(bus.writeSteadily(leave, beats) + 1);
    ++leave;
  }
  generatorFree = leave;
}

} // namespace daedalus::sim::systemc
