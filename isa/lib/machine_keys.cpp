// See machine_keys.h.
#include "machine_keys.h"

#include "daedalus/isa/dram.h"
#include "daedalus/support/decimal.h"

#include <sstream>

namespace daedalus::isa {

const MachineKey *findKey(const std::string &name) {
  for (const MachineKey &key : MachineKeys)
    if (name == key.name)
      return &key;
  for (const MachineKey &key : DramKeys)
    if (name == key.name)
      return &key;
  return nullptr;
}

std::string suggested(const Suggest &suggest, const std::string &name,
                      const std::vector<std::string> &known) {
  return suggest ? suggest(name, known) : "";
}

Error unknownKey(const std::string &written, const std::string &name, const Suggest &suggest) {
  std::vector<std::string> known;
  for (const MachineKey &key : MachineKeys)
    known.push_back(key.name);
  return error("the key " + shown(written) + " is unknown" + suggested(suggest, name, known) +
               "; docs/isa.md lists the keys");
}

std::string shown(const std::string &text) {
  constexpr size_t most = 60;
  return "'" + text.substr(0, most) + (text.size() > most ? "...'" : "'");
}

std::string allowedRange(const MachineKey &key) {
  std::string text = key.powerOfTwo ? "a power of two from " : "a whole number from ";
  return text + std::to_string(key.minimum) + " to " + std::to_string(key.maximum);
}

Result<uint32_t> parseValue(const MachineKey &key, const std::string &text) {
  const std::string where = std::string("the key '") + key.section + "." + key.name + "'";
  const std::optional<uint64_t> value = parseDecimal(text); // 017 is 15 to YAML 1.1 and 17 to YAML 1.2
  if (!value || *value < key.minimum || *value > key.maximum || (key.powerOfTwo && (*value & (*value - 1))))
    return error(where + " is " + (text.empty() ? "empty" : shown(text)) + "; expected " + allowedRange(key));
  return static_cast<uint32_t>(*value);
}

bool isLatency(const MachineKey &key) {
  return key.member == &MachineParameters::readLatency || key.member == &MachineParameters::writeLatency;
}

Result<void> checkBelongs(const MachineKey &key, const Machine &machine) {
  const bool isOfDram = &key >= DramKeys.begin() && &key < DramKeys.end();
  const std::string where = std::string("the key '") + key.section + "." + key.name + "' ";
  if (isOfDram && !machine.memoryModel)
    return error(where + "belongs to a DRAM; name its model with the key 'memory.model'");
  if (isLatency(key) && machine.memoryModel)
    return error(where + "is for a memory without a DRAM; leave it out beside the model '" +
                 memoryModelName(machine) + "'");
  return {};
}

namespace {

std::string bounded(const MachineKey &key, const Machine &machine, const char *relation,
                    const MachineKey &bound) {
  return std::string("the key 'core.") + key.name + "' is " + std::to_string(machine.*(key.member)) +
         "; expected at " + relation + " the " + std::to_string(machine.*(bound.member)) + " of '" +
         bound.name + "'";
}

/// `text` with every key followed by its value: "64 * fetch_burst (4) <= ...".
std::string withValues(const std::string &text, const Machine &machine) {
  std::stringstream words(text);
  std::string result, word;
  while (words >> word) {
    result += (result.empty() ? "" : " ") + word;
    if (const MachineKey *key = findKey(word))
      result += " (" + std::to_string(machine.*(key->member)) + ")";
  }
  return result;
}

} // namespace

static Result<void> checkBetweenKeys(const Machine &machine) {
  for (const MachineKey &key : MachineKeys) {
    const MachineKey *least = key.atLeast ? findKey(key.atLeast) : nullptr;
    const MachineKey *most = key.atMost ? findKey(key.atMost) : nullptr;
    if (least && machine.*(key.member) < machine.*(least->member))
      return error(bounded(key, machine, "least", *least));
    if (most && machine.*(key.member) > machine.*(most->member))
      return error(bounded(key, machine, "most", *most));
  }
  for (const MachineConstraint &constraint : MachineConstraints)
    if (!constraint.holds(machine))
      return error("the keys must satisfy " + withValues(constraint.text, machine));
  return checkDram(machine);
}

void inheritClock(Machine &machine, const Machine &base) {
  if (!machine.clockMhz && machine.hash() == base.hash())
    machine.clockMhz = base.clockMhz;
}

Result<void> completeMachine(Machine &machine) {
  if (machine.memoryModel && !machine.clockMhz)
    return error(
        "the key 'memory.clock_mhz' is missing; the memory '" + memoryModelName(machine) +
        "' has times of its own, which need the machine's clock (clock_mhz=MHZ behind a machine's name)");
  setExpectedLatencies(machine);
  return checkBetweenKeys(machine);
}

} // namespace daedalus::isa
