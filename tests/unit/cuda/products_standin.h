// Products of matrices by columns, as cuBLAS and cuBLASLt compute them: what their stand-ins share.
#pragma once

#include "standin_state.h"

namespace daedalus::test {

// Of cublasStatus_t.
constexpr int invalidOfBlas = 7, internalError = 14, isNotSupported = 15;

/// One of a batch; `rows` and `columns` are those of what is multiplied, behind a transposition.
struct Matrix {
  const void *data;
  int type, isTransposed, rows, columns, leading;
  long long stride;

  size_t elementBytes() const;
  bool isLegal() const;
  size_t place(int batch, int row, int column) const;
  bool isWithinMemoryOf(int batch) const;
  /// Whether int8 can be read four at once.
  bool isAligned() const;
  double at(int batch, int row, int column) const;
};

/// c = a b, or c += a b.
struct MatrixProduct {
  Matrix a, b, c;
  int batch, compute; ///< cublasComputeType_t
  bool accumulates = false;

  /// The status of cuBLAS for its types, sizes and strides.
  int judge() const;
};

/// Gives it to the stream, which computes it once somebody waits; what is wrong with it is a status, and with
/// its memory a mistake.
int submit(const char *name, MatrixProduct product, const void *alpha, const void *beta, void *stream);

/// What was computed last, by columns.
const std::vector<float> &lastProduct();

/// The status of cuBLAS where the driver's library gave one.
inline int statusOfBlas(int status) {
  return status ? internalError : 0;
}

} // namespace daedalus::test
