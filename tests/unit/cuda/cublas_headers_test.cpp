// What is declared here of cuBLAS is what its headers declare.
#include "blas_api.h"
#include "called_as.h"

#include <cublasLt.h>
#include <cublas_v2.h>

#include <gtest/gtest.h>

namespace daedalus::cuda {
namespace {

static_assert(floats == CUDA_R_32F && float16s == CUDA_R_16F && bfloat16s == CUDA_R_16BF &&
              int8s == CUDA_R_8I && int32s == CUDA_R_32I);
static_assert(sumsOfFloats == CUBLAS_COMPUTE_32F && sumsOfIntegers == CUBLAS_COMPUTE_32I &&
              anyAlgorithm == CUBLAS_GEMM_DEFAULT && asIs == CUBLAS_OP_N && transposed == CUBLAS_OP_T &&
              isNotSupported == CUBLAS_STATUS_NOT_SUPPORTED);
static_assert(operationOfA == CUBLASLT_MATMUL_DESC_TRANSA && operationOfB == CUBLASLT_MATMUL_DESC_TRANSB &&
              batchCount == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT &&
              batchStride == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET &&
              mostWorkspace == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
static_assert(sizeof(CublasLtApi::Found) == sizeof(cublasLtMatmulHeuristicResult_t) &&
              sizeof(CublasLtApi::Algorithm) == sizeof(cublasLtMatmulAlgo_t) &&
              offsetof(CublasLtApi::Found, workspaceBytes) ==
                  offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));

/// The one of its overloads that computes as a cublasComputeType_t says.
using Multiply = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                                const void *, const void *, cudaDataType, int, long long int, const void *,
                                cudaDataType, int, long long int, const void *, void *, cudaDataType, int,
                                long long int, int, cublasComputeType_t, cublasGemmAlgo_t);
[[maybe_unused]] constexpr Multiply *isThere = &cublasGemmStridedBatchedEx;

TEST(CublasHeaders, DeclareTheFunctionsThatAreCalled) {
  EXPECT_TRUE((IsCalledAs<decltype(CublasApi::create), decltype(cublasCreate_v2)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(CublasApi::destroy), decltype(cublasDestroy_v2)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(CublasApi::setStream), decltype(cublasSetStream_v2)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(CublasApi::setWorkspace), decltype(cublasSetWorkspace_v2)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(CublasApi::multiply), Multiply>::value));
  EXPECT_TRUE((IsCalledAs<decltype(CublasApi::statusName), decltype(cublasGetStatusName)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(CublasApi::statusText), decltype(cublasGetStatusString)>::value));
  EXPECT_FALSE((IsCalledAs<decltype(CublasApi::destroy), decltype(cublasSetStream_v2)>::value));
  EXPECT_FALSE((IsCalledAs<int (*)(int, int, int), decltype(cublasSetWorkspace_v2)>::value));
}

TEST(CublasLtHeaders, DeclareTheFunctionsThatAreCalled) {
  EXPECT_TRUE((IsCalledAs<decltype(CublasLtApi::create), decltype(cublasLtCreate)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(CublasLtApi::destroy), decltype(cublasLtDestroy)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(CublasLtApi::createProduct), decltype(cublasLtMatmulDescCreate)>::value));
  EXPECT_TRUE(
      (IsCalledAs<decltype(CublasLtApi::destroyProduct), decltype(cublasLtMatmulDescDestroy)>::value));
  EXPECT_TRUE(
      (IsCalledAs<decltype(CublasLtApi::setProduct), decltype(cublasLtMatmulDescSetAttribute)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(CublasLtApi::createLayout), decltype(cublasLtMatrixLayoutCreate)>::value));
  EXPECT_TRUE(
      (IsCalledAs<decltype(CublasLtApi::destroyLayout), decltype(cublasLtMatrixLayoutDestroy)>::value));
  EXPECT_TRUE(
      (IsCalledAs<decltype(CublasLtApi::setLayout), decltype(cublasLtMatrixLayoutSetAttribute)>::value));
  EXPECT_TRUE(
      (IsCalledAs<decltype(CublasLtApi::createPreference), decltype(cublasLtMatmulPreferenceCreate)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(CublasLtApi::destroyPreference),
                          decltype(cublasLtMatmulPreferenceDestroy)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(CublasLtApi::setPreference),
                          decltype(cublasLtMatmulPreferenceSetAttribute)>::value));
  EXPECT_TRUE(
      (IsCalledAs<decltype(CublasLtApi::findAlgorithms), decltype(cublasLtMatmulAlgoGetHeuristic)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(CublasLtApi::multiply), decltype(cublasLtMatmul)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(CublasLtApi::statusName), decltype(cublasLtGetStatusName)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(CublasLtApi::statusText), decltype(cublasLtGetStatusString)>::value));
}

} // namespace
} // namespace daedalus::cuda
