// The machine files of isa/machines as they are in the library.
#pragma once

#include <vector>

namespace daedalus::isa {

struct BuiltinMachine {
  const char *name;
  const char *yaml;
};

/// Sorted by name.
const std::vector<BuiltinMachine> &builtinMachineFiles();

} // namespace daedalus::isa
