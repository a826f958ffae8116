// Machines by their names: built-in ones, files, and either with keys changed behind a comma.
#include "builtin_machines.h"
#include "daedalus/isa/dram.h"
#include "daedalus/support/input_file.h"
#include "machine_keys.h"

#include <map>
#include <mutex>
#include <unistd.h>

namespace daedalus::isa {

std::string builtinNames() {
  std::string names;
  for (const BuiltinMachine &builtin : builtinMachineFiles())
    names += (names.empty() ? "" : ", ") + std::string(builtin.name);
  return names;
}

const BuiltinMachine *findBuiltin(const std::string &name) {
  for (const BuiltinMachine &builtin : builtinMachineFiles())
    if (name == builtin.name)
      return &builtin;
  return nullptr;
}

/// Read once: sweeps ask for the same one at each of their points.
static Result<Machine> readBuiltin(const BuiltinMachine &builtin) {
  static std::mutex mutex;
  static std::map<std::string, Machine> machines;
  const std::lock_guard<std::mutex> lock(mutex);
  if (const auto known = machines.find(builtin.name); known != machines.end())
    return known->second;
  Result<Machine> machine = parseMachine(builtin.yaml, builtin.name);
  if (machine)
    machines.emplace(builtin.name, *machine);
  return machine;
}

/// A key of the machine, from "KEY=VALUE". A model is to come before keys of its DRAM.
static Result<void> change(Machine &machine, const std::string &text, const Suggest &suggest) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos)
    return error(shown(text) + " changes no key; expected KEY=VALUE");
  const std::string name = text.substr(0, equals);
  if (name == modelKey)
    return setMemoryModel(machine, text.substr(equals + 1));
  const MachineKey *key = findKey(name);
  if (!key)
    return unknownKey(name, name, suggest);
  if (Result<void> belongs = checkBelongs(*key, machine); !belongs)
    return belongs;
  const Result<uint32_t> value = parseValue(*key, text.substr(equals + 1));
  if (!value)
    return error(value.error());
  machine.*(key->member) = *value;
  return {};
}

/// Of "NAME,KEY=VALUE,...": the machine before the first comma with these keys changed.
static Result<Machine> changedMachine(const std::string &text, const Suggest &suggest) {
  size_t comma = text.find(',');
  Result<Machine> machine = loadMachine(text.substr(0, comma), suggest);
  if (!machine)
    return machine;
  const Machine base = *machine;
  machine->clockMhz = 0;
  while (comma != std::string::npos) {
    const size_t begin = comma + 1;
    comma = text.find(',', begin);
    if (Result<void> changed = change(*machine, text.substr(begin, comma - begin), suggest); !changed)
      return error(text + ": " + changed.error());
  }
  inheritClock(*machine, base);
  if (Result<void> good = completeMachine(*machine); !good)
    return error(text + ": " + good.error());
  machine->name = text;
  return machine;
}

Result<Machine> loadMachine(const std::string &nameOrFile) {
  return loadMachine(nameOrFile, nullptr);
}

Result<Machine> loadMachine(const std::string &nameOrFile, const Suggest &suggest) {
  if (const BuiltinMachine *builtin = findBuiltin(nameOrFile))
    return readBuiltin(*builtin);
  if (access(nameOrFile.c_str(), R_OK) != 0) {
    if (nameOrFile.find(',') != std::string::npos)
      return changedMachine(nameOrFile, suggest);
    return error("no machine '" + nameOrFile + "'" + suggested(suggest, nameOrFile, builtinMachines()) +
                 ": neither one of " + builtinNames() + " nor a file that can be read");
  }
  Result<std::vector<uint8_t>> text = readFile(nameOrFile, input::MachineFile);
  if (!text)
    return error(text.error());
  return parseMachine({text->begin(), text->end()}, nameOrFile, suggest);
}

std::vector<std::string> builtinMachines() {
  std::vector<std::string> names;
  for (const BuiltinMachine &builtin : builtinMachineFiles())
    names.push_back(builtin.name);
  return names;
}

} // namespace daedalus::isa
