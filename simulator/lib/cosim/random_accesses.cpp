// A write to a register that the program uses is ignored while the core runs, and taken behind the stop; what
// the host then reads back tells which. START is never written behind the stop: a second run would begin.
#include "cosim/random_accesses.h"

#include <algorithm>

namespace daedalus::cosim {
namespace {

namespace reg = isa::reg;

uint32_t drawOffset(Random &random) {
  const auto base = static_cast<uint32_t>(random.between(0, isa::BaseRegisters - 1));
  const uint32_t offsets[] = {reg::ProgramLo,
                              reg::ProgramHi,
                              reg::ProgramHi,
                              reg::ProgramLength,
                              reg::ProgramLimit,
                              reg::BaseLo + base * reg::BaseLoStep,
                              reg::BaseHi + base * reg::BaseHiStep,
                              reg::Limit + base * reg::LimitStep};
  return offsets[random.between(0, 7)];
}

HostAccess readOf(int64_t cycle, uint32_t offset) {
  return {cycle, offset, 0, false};
}

HostAccess writeOf(int64_t cycle, uint32_t offset, uint32_t value) {
  return {cycle, offset, value, true};
}

uint32_t drawReadable(Random &random) {
  const auto counter = static_cast<uint32_t>(random.between(0, reg::CounterLoCount - 1)) * reg::CounterLoStep;
  const uint32_t offsets[] = {reg::Status,
                              reg::Interrupt,
                              reg::InterruptEnable,
                              reg::Version,
                              reg::HashLo,
                              reg::HashHi,
                              reg::Control,
                              reg::FaultCause,
                              reg::FaultIndex,
                              reg::FaultModule,
                              reg::CyclesLo,
                              reg::CyclesHi,
                              reg::CounterLo + counter,
                              reg::CounterHi + counter};
  return random.chance(50) ? drawOffset(random) : offsets[random.between(0, 13)];
}

void add(Case &test, Random &random, int64_t cycle) {
  const int64_t kind = random.between(0, 99);
  if (kind < 45) {
    const uint32_t offset = drawOffset(random);
    test.host.push_back(writeOf(cycle, offset, static_cast<uint32_t>(random.bits())));
    if (random.chance(60))
      test.host.push_back(readOf(cycle, offset));
  } else if (kind < 65) {
    const uint32_t offset = random.chance(70) ? reg::Interrupt : reg::InterruptEnable;
    test.host.push_back(writeOf(cycle, offset, random.chance(80) ? 1 : 0));
    if (random.chance(50))
      test.host.push_back(readOf(cycle, offset));
  } else {
    test.host.push_back(readOf(cycle, drawReadable(random)));
  }
}

/// From the stop: what the quick host begins at -2 takes place in the cycle of the stop.
int64_t aroundStop(Random &random) {
  return random.chance(40) ? -2 : random.between(-8, 6);
}

/// The quick host reads STATUS or INTERRUPT in one of the first cycles behind the stop: an access that has no
/// effect ends just before.
void addReadBehindStop(Case &test, Random &random) {
  test.hardware.hostSeed = random.chance(70) ? 0 : test.hardware.hostSeed;
  const int64_t cycle = random.chance(60) ? -3 : random.between(-6, -1);
  test.host.push_back(writeOf(cycle, reg::Interrupt, 0));
  test.host.push_back(readOf(cycle, random.chance(70) ? reg::Status : reg::Interrupt));
}

} // namespace

void drawAccesses(Case &test, Random &random) {
  test.hostAtStop = random.chance(60);
  if (test.hostAtStop && random.chance(25)) { // START up to the cycle of the stop: the quick host's takes two
    test.hardware.hostSeed = 0;
    test.host.push_back(
        writeOf(random.chance(60) ? -2 : random.between(-9, -2), reg::Control, reg::ControlStart));
    return;
  }
  test.keepsInterrupt = test.hostAtStop && random.chance(50);
  if (test.keepsInterrupt && random.chance(60)) // START has cleared it
    test.host.push_back(readOf(-1'000'000, reg::Interrupt));
  if (test.hostAtStop && random.chance(50))
    addReadBehindStop(test, random);
  if (!test.hostAtStop && random.chance(50))
    test.host.push_back(writeOf(random.between(1, 50), reg::Control, reg::ControlStart));
  for (int64_t i = random.between(1, test.hostAtStop ? 4 : 6); i > 0; --i)
    add(test, random, test.hostAtStop ? aroundStop(random) : random.between(1, 200));
  std::stable_sort(test.host.begin(), test.host.end(),
                   [](const HostAccess &x, const HostAccess &y) { return x.cycle < y.cycle; });
}

} // namespace daedalus::cosim
