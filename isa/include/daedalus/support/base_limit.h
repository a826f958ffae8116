// What a base register of the accelerator reaches; packages and programs hold it alike.
#pragma once

#include <cstdint>

namespace daedalus {

/// What a program may touch from a base register on: bytes [0, limit), only reading where readOnly.
struct BaseLimit {
  uint32_t limit = 0;
  bool readOnly = false;

  friend bool operator==(const BaseLimit &x, const BaseLimit &y) {
    return x.limit == y.limit && x.readOnly == y.readOnly;
  }
};

} // namespace daedalus
