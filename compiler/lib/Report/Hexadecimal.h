// Hashes as people read them.
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>

namespace daedalus::report {

/// Sixteen digits.
inline std::string hexadecimal(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "%016" PRIx64, value);
  return text;
}

} // namespace daedalus::report
