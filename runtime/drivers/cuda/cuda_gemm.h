// A product of matrices that a library computes on the GPU, of a batch one after the other:
//
//   out[b, m, n] = sum over k of x[b, m, k] * y[b, k, n]       (+ out[b, m, n], where it accumulates)
//
// Factors are float32, float16 or bfloat16 with sums of float32, or int8 with sums of int32.
//
//   type u8 | whether it accumulates u8 | batch, m, n, k 4 x u64 | x, y, out: strides of batch, row, column 3
//   x u64
#pragma once

#include "daedalus/package/package.h"
#include "daedalus/support/byte_stream.h"

#include <cstdint>

namespace daedalus::cuda {

/// Elements between neighbours. A row or a column lies dense, the other stride is at least its length, and
/// each is below 2^31.
struct Strides {
  uint64_t batch = 0; ///< below 2^40; 0: all of the batch read the same matrix
  uint64_t row = 0, column = 0;

  /// By columns, so that BLAS, whose matrices are by columns, reads it as it is.
  bool isTransposed() const { return column != 1; }
  /// From line to line.
  uint64_t leading() const { return column != 1 ? column : row; }
};

struct Gemm {
  package::DType type = package::DType::F32; ///< of both factors
  bool accumulates = false;
  uint64_t batch = 1, m = 1, n = 1, k = 1; ///< each from 1 to 2^31 - 1
  Strides x, y, out;                       ///< of out rows lie dense, and a batch apart from the others

  package::DType sumType() const {
    return type == package::DType::I8 ? package::DType::I32 : package::DType::F32;
  }
  /// From the first element to the last.
  uint64_t bytesOfX() const, bytesOfY() const, bytesOfOut() const;
};

/// Whether types, sizes and strides are ones of a product.
bool isLegal(const Gemm &gemm);

void write(ByteWriter &out, const Gemm &gemm);
Gemm readGemm(ByteReader &in);
constexpr uint64_t gemmBytes = 2 + 13 * 8;

} // namespace daedalus::cuda
