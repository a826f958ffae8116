// A stand-in for cuBLAS: the product of float32, by columns as cuBLAS stores matrices, on the memory of the
// stand-in of the CUDA driver library.
#include "standin.h"

extern "C" int cuStreamSynchronize(void *stream);

namespace {

void *stream = nullptr;
std::vector<float> result;
int made = 0;

} // namespace

#pragma GCC visibility push(default)
extern "C" {

/// What was computed last.
const std::vector<float> *cublasStandinResult() {
  return &result;
}
int cublasStandinAlive() {
  return made;
}

int cublasCreate_v2(void **handle) {
  *handle = &stream;
  return ++made, 0;
}
int cublasDestroy_v2(void *) {
  return --made, 0;
}
int cublasSetStream_v2(void *, void *chosen) {
  stream = chosen;
  return 0;
}
int cublasGemmEx(void *, int transposeA, int transposeB, int m, int n, int k, const void *alpha,
                 const void *a, int typeA, int strideA, const void *b, int typeB, int strideB,
                 const void *beta, void *c, int typeC, int strideC, int compute, int) {
  constexpr int invalidValue = 7, isNotSupported = 15, sumsOfFloats = 68;
  if (transposeA || transposeB || typeA || typeB || typeC || compute != sumsOfFloats)
    return isNotSupported;
  if (strideA < m || strideB < k || strideC < m || *static_cast<const float *>(alpha) != 1 ||
      *static_cast<const float *>(beta) != 0)
    return invalidValue;
  cuStreamSynchronize(stream);
  auto *out = static_cast<float *>(c);
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      float sum = 0;
      for (int i = 0; i < k; ++i)
        sum += static_cast<const float *>(a)[row + i * strideA] *
               static_cast<const float *>(b)[i + column * strideB];
      out[row + column * strideC] = sum;
    }
  result.assign(out, out + size_t(m) * size_t(n));
  return 0;
}

} // extern "C"
#pragma GCC visibility pop
