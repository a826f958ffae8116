// A stand-in for cuBLAS, in the same library as that of CUDA's driver, on whose memory and streams it
// computes: products of matrices by columns, as the manual of cuBLAS says. What is wrong with a call is a
// mistake of Standin's, and the call of Standin::failing gives an error.
#include "products_standin.h"

using namespace daedalus::test;

namespace {

struct Blas {
  void *stream = nullptr, *workspace = nullptr;
};

std::map<void *, Blas> handles;

} // namespace

#pragma GCC visibility push(default)
extern "C" {

/// What was computed last, by columns.
const std::vector<float> *cublasStandinResult() {
  return &lastProduct();
}

const char *cublasGetStatusName(int status) {
  return status == invalidOfBlas    ? "CUBLAS_STATUS_INVALID_VALUE"
         : status == internalError  ? "CUBLAS_STATUS_INTERNAL_ERROR"
         : status == isNotSupported ? "CUBLAS_STATUS_NOT_SUPPORTED"
                                    : nullptr;
}
const char *cublasGetStatusString(int status) {
  return status == internalError ? "an internal operation failed" : nullptr;
}
int cublasCreate_v2(void **handle) {
  const int status = make("cublasCreate", Kind::Blas, 1, handle);
  if (!status)
    handles[*handle] = Blas();
  return statusOfBlas(status);
}
int cublasDestroy_v2(void *handle) {
  return statusOfBlas(destroy("cublasDestroy", Kind::Blas, handle));
}
int cublasSetStream_v2(void *handle, void *stream) {
  if (find("cublasSetStream", Kind::Blas, handle) && find("cublasSetStream", Kind::Stream, stream)) {
    if (handles[handle].workspace)
      mistake("cublasSetStream forgets the workspace", invalidOfBlas);
    handles[handle] = {stream, nullptr};
  }
  return statusOfBlas(calledInContext("cublasSetStream"));
}
int cublasSetWorkspace_v2(void *handle, void *memory, size_t bytes) {
  if (!isWithinMemory(memory, bytes) || reinterpret_cast<uintptr_t>(memory) % 256)
    mistake("cublasSetWorkspace beyond the memory or not at a multiple of 256", invalidOfBlas);
  if (find("cublasSetWorkspace", Kind::Blas, handle))
    handles[handle].workspace = memory;
  return statusOfBlas(calledInContext("cublasSetWorkspace"));
}
int cublasGemmStridedBatchedEx(void *handle, int transposeA, int transposeB, int m, int n, int k,
                               const void *alpha, const void *a, int typeA, int leadingA, long long strideA,
                               const void *b, int typeB, int leadingB, long long strideB, const void *beta,
                               void *c, int typeC, int leadingC, long long strideC, int batch, int compute,
                               int) {
  constexpr const char *name = "cublasGemmStridedBatchedEx";
  if (const int status = calledInContext(name))
    return statusOfBlas(status);
  if (!find(name, Kind::Blas, handle))
    return invalidOfBlas;
  return submit(name,
                {{a, typeA, transposeA, m, k, leadingA, strideA},
                 {b, typeB, transposeB, k, n, leadingB, strideB},
                 {c, typeC, 0, m, n, leadingC, strideC},
                 batch,
                 compute},
                alpha, beta, handles[handle].stream);
}
int cublasGemmEx(void *handle, int transposeA, int transposeB, int m, int n, int k, const void *alpha,
                 const void *a, int typeA, int leadingA, const void *b, int typeB, int leadingB,
                 const void *beta, void *c, int typeC, int leadingC, int compute, int algorithm) {
  return cublasGemmStridedBatchedEx(handle, transposeA, transposeB, m, n, k, alpha, a, typeA, leadingA, 0, b,
                                    typeB, leadingB, 0, beta, c, typeC, leadingC, 0, 1, compute, algorithm);
}

} // extern "C"
#pragma GCC visibility pop
