// What a library computes on the GPU, of two operands to a third.
#pragma once

#include "cuda_conv.h"
#include "cuda_gemm.h"

#include <array>
#include <string>
#include <variant>

namespace daedalus::cuda {

using Call = std::variant<Gemm, Conv>;

/// Whether types and sizes are ones of its kind.
bool isLegal(const Call &call);
/// Whether a function, such as "cublas.matmul", is one of a library's that computes such calls.
bool computes(const std::string &function, const Call &call);

/// From each operand's first element to its last.
std::array<uint64_t, 3> bytesOf(const Call &call);

} // namespace daedalus::cuda
