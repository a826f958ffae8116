// Numbers in the bytes of a tensor.
#pragma once

#include "daedalus/package/package.h"
#include "daedalus/support/float16.h"

#include <cstdint>
#include <vector>

namespace daedalus::test {

/// Whole numbers, as a type stores them.
inline std::vector<uint8_t> stored(const std::vector<int> &values, package::DType type) {
  using package::DType;
  std::vector<uint8_t> bytes;
  const auto append = [&](auto number) {
    const auto *first = reinterpret_cast<const uint8_t *>(&number);
    bytes.insert(bytes.end(), first, first + sizeof number);
  };
  for (int value : values) {
    if (type == DType::F16)
      append(static_cast<uint16_t>(float16Of(float(value))));
    else if (type == DType::BF16)
      append(static_cast<uint16_t>(bfloat16Of(float(value))));
    else if (type == DType::I8)
      append(static_cast<int8_t>(value));
    else if (type == DType::I32)
      append(static_cast<int32_t>(value));
    else
      append(float(value));
  }
  return bytes;
}

} // namespace daedalus::test
