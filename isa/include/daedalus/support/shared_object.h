// Shared objects that bring something of theirs: a driver of a device, a target of the compiler.
#pragma once

#include "daedalus/support/result.h"

#include <string>

namespace daedalus {

/// Loads the file and finds a symbol in it, which it does not unload again. The error names the file; `what`
/// says in it what the symbol would make of the file, such as "a driver".
Result<const void *> loadSymbol(const std::string &path, const char *symbol, const std::string &what);

} // namespace daedalus
