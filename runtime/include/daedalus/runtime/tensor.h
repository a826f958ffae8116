// A tensor with a name, as it goes into and comes out of a session.
#pragma once

#include "daedalus/package/package.h"

#include <cstdint>
#include <string>
#include <vector>

#pragma GCC visibility push(default) // what the library exports

namespace daedalus::runtime {

using package::DType;
using package::TensorType;

/// Dense and row-major; `data` has exactly the bytes of `type`, in the host's byte order (little endian).
struct Tensor {
  std::string name;
  TensorType type;
  std::vector<uint8_t> data;
};

} // namespace daedalus::runtime
#pragma GCC visibility pop
