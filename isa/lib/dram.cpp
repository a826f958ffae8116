// See dram.h.
#include "daedalus/isa/dram.h"
#include "machine_keys.h"

#include <algorithm>

namespace daedalus::isa {
namespace {

std::string modelNames() {
  std::string names = "fixed";
  for (const DramModel &model : DramModels)
    names += std::string(", ") + model.name;
  return names;
}

void setModel(MachineParameters &machine, uint32_t model) {
  machine.memoryModel = model;
  for (size_t i = 0; i < DramKeys.size(); ++i)
    machine.*(DramKeys[i].member) = model ? DramModels[model - 1].values[i] : 0;
}

uint64_t dataCycles(const MachineParameters &m) {
  return m.burstLength / 2;
}

uint64_t latency(const MachineParameters &m, uint64_t dramCycles) {
  return std::max<uint64_t>(1, toMachineCycle(m, dramCycles)) + m.controllerCycles;
}

/// DRAM cycles within which an access that has to close one row and open another is over, once its turn has
/// come: the sum of all that it may wait for.
uint64_t longestAccess(const MachineParameters &m) {
  return uint64_t(m.cl) + m.cwl + m.tRcd + m.tRp + m.tRas + m.tCcdL + m.tCcdS + m.tRrdL + m.tRrdS + m.tFaw +
         m.tWr + m.tWtrL + m.tWtrS + m.tRtp + m.burstLength + 2;
}

/// The same of a whole burst: it opens each row that it touches once, and no access of it waits for the bus
/// longer than an access takes there.
uint64_t longestBurst(const MachineParameters &m) {
  const uint64_t bytes = uint64_t(m.maxBurstBeats) * m.busBytes;
  const uint64_t accesses = bytes / accessBytes(m) + 1;
  const uint64_t rows = m.bankGroups * (bytes / (uint64_t(m.pageBytes) * m.bankGroups) + 1);
  return std::min(rows, accesses) * longestAccess(m) +
         accesses * std::max<uint64_t>({m.tCcdL, m.tCcdS, dataCycles(m)});
}

/// Neither a default nor required: 0 in a machine without it.
bool isOptional(const MachineKey &key) {
  return !key.required && MachineParameters().*(key.member) < key.minimum;
}

} // namespace

bool isMachineKey(const std::string &name) {
  return name == modelKey || findKey(name);
}

std::string memoryModelName(const MachineParameters &machine) {
  return machine.memoryModel ? DramModels[machine.memoryModel - 1].name : "fixed";
}

Result<void> setMemoryModel(Machine &machine, const std::string &model) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < DramModels.size(); ++i)
    if (model == DramModels[i].name)
      found = i + 1;
  if (!found && model != "fixed")
    return error("the key 'memory.model' is '" + model.substr(0, 60) + "'; expected one of " + modelNames());
  setModel(machine, found);
  return {};
}

Machine withFixedLatencies(Machine machine) {
  setModel(machine, 0);
  return machine;
}

std::vector<std::pair<std::string, uint32_t>> numbersOf(const MachineParameters &machine) {
  std::vector<std::pair<std::string, uint32_t>> numbers;
  for (const MachineKey &key : MachineKeys)
    if (!(machine.memoryModel && isLatency(key)) && !(isOptional(key) && machine.*(key.member) == 0))
      numbers.emplace_back(key.name, machine.*(key.member));
  if (machine.memoryModel)
    for (const MachineKey &key : DramKeys)
      numbers.emplace_back(key.name, machine.*(key.member));
  return numbers;
}

std::vector<std::string> optionalKeys() {
  std::vector<std::string> names;
  for (const MachineKey &key : MachineKeys)
    if (isOptional(key))
      names.push_back(key.name);
  return names;
}

std::string memoryText(const MachineParameters &machine) {
  if (!machine.memoryModel)
    return "read_latency=" + std::to_string(machine.readLatency) +
           ",write_latency=" + std::to_string(machine.writeLatency);
  std::string text = "model=" + memoryModelName(machine) + ",clock_mhz=" + std::to_string(machine.clockMhz);
  for (const MachineKey &key : DramKeys)
    text += std::string(",") + key.name + "=" + std::to_string(machine.*(key.member));
  return text;
}

void setNumber(MachineParameters &machine, const std::string &name, uint32_t number) {
  if (const MachineKey *key = findKey(name))
    machine.*(key->member) = number;
}

uint64_t leastReadLatency(const MachineParameters &m) {
  return m.memoryModel ? latency(m, m.cl + dataCycles(m)) : m.readLatency;
}

uint64_t leastWriteLatency(const MachineParameters &m) {
  return m.memoryModel ? latency(m, m.cwl + dataCycles(m)) : m.writeLatency;
}

/// All bursts that may be before an answer, in order, and the refreshes between them; no bank is left open by
/// a refresh, so one costs its cycles and an access more.
uint64_t longestSilence(const MachineParameters &m) {
  const uint64_t bursts = uint64_t(m.outstandingReads) + m.fetchBuffer + m.outstandingWrites + 1;
  const uint64_t refresh = m.tRefi ? m.tRfc + longestAccess(m) : 0;
  uint64_t cycles = bursts * longestBurst(m) + 2 * refresh;
  if (m.tRefi > refresh)
    cycles = cycles * m.tRefi / (m.tRefi - refresh) + 1;
  return toMachineCycle(m, cycles) + m.controllerCycles + 2;
}

Result<void> checkDram(const Machine &m) {
  if (!m.memoryModel)
    return {};
  if (m.pageBytes < accessBytes(m))
    return error("the key 'memory.page_bytes' is " + std::to_string(m.pageBytes) +
                 "; expected at least the " + std::to_string(accessBytes(m)) +
                 " bytes of an access (data_bytes * burst_length)");
  if (const uint64_t least = m.tRfc + longestAccess(m); m.tRefi && m.tRefi <= least)
    return error("the key 'memory.t_refi' is " + std::to_string(m.tRefi) + "; expected 0, or more than " +
                 std::to_string(least) + ", so that an access fits between two refreshes");
  if (const uint64_t silence = longestSilence(m); m.memoryTimeoutCycles <= silence)
    return error("the key 'core.memory_timeout_cycles' is " + std::to_string(m.memoryTimeoutCycles) +
                 "; the memory '" + memoryModelName(m) + "' may be silent for " + std::to_string(silence) +
                 " cycles on this machine: expected more than that, or fewer or shorter bursts");
  return {};
}

void setExpectedLatencies(Machine &m) {
  if (!m.memoryModel)
    return;
  m.readLatency = static_cast<uint32_t>(latency(m, uint64_t(m.tRcd) + m.cl + dataCycles(m)));
  m.writeLatency = static_cast<uint32_t>(latency(m, uint64_t(m.tRcd) + m.cwl + dataCycles(m)));
}

} // namespace daedalus::isa
