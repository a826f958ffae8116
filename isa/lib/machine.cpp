// Machine files: YAML against the schema of machine_parameters.h. yaml-cpp's exceptions end here.
#include "daedalus/isa/machine.h"
#include "builtin_machines.h"
#include "daedalus/support/decimal.h"
#include "daedalus/support/hash.h"
#include "daedalus/support/input_file.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>
#include <unistd.h>

namespace daedalus::isa {
namespace {

const MachineKey *findKey(const std::string &name) {
  for (const MachineKey &key : MachineKeys)
    if (name == key.name)
      return &key;
  return nullptr;
}

/// What a user wrote, as far as a sentence has room for it.
std::string shown(const std::string &text) {
  constexpr size_t most = 60;
  return "'" + text.substr(0, most) + (text.size() > most ? "...'" : "'");
}

std::string allowedRange(const MachineKey &key) {
  std::string text = key.powerOfTwo ? "a power of two from " : "a whole number from ";
  return text + std::to_string(key.minimum) + " to " + std::to_string(key.maximum);
}

/// The value of a key, or why it is none.
Result<uint32_t> parseValue(const MachineKey &key, const YAML::Node &node) {
  const std::string where = std::string("the key '") + key.section + "." + key.name + "'";
  if (!node.IsScalar())
    return error(where + " is not a single value; expected " + allowedRange(key));
  const std::string &text = node.Scalar();
  const std::optional<uint64_t> value = parseDecimal(text); // 017 is 15 to YAML 1.1 and 17 to YAML 1.2
  if (!value || *value < key.minimum || *value > key.maximum || (key.powerOfTwo && (*value & (*value - 1))))
    return error(where + " is " + (text.empty() ? "empty" : shown(text)) + "; expected " + allowedRange(key));
  return static_cast<uint32_t>(*value);
}

Result<void> readSection(const YAML::Node &node, const std::string &section, Machine &machine) {
  if (!node.IsMap())
    return error("'" + section + "' is not a map of keys and values");
  for (const auto &entry : node) {
    const std::string name = entry.first.Scalar(); // of what is no scalar: empty, which is no key
    const MachineKey *key = findKey(name);
    if (!key)
      return error("the key " + shown(section + "." + name) + " is unknown; docs/isa.md lists the keys");
    if (section != key->section)
      return error("the key '" + name + "' belongs under '" + key->section + "', not under '" + section +
                   "'");
    Result<uint32_t> value = parseValue(*key, entry.second);
    if (!value)
      return error(value.error());
    machine.*(key->member) = *value;
  }
  return {};
}

Result<void> checkComplete(const YAML::Node &root) {
  for (const MachineKey &key : MachineKeys)
    if (key.required && !root[key.section][key.name])
      return error(std::string("the key '") + key.section + "." + key.name + "' is missing; expected " +
                   allowedRange(key));
  return {};
}

Result<void> checkNoDuplicates(const YAML::Node &node, const std::string &section) {
  for (auto entry = node.begin(); entry != node.end(); ++entry)
    for (auto other = node.begin(); other != entry; ++other)
      if (other->first.as<std::string>() == entry->first.as<std::string>())
        return error("the key '" + section + entry->first.as<std::string>() + "' stands there twice");
  return {};
}

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

Result<void> checkBetweenKeys(const Machine &machine) {
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
  return {};
}

Result<void> readMachine(const YAML::Node &root, Machine &machine) {
  if (!root.IsMap())
    return error("not a machine description; expected the maps 'core' and 'memory'");
  for (const auto &entry : root) {
    const std::string section = entry.first.Scalar();
    if (section != "core" && section != "memory")
      return error("the key " + shown(section) + " is unknown; expected 'core' and 'memory'");
    if (Result<void> read = readSection(entry.second, section, machine); !read)
      return read;
    if (Result<void> once = checkNoDuplicates(entry.second, section + "."); !once)
      return once;
  }
  if (!root["core"])
    return error("the map 'core' is missing");
  if (Result<void> once = checkNoDuplicates(root, ""); !once)
    return once;
  if (Result<void> complete = checkComplete(root); !complete)
    return complete;
  return checkBetweenKeys(machine);
}

/// Events that nobody looks at.
class Skipped : public YAML::EventHandler {
  using Mark = const YAML::Mark &;
  using Text = const std::string &;
  using Style = YAML::EmitterStyle::value;
  void OnDocumentStart(Mark) override {}
  void OnDocumentEnd() override {}
  void OnNull(Mark, YAML::anchor_t) override {}
  void OnAlias(Mark, YAML::anchor_t) override {}
  void OnScalar(Mark, Text, YAML::anchor_t, Text) override {}
  void OnSequenceStart(Mark, Text, YAML::anchor_t, Style) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(Mark, Text, YAML::anchor_t, Style) override {}
  void OnMapEnd() override {}
};

/// Whether a second document begins. (YAML::LoadAll finds documents without end in a text such as ",".)
bool hasSeveralDocuments(const std::string &yaml) {
  std::istringstream text(yaml);
  YAML::Parser parser(text);
  Skipped skipped;
  return parser.HandleNextDocument(skipped) && parser.HandleNextDocument(skipped);
}

std::string stemOf(const std::string &path) {
  const std::string file = path.substr(path.find_last_of('/') + 1);
  return file.substr(0, file.find_last_of('.'));
}

} // namespace

uint64_t Machine::hash() const {
  std::string text = "isa=" + std::to_string(Version) + "\n";
  for (const MachineKey &key : MachineKeys)
    if (std::string("core") == key.section)
      text += std::string(key.name) + "=" + std::to_string(this->*(key.member)) + "\n";
  return fnv1a(text);
}

Result<Machine> parseMachine(const std::string &yaml, const std::string &sourceName) {
  Machine machine;
  machine.name = stemOf(sourceName);
  try {
    if (hasSeveralDocuments(yaml))
      return error(sourceName +
                   ": has more than one YAML document; expected one with the maps 'core' and 'memory'");
    if (Result<void> read = readMachine(YAML::Load(yaml), machine); !read)
      return error(sourceName + ": " + read.error());
  } catch (const YAML::Exception &problem) {
    const std::string line = problem.mark.is_null() ? "" : ":" + std::to_string(problem.mark.line + 1);
    return error(sourceName + line + ": not valid YAML: " + problem.msg);
  }
  return machine;
}

Result<Machine> loadMachine(const std::string &nameOrFile) {
  std::string names;
  for (const BuiltinMachine &builtin : builtinMachineFiles()) {
    if (nameOrFile == builtin.name)
      return parseMachine(builtin.yaml, builtin.name);
    names += (names.empty() ? "" : ", ") + std::string(builtin.name);
  }
  if (access(nameOrFile.c_str(), R_OK) != 0)
    return error("no machine '" + nameOrFile + "': neither one of " + names + " nor a file that can be read");
  Result<std::vector<uint8_t>> text = readFile(nameOrFile, input::MachineFile);
  if (!text)
    return error(text.error());
  return parseMachine({text->begin(), text->end()}, nameOrFile);
}

std::string writeMachine(const Machine &machine) {
  std::string text, section;
  for (const MachineKey &key : MachineKeys) {
    if (section != key.section)
      text += (section = key.section) + ":\n";
    text += std::string("  ") + key.name + ": " + std::to_string(machine.*(key.member)) + "\n";
  }
  return text;
}

std::vector<std::string> builtinMachines() {
  std::vector<std::string> names;
  for (const BuiltinMachine &builtin : builtinMachineFiles())
    names.push_back(builtin.name);
  return names;
}

} // namespace daedalus::isa
