// cuBLAS's time for a product of matrices, where the host has the library.
#pragma once

#include "numbers.h"

#include <memory>

namespace daedalus::test {

class Blas {
public:
  /// Of the library that DAEDALUS_CUBLAS names, else libcublas.so.12, else libcublas.so.13. The error says
  /// what is missing.
  static Result<std::unique_ptr<Blas>> open();
  virtual ~Blas() = default;

  /// Milliseconds on the GPU of a times b, the median of runs; sums of floats are float32, of int8 int32.
  virtual Result<double> multiply(const Tensor &a, const Tensor &b) = 0;
};

/// Keeps the GPU's context open until the process ends, so that sessions need not make it anew.
Result<void> keepContext();

} // namespace daedalus::test
