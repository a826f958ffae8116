// Inputs for runs that are measured.
#pragma once

#include "daedalus/package/package.h"
#include "daedalus/runtime/tensor.h"

#include <cstdint>
#include <vector>

namespace daedalus::tuning {

/// Inputs of zeros, for runs whose results do not matter.
std::vector<runtime::Tensor> zeroInputs(const package::Function &function);

/// Random inputs, the same for the same function and seed: bytes of any value, floats around zero; zeros in
/// others, which may be indices.
std::vector<runtime::Tensor> randomInputs(const package::Function &function, uint32_t seed = 1);

/// Bytes of 127 or -128 (0x7f or 0x80 where they have no sign), floats of 127 or -128; zeros in others.
std::vector<runtime::Tensor> extremeInputs(const package::Function &function, bool isLargest);

} // namespace daedalus::tuning
