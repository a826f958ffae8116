// How the two runs ended, compared: status, fault and its sentence, cycles, counters, and what one side alone
// retired.
#include "cosim/lockstep.h"

#include <algorithm>

namespace daedalus::cosim {

using isa::CounterModule;
using Kind = Divergence::Kind;
namespace reg = isa::reg;

namespace {

uint64_t pair(sim::Device &device, uint32_t low, uint32_t high) {
  return uint64_t(device.readRegister(high)) << 32 | device.readRegister(low);
}

uint64_t cyclesOf(sim::Device &device) {
  return pair(device, reg::CyclesLo, reg::CyclesHi);
}

isa::FaultCause causeOf(sim::Device &device) {
  return static_cast<isa::FaultCause>(device.readRegister(reg::FaultCause));
}

isa::DeviceStatus statusOf(sim::Device &device) {
  return static_cast<isa::DeviceStatus>(device.readRegister(reg::Status));
}

std::string textOf(const sim::RowCounts &rows) {
  return std::to_string(rows.hits) + " hits, " + std::to_string(rows.misses) + " misses, " +
         std::to_string(rows.conflicts) + " conflicts";
}

std::string textOf(const sim::DramActivity &activity) {
  std::string text =
      "reads: " + textOf(activity.reads) + "; writes: " + textOf(activity.writes) + "; refreshes:";
  for (const sim::DramRefresh &refresh : activity.refreshes)
    text += " " + std::to_string(refresh.first);
  return text;
}

} // namespace

/// What is left when both have stopped: the stop itself, and what one side alone retired.
void Lockstep::compareStop() {
  std::array<std::string, 2> outcomes;
  for (unsigned side = 0; side < 2; ++side)
    outcomes[side] = outcome(sides[side]);
  const std::array<uint64_t, 2> ends = {cyclesOf(sides[0].device), cyclesOf(sides[1].device)};
  const uint64_t end = options.cycles ? std::min(ends[0], ends[1]) - options.counted : 0;
  const bool faulty = statusOf(sides[0].device) == isa::DeviceStatus::Fault;
  if (options.cycles || !faulty)
    reportLeftOver();
  if (outcomes[0] != outcomes[1]) {
    Divergence divergence = make(Kind::Stop, end, std::nullopt);
    divergence.what = "the programs end differently";
    divergence.values = outcomes;
    add(std::move(divergence));
  }
  compareInterrupts(end);
  if (!options.cycles)
    return;
  compareSentences(end);
  if (ends[0] != ends[1]) {
    Divergence divergence = make(Kind::Cycles, end, std::nullopt);
    divergence.what = "the programs stop in different cycles";
    divergence.values = {std::to_string(ends[0]), std::to_string(ends[1])};
    add(std::move(divergence));
  }
  compareCounters(end);
  compareDramActivity(end);
}

/// The wire, which is high behind the stop where the interrupt is enabled.
void Lockstep::compareInterrupts(uint64_t end) {
  const std::array<bool, 2> lines = {sides[0].device.interruptLine(), sides[1].device.interruptLine()};
  if (lines[0] == lines[1])
    return;
  Divergence divergence = make(Kind::Stop, end, std::nullopt);
  divergence.what = "the wire of the interrupt differs behind the stop";
  for (unsigned side = 0; side < 2; ++side)
    divergence.values[side] = lines[side] ? "high" : "low";
  add(std::move(divergence));
}

/// What a user reads of a fault: with the values found, or who waits for whom.
void Lockstep::compareSentences(uint64_t end) {
  const std::array<std::string, 2> sentences = {sides[0].device.faultDetail(), sides[1].device.faultDetail()};
  if (sentences[0] == sentences[1] || causeOf(sides[0].device) != causeOf(sides[1].device))
    return;
  Divergence divergence = make(Kind::Stop, end, std::nullopt);
  divergence.what = "the sentences of the fault differ";
  divergence.values = sentences;
  add(std::move(divergence));
}

/// Status and fault as text. In program order and in time a missing token may show at different instructions,
/// and so may the token that is one too many.
std::string Lockstep::outcome(Side &side) const {
  const isa::DeviceStatus status = statusOf(side.device);
  if (status != isa::DeviceStatus::Fault)
    return isa::name(status);
  const isa::FaultCause cause = causeOf(side.device);
  if (cause == isa::FaultCause::None)
    return side.device.faultDetail();
  if (options.functional &&
      (cause == isa::FaultCause::NoProgress || cause == isa::FaultCause::CounterOverflow))
    return isa::name(cause);
  return std::string(isa::name(cause)) + " of " +
         isa::name(static_cast<CounterModule>(side.device.readRegister(reg::FaultModule))) +
         " at instruction " + std::to_string(side.device.readRegister(reg::FaultIndex));
}

void Lockstep::reportLeftOver() {
  for (unsigned m = 0; m < isa::CounterModuleCount; ++m)
    for (unsigned side = 0; side < 2; ++side) {
      const auto &left = sides[side].journal.retirements(static_cast<CounterModule>(m));
      if (left.empty() || !isInteresting(left.front().end))
        continue;
      Divergence divergence = make(Kind::Retirement, left.front().end, left.front());
      divergence.what = "it ends on one side only";
      divergence.values[side] =
          "cycles " + std::to_string(left.front().start) + " to " + std::to_string(left.front().end);
      divergence.values[1 - side] = "it does not end";
      add(std::move(divergence));
    }
}

void Lockstep::reportHang() {
  const unsigned runs = sides[0].stopped ? 1 : 0;
  Side &other = sides[1 - runs];
  Divergence divergence = make(Kind::Stop, other.stopped ? cyclesOf(other.device) : advanced, std::nullopt);
  divergence.what = other.stopped ? "one side stops, the other runs on" : "neither side stops";
  divergence.values[runs] = "still runs " + std::to_string(Patience) + " cycles later";
  divergence.values[1 - runs] =
      other.stopped ? outcome(other) + " in cycle " + std::to_string(cyclesOf(other.device)) : "still runs";
  add(std::move(divergence));
}

/// Open rows and refreshes.
void Lockstep::compareDramActivity(uint64_t end) {
  const sim::DramActivity &a = sides[0].device.dramActivity(), &b = sides[1].device.dramActivity();
  if (a == b)
    return;
  Divergence divergence = make(Kind::Counter, end, std::nullopt);
  divergence.what = "what the DRAM did differs";
  divergence.values = {textOf(a), textOf(b)};
  add(std::move(divergence));
}

void Lockstep::compareCounters(uint64_t end) {
  for (uint32_t i = 0; i < reg::CounterLoCount; ++i) {
    const uint32_t low = reg::CounterLo + i * reg::CounterLoStep,
                   high = reg::CounterHi + i * reg::CounterHiStep;
    const std::array<uint64_t, 2> counts = {pair(sides[0].device, low, high),
                                            pair(sides[1].device, low, high)};
    if (counts[0] == counts[1])
      continue;
    Divergence divergence = make(Kind::Counter, end, std::nullopt);
    divergence.module = static_cast<CounterModule>(i / isa::CounterClassCount);
    divergence.what = std::string("the counter of ") + isa::name(divergence.module) + " in class " +
                      isa::name(static_cast<isa::CounterClass>(i % isa::CounterClassCount)) + " differs";
    divergence.values = {std::to_string(counts[0]), std::to_string(counts[1])};
    add(std::move(divergence));
  }
}

} // namespace daedalus::cosim
