// --window: the cycles that a file of waves shows.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace daedalus::cli {

/// Of "A:B", both included; Usage where it is not that.
std::pair<uint64_t, uint64_t> cyclesOf(const std::string &window);

} // namespace daedalus::cli
