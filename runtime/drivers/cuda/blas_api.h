// What is used of cuBLAS and cuBLASLt, version 12 or newer ("cuBLAS Library"): numbers and functions as the
// libraries have them, so that neither building nor starting needs a CUDA Toolkit. Where one is there, a test
// compares them with its headers (tests/unit/cuda/cublas_headers_test.cpp).
#pragma once

#include "cuda_api.h"

namespace daedalus::cuda {

// Of cudaDataType_t (chapter 2.2).
constexpr int floats = 0, float16s = 2, int8s = 3, int32s = 10, bfloat16s = 14;
// Of cublasComputeType_t, cublasGemmAlgo_t and cublasOperation_t.
constexpr int sumsOfFloats = 68, sumsOfIntegers = 72, anyAlgorithm = -1, asIs = 0, transposed = 1;
// Of cublasStatus_t.
constexpr int isNotSupported = 15;
// Of cublasLtMatmulDescAttributes_t, cublasLtMatrixLayoutAttribute_t and
// cublasLtMatmulPreferenceAttributes_t.
constexpr int operationOfA = 3, operationOfB = 4, batchCount = 5, batchStride = 6, mostWorkspace = 1;

/// The functions of cuBLAS, each by the name that it exports.
struct CublasApi {
  using Handle = void *;
  using Status = int; ///< 0 is success
  Status (*create)(Handle *);
  Status (*destroy)(Handle);
  Status (*setStream)(Handle, Stream);
  Status (*setWorkspace)(Handle, void *memory, size_t bytes);
  Status (*multiply)(Handle, int transposeA, int transposeB, int m, int n, int k, const void *alpha,
                     const void *a, int typeA, int leadingA, long long strideA, const void *b, int typeB,
                     int leadingB, long long strideB, const void *beta, void *c, int typeC, int leadingC,
                     long long strideC, int batch, int compute, int algorithm);
  const char *(*statusName)(Status);
  const char *(*statusText)(Status);
};

/// Those of cuBLASLt.
struct CublasLtApi {
  using Handle = void *;
  using Status = int;
  using Product = void *; ///< cublasLtMatmulDesc_t
  using Layout = void *;
  using Preference = void *;
  struct Algorithm {
    uint64_t data[8];
  };
  struct Found {
    Algorithm algorithm;
    size_t workspaceBytes;
    Status status;
    float waves;
    int reserved[4];
  };
  Status (*create)(Handle *);
  Status (*destroy)(Handle);
  Status (*createProduct)(Product *, int compute, int scaleType);
  Status (*destroyProduct)(Product);
  Status (*setProduct)(Product, int attribute, const void *value, size_t bytes);
  Status (*createLayout)(Layout *, int type, uint64_t rows, uint64_t columns, int64_t leading);
  Status (*destroyLayout)(Layout);
  Status (*setLayout)(Layout, int attribute, const void *value, size_t bytes);
  Status (*createPreference)(Preference *);
  Status (*destroyPreference)(Preference);
  Status (*setPreference)(Preference, int attribute, const void *value, size_t bytes);
  Status (*findAlgorithms)(Handle, Product, Layout a, Layout b, Layout c, Layout d, Preference, int most,
                           Found *found, int *count);
  Status (*multiply)(Handle, Product, const void *alpha, const void *a, Layout, const void *b, Layout,
                     const void *beta, const void *c, Layout, void *d, Layout, const Algorithm *,
                     void *workspace, size_t workspaceBytes, Stream);
  const char *(*statusName)(Status);
  const char *(*statusText)(Status);
};

} // namespace daedalus::cuda
