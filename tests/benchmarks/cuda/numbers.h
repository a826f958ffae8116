// Random inputs, and whether outputs are right.
#pragma once

#include "daedalus/runtime/tensor.h"
#include "daedalus/support/result.h"

#include <random>

namespace daedalus::test {

using runtime::Tensor;
using runtime::TensorType;
using Random = std::mt19937_64;

/// Floats from -1 to 1, integers of one byte of their whole range, larger ones from -8 to 7.
Tensor randomTensor(const std::string &name, const TensorType &type, Random &random);

/// Whole numbers, so few and small that sums of 8192 products are exact in the type.
Tensor exactTensor(const std::string &name, const TensorType &type, Random &random);

/// Integers have to be equal, floats within `absolute` and the share `relative` of what is expected.
Result<void> compare(const Tensor &found, const Tensor &expected, double relative, double absolute);

/// Whether c = a * b exactly, or a times the transposed b: both sides times a random vector without zeros
/// (Freivalds). One wrong element is always found, several but for one time in 1000.
Result<void> checkProduct(const Tensor &a, const Tensor &b, bool isTransposed, const Tensor &c,
                          Random &random);

} // namespace daedalus::test
