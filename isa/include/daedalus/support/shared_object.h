// Shared objects that bring something of theirs: a driver of a device, a target of the compiler.
#pragma once

#include "daedalus/support/result.h"

#include <cstdint>
#include <string>

namespace daedalus {

/// Loads the file, which is not unloaded again, and finds in it a symbol that begins with a version, which
/// has to be `version`. The error names the file; `what` says in it what the symbol would make of the file,
/// such as "a driver".
Result<const void *> loadPlugin(const std::string &path, const char *symbol, const std::string &what,
                                uint32_t version);

} // namespace daedalus
