// Machines by names that somebody typed: errors about an unknown name may suggest another one.
#pragma once

#include "daedalus/isa/machine.h"

#include <functional>
#include <string>
#include <vector>

namespace daedalus::isa {

/// What an error says behind a name that is unknown, given those that are known: " (did you mean 'n'?)", or
/// nothing.
using Suggest = std::function<std::string(const std::string &name, const std::vector<std::string> &known)>;

/// As loadMachine of machine.h; names of machines and keys that are unknown, also in a machine file, are
/// followed by what `suggest` says.
Result<Machine> loadMachine(const std::string &nameOrFile, const Suggest &suggest);

} // namespace daedalus::isa
