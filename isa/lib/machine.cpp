// Machine files: YAML against the schema of machine_parameters.h. yaml-cpp's exceptions end here.
#include "daedalus/isa/machine.h"
#include "builtin_machines.h"
#include "daedalus/isa/dram.h"
#include "daedalus/support/hash.h"
#include "machine_keys.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>

namespace daedalus::isa {
namespace {

Result<void> readSection(const YAML::Node &node, const std::string &section, Machine &machine,
                         const Suggest &suggest) {
  if (!node.IsMap())
    return error("'" + section + "' is not a map of keys and values");
  for (const auto &entry : node) {
    const std::string name = entry.first.Scalar(); // of what is no scalar: empty, which is no key
    if (section == "memory" && name == modelKey)
      continue;
    const MachineKey *key = findKey(name);
    if (!key)
      return unknownKey(section + "." + name, name, suggest);
    if (section != key->section)
      return error("the key '" + name + "' belongs under '" + key->section + "', not under '" + section +
                   "'");
    if (!entry.second.IsScalar())
      return error("the key '" + section + "." + name + "' is not a single value; expected " +
                   allowedRange(*key));
    Result<uint32_t> value = parseValue(*key, entry.second.Scalar());
    if (!value)
      return error(value.error());
    if (Result<void> belongs = checkBelongs(*key, machine); !belongs)
      return belongs;
    machine.*(key->member) = *value;
  }
  return {};
}

/// `model` of `memory`, before the keys that it decides about.
Result<void> readModel(const YAML::Node &memory, Machine &machine) {
  if (!memory || !memory.IsMap() || !memory[modelKey])
    return {};
  const YAML::Node &model = memory[modelKey];
  return setMemoryModel(machine, model.IsScalar() ? model.Scalar() : "");
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
        return error("the key '" + section + entry->first.as<std::string>() + "' is given twice");
  return {};
}

/// The machine that `base` names, whose values stand for the keys that the file leaves out.
Result<Machine> readBase(const YAML::Node &base, const Suggest &suggest) {
  const BuiltinMachine *builtin = base.IsScalar() ? findBuiltin(base.Scalar()) : nullptr;
  if (!builtin)
    return error("'base' is " +
                 (base.IsScalar()
                      ? shown(base.Scalar()) + suggested(suggest, base.Scalar(), builtinMachines())
                      : "not a single value") +
                 "; expected one of " + builtinNames());
  return parseMachine(builtin->yaml, builtin->name);
}

Result<void> readSections(const YAML::Node &root, Machine &machine, const Suggest &suggest) {
  if (Result<void> model = readModel(root["memory"], machine); !model)
    return model;
  for (const auto &entry : root) {
    const std::string section = entry.first.Scalar();
    if (section == "base")
      continue;
    if (section != "core" && section != "memory")
      return error("the key " + shown(section) + " is unknown" +
                   suggested(suggest, section, {"core", "memory", "base"}) +
                   "; expected 'core', 'memory' and 'base'");
    if (Result<void> read = readSection(entry.second, section, machine, suggest); !read)
      return read;
    if (Result<void> once = checkNoDuplicates(entry.second, section + "."); !once)
      return once;
  }
  if (!root["core"] && !root["base"])
    return error("the map 'core' is missing");
  return checkNoDuplicates(root, "");
}

Result<void> readMachine(const YAML::Node &root, Machine &machine, const Suggest &suggest) {
  if (!root.IsMap())
    return error("not a machine description; expected the maps 'core' and 'memory'");
  Machine base;
  if (root["base"]) {
    Result<Machine> read = readBase(root["base"], suggest);
    if (!read)
      return error(read.error());
    base = std::move(*read);
    static_cast<MachineParameters &>(machine) = base;
    machine.clockMhz = 0;
  }
  if (Result<void> read = readSections(root, machine, suggest); !read)
    return read;
  if (root["base"])
    inheritClock(machine, base);
  else if (Result<void> complete = checkComplete(root); !complete)
    return complete;
  return completeMachine(machine);
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
    if (std::string("core") == key.section &&
        (key.hashedAtDefault || this->*(key.member) != MachineParameters().*(key.member)))
      text += std::string(key.name) + "=" + std::to_string(this->*(key.member)) + "\n";
  return fnv1a(text);
}

Result<Machine> parseMachine(const std::string &yaml, const std::string &sourceName) {
  return parseMachine(yaml, sourceName, nullptr);
}

Result<Machine> parseMachine(const std::string &yaml, const std::string &sourceName, const Suggest &suggest) {
  Machine machine;
  machine.name = stemOf(sourceName);
  try {
    if (hasSeveralDocuments(yaml))
      return error(sourceName +
                   ": has more than one YAML document; expected one with the maps 'core' and 'memory'");
    if (Result<void> read = readMachine(YAML::Load(yaml), machine, suggest); !read)
      return error(sourceName + ": " + read.error());
  } catch (const YAML::Exception &problem) {
    const std::string line = problem.mark.is_null() ? "" : ":" + std::to_string(problem.mark.line + 1);
    return error(sourceName + line + ": not valid YAML: " + problem.msg);
  }
  return machine;
}

std::string writeMachine(const Machine &machine) {
  std::string text, section;
  for (const auto &[name, number] : numbersOf(machine)) {
    if (section != findKey(name)->section)
      text += (section = findKey(name)->section) + ":\n";
    text += "  " + name + ": " + std::to_string(number) + "\n";
  }
  return text +
         (machine.memoryModel ? std::string("  ") + modelKey + ": " + memoryModelName(machine) + "\n" : "");
}

} // namespace daedalus::isa
