// See Window.h.
#include "cli/Window.h"

#include "cli/CommandLine.h"

#include <charconv>

namespace daedalus::cli {

std::pair<uint64_t, uint64_t> cyclesOf(const std::string &window) {
  uint64_t from = 0, to = 0;
  const char *end = window.data() + window.size();
  const auto [colon, bad] = std::from_chars(window.data(), end, from);
  const bool first = bad == std::errc() && colon != end && *colon == ':';
  const auto last = first ? std::from_chars(colon + 1, end, to) : std::from_chars_result{colon, bad};
  if (!first || last.ec != std::errc() || last.ptr != end || from > to)
    throw Usage{"--window is '" + window + "'; expected A:B with cycles A <= B, for example 1000:2000"};
  return {from, to};
}

} // namespace daedalus::cli
