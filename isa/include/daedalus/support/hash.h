// FNV-1a, 64 bits: each step is a bijection of the state, so any single changed byte is certain to be seen.
#pragma once

#include "daedalus/support/span.h"

#include <cstdint>
#include <string>

namespace daedalus {

constexpr uint64_t fnv1aStart = 0xcbf29ce484222325; ///< the hash of nothing

/// The hash of what `hash` is of, followed by these bytes.
inline uint64_t fnv1a(Span<const uint8_t> bytes, uint64_t hash = fnv1aStart) {
  for (uint8_t byte : bytes)
    hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}
inline uint64_t fnv1a(const std::string &text, uint64_t hash = fnv1aStart) {
  return fnv1a(Span<const uint8_t>(reinterpret_cast<const uint8_t *>(text.data()), text.size()), hash);
}

} // namespace daedalus
