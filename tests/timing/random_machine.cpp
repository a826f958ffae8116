// Draws parameters until those of the bus, FETCH and LOAD fit each other.
#include "random_machine.h"

#include <algorithm>

namespace daedalus::timing {
namespace {

uint32_t latency(Random &random) {
  return random.percent(50) ? random.between(1, 6) : random.between(1, 100);
}

bool isLegal(const isa::Machine &machine) {
  for (const isa::MachineKey &key : isa::MachineKeys)
    if ((key.required || machine.*key.member) && // else an optional key without a value
        (machine.*key.member < key.minimum || machine.*key.member > key.maximum))
      return false;
  for (const isa::MachineConstraint &constraint : isa::MachineConstraints)
    if (!constraint.holds(machine))
      return false;
  return machine.busBytes <= machine.n && machine.fetchBurst <= machine.fetchBuffer;
}

void drawMemorySystem(Random &random, isa::Machine &machine) {
  machine.n = 8u << random.below(3);
  machine.busBytes = 8u << random.below(3);
  machine.maxBurstBeats = 1u << random.between(1, 6);
  machine.fetchBurst = 1u << random.below(4);
  machine.fetchBuffer = machine.fetchBurst << random.below(4);
  machine.receiveBeats = machine.maxBurstBeats + random.below(random.percent(50) ? 4 : 100);
  machine.outstandingReads = random.percent(50) ? random.between(1, 3) : random.between(1, 20);
  machine.outstandingWrites = random.percent(50) ? random.between(1, 3) : random.between(1, 16);
  machine.watchdogCycles = machine.fetchBuffer + 32 + random.below(300);
  machine.readLatency = latency(random);
  machine.writeLatency = latency(random);
  machine.memoryTimeoutCycles =
      std::max({63u, machine.readLatency, machine.writeLatency}) + random.between(1, 150);
}

void drawScratchpads(Random &random, isa::Machine &machine) {
  machine.inpBytes = 4096;
  machine.wgtBytes = 16384;
  machine.accBytes = 16384;
  machine.paramBytes = 2048;
  machine.lutBytes = 512;
  machine.outBytes = 4096;
  machine.inpBanks = machine.accBanks = 4;
  machine.inpInterleave = 1u << random.below(3);
  machine.wgtBanks = machine.paramBanks = machine.lutBanks = machine.outBanks = 1;
}

} // namespace

isa::Machine randomMachine(Random &random) {
  isa::Machine machine;
  machine.name = "random";
  drawScratchpads(random, machine);
  do
    drawMemorySystem(random, machine);
  while (!isLegal(machine));
  machine.queueDepth = random.percent(40) ? 1 : random.between(1, 9);
  machine.loadIssueLatency = random.between(6, 10);
  machine.storeIssueLatency = random.between(5, 9);
  machine.receiveLatency = random.between(3, 7);
  machine.storeReadLatency = random.between(3, 7);
  machine.gemmLatency = random.between(6, 11);
  machine.vectorLatency = random.between(11, 17);
  return machine;
}

std::string describe(const isa::Machine &machine) {
  const isa::MachineParameters defaults;
  std::string text = "machine:";
  for (const isa::MachineKey &key : isa::MachineKeys)
    if (machine.*key.member != defaults.*key.member)
      text += std::string(" ") + key.name + "=" + std::to_string(machine.*key.member);
  return text + "\n";
}

} // namespace daedalus::timing
