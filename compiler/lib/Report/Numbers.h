// Single elements of tensors, as numbers.
#pragma once

#include "daedalus/runtime/tensor.h"

namespace daedalus::report {

/// Of 16, 32 or 64 bits.
bool isFloat(package::DType dtype);

/// Element `index`, row-major, of a tensor of integers; of uint64 the int64 of its bits.
int64_t integerAt(const std::vector<uint8_t> &data, package::DType dtype, uint64_t index);

/// Of any tensor; an int64 is rounded to 53 bits.
double numberAt(const std::vector<uint8_t> &data, package::DType dtype, uint64_t index);

} // namespace daedalus::report
