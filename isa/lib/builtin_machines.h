// The machine files of isa/machines as they are in the library.
#pragma once

#include <string>
#include <vector>

namespace daedalus::isa {

struct BuiltinMachine {
  const char *name;
  const char *yaml;
};

/// Sorted by name.
const std::vector<BuiltinMachine> &builtinMachineFiles();

/// Null where there is none.
const BuiltinMachine *findBuiltin(const std::string &name);

/// "default, large, tiny, vta".
std::string builtinNames();

} // namespace daedalus::isa
