// The terminal that a command prints on.
#pragma once

#include <cstddef>

namespace daedalus::cli {

/// Columns of the terminal that stdout is; 0 where it is none, and so lines may be as long as they need.
size_t terminalWidth();

} // namespace daedalus::cli
