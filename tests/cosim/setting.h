// How much and what the tests of this folder run, by environment variables.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace daedalus::cosim {

/// The number that the variable holds; `otherwise` where there is no such variable.
inline uint64_t setting(const char *name, uint64_t otherwise) {
  const char *value = std::getenv(name);
  return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

} // namespace daedalus::cosim
