// A product in the numbers that cuBLAS and cuBLASLt share. Their matrices are by columns, so they are given
// the transposed product of the transposed factors: y for their A, x for their B.
#pragma once

#include "blas_api.h"
#include "cuda_gemm.h"

#include <string>

namespace daedalus::cuda {

inline int typeOf(package::DType type) {
  return type == package::DType::F16    ? float16s
         : type == package::DType::BF16 ? bfloat16s
         : type == package::DType::I8   ? int8s
         : type == package::DType::I32  ? int32s
                                        : floats;
}

inline int operationOf(const Strides &strides) {
  return strides.isTransposed() ? transposed : asIs;
}

inline int sumsOf(const Gemm &gemm) {
  return gemm.type == package::DType::I8 ? sumsOfIntegers : sumsOfFloats;
}

/// A factor of the sums' type, with which products and what was there before are scaled.
struct Scalar {
  explicit Scalar(int value) : whole(value), number(static_cast<float>(value)) {}
  const void *of(const Gemm &gemm) const {
    return gemm.type == package::DType::I8 ? static_cast<const void *>(&whole) : &number;
  }

  int32_t whole;
  float number;
};

/// "multiplying 64 x 32 by 32 x 48".
inline std::string describe(const Gemm &gemm) {
  return "multiplying " + std::to_string(gemm.m) + " x " + std::to_string(gemm.k) + " by " +
         std::to_string(gemm.k) + " x " + std::to_string(gemm.n);
}

} // namespace daedalus::cuda
