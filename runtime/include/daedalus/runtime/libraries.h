// Which of the libraries that packages may call (daedalus/package/libraries.h) this host has.
#pragma once

#include "daedalus/package/libraries.h"
#include "daedalus/support/result.h"

#include <string>

#pragma GCC visibility push(default) // what the library exports

namespace daedalus::runtime {

/// A library as it is loaded, with its version; the error says why it is not, and what to do.
Result<std::string> describeLibrary(const package::Library &library);

} // namespace daedalus::runtime
#pragma GCC visibility pop
