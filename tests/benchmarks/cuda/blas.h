// cuBLAS's time for products of matrices, where the host has the library.
#pragma once

#include "device.h"
#include "numbers.h"

namespace daedalus::test {

class Blas {
public:
  /// Of the library that DAEDALUS_CUBLAS names, else libcublas.so.12, else libcublas.so.13. The error says
  /// what is missing.
  static Result<std::unique_ptr<Blas>> open(Device &device);
  virtual ~Blas() = default;

  /// Milliseconds on the GPU of a times b, or times the transposed b: the median of runs that take turns with
  /// copies of the matrices, so that no cache holds them. Sums of floats are float32, of int8 int32.
  virtual Result<double> multiply(const Tensor &a, const Tensor &b, bool isTransposed) = 0;
};

} // namespace daedalus::test
