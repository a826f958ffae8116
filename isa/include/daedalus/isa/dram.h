// The DRAM of a machine whose memory has a model (docs/timing.md, "DRAM"): what follows from its keys alone.
#pragma once

#include "daedalus/isa/machine.h"

#include <string>
#include <utility>
#include <vector>

namespace daedalus::isa {

/// The key of `memory` in machine files that names a DRAM, or "fixed".
constexpr const char *modelKey = "model";

/// Whether machine files have a key of this name, those of a DRAM and modelKey included.
bool isMachineKey(const std::string &name);

/// "fixed", or a name of DramModels.
std::string memoryModelName(const MachineParameters &machine);

/// What a machine of this memory model has instead of its own: DRAM keys, and latencies that plans expect.
/// "fixed" takes the DRAM away and leaves the latencies as they are. An unknown name is an error that names
/// the known ones.
Result<void> setMemoryModel(Machine &machine, const std::string &model);

/// The same machine without a DRAM: each burst has the machine's latencies.
Machine withFixedLatencies(Machine machine);

/// Names and numbers of all keys that the machine has, in the order of isa.yaml: those of a DRAM only where
/// it has one, and then not the latencies that it replaces; optional ones only where they have a value.
std::vector<std::pair<std::string, uint32_t>> numbersOf(const MachineParameters &machine);

/// Names of the keys that a machine may be without.
std::vector<std::string> optionalKeys();

/// The machine's memory in its keys, all that cycles depend on: "read_latency=64,write_latency=64", or
/// "model=ddr4-2400" with clock_mhz and the keys of the DRAM.
std::string memoryText(const MachineParameters &machine);

/// Sets the number of one of these names, whatever it allows; an unknown name sets nothing.
void setNumber(MachineParameters &machine, const std::string &name, uint32_t number);

/// Bytes that one read or write command moves.
inline uint64_t accessBytes(const MachineParameters &m) {
  return uint64_t(m.dataBytes) * m.burstLength;
}

/// The first cycle of the DRAM's clock that begins at or behind the begin of the machine's cycle.
inline uint64_t toDramCycle(const MachineParameters &m, uint64_t cycle) {
  return (cycle * m.dramMhz + m.clockMhz - 1) / m.clockMhz;
}

/// The first cycle of the machine's clock that begins at or behind the begin of the DRAM's cycle.
inline uint64_t toMachineCycle(const MachineParameters &m, uint64_t dramCycle) {
  return (dramCycle * m.clockMhz + m.dramMhz - 1) / m.dramMhz;
}

/// Cycles of the machine's clock that no read address comes before its data in: those of an open row.
uint64_t leastReadLatency(const MachineParameters &machine);

/// The same of the last beat of a write and its response.
uint64_t leastWriteLatency(const MachineParameters &machine);

/// A number of cycles of the machine's clock in which a DRAM that owes something is never silent throughout,
/// whatever it owes.
uint64_t longestSilence(const MachineParameters &machine);

/// That the keys of the DRAM, if there is one, fit each other and the machine waits long enough for it.
Result<void> checkDram(const Machine &machine);

/// The latencies that plans expect of the DRAM, if there is one: those of a closed row in an idle bank.
void setExpectedLatencies(Machine &machine);

} // namespace daedalus::isa
