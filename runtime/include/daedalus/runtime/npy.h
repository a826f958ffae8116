// NumPy's .npy files: format versions 1.0 to 3.0, C order, little endian, the dtypes i1 i2 i4 i8 u1 u2 u4 u8
// f2 f4 f8 b1, and V2 as bfloat16.
// Source: numpy/lib/format.py, "Format Version 1.0" to "3.0".
#pragma once

#include "daedalus/runtime/tensor.h"
#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <string>
#include <vector>

#pragma GCC visibility push(default) // what the library exports

namespace daedalus::runtime {

/// The tensor in a file; its name is empty. Errors name the path, what was found and what is read.
Result<Tensor> readNpy(const std::string &path);
Result<Tensor> parseNpy(Span<const uint8_t> bytes, const std::string &sourceName);

/// Version 1.0. The file is complete or not there.
Result<void> writeNpy(const std::string &path, const Tensor &tensor);
std::vector<uint8_t> formatNpy(const Tensor &tensor);

} // namespace daedalus::runtime
#pragma GCC visibility pop
