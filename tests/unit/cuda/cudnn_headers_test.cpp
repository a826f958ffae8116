// What is declared here of cuDNN is what its headers declare.
#include "called_as.h"
#include "cudnn_api.h"

#include <cudnn.h>

#include <gtest/gtest.h>

namespace daedalus::cuda {
namespace {

using Api = CudnnApi;

static_assert(Api::floats == CUDNN_DATA_FLOAT && Api::float16s == CUDNN_DATA_HALF &&
              Api::channelsFirst == CUDNN_TENSOR_NCHW && Api::channelsLast == CUDNN_TENSOR_NHWC &&
              Api::crossCorrelation == CUDNN_CROSS_CORRELATION && Api::tensorCores == CUDNN_TENSOR_OP_MATH &&
              Api::fma == CUDNN_FMA_MATH);
static_assert(Api::implicitGemm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM &&
              Api::implicitPrecomputedGemm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM);
#if CUDNN_MAJOR >= 9
static_assert(Api::notSupported9 == CUDNN_STATUS_NOT_SUPPORTED &&
              Api::internalError9 == CUDNN_STATUS_INTERNAL_ERROR);
#else
static_assert(Api::notSupported == CUDNN_STATUS_NOT_SUPPORTED);
#endif

TEST(CudnnHeaders, DeclareTheFunctionsThatAreCalled) {
  EXPECT_TRUE((IsCalledAs<decltype(Api::create), decltype(cudnnCreate)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(Api::destroy), decltype(cudnnDestroy)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(Api::setStream), decltype(cudnnSetStream)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(Api::createTensor), decltype(cudnnCreateTensorDescriptor)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(Api::setTensor), decltype(cudnnSetTensor4dDescriptorEx)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(Api::destroyTensor), decltype(cudnnDestroyTensorDescriptor)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(Api::createFilter), decltype(cudnnCreateFilterDescriptor)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(Api::setFilter), decltype(cudnnSetFilter4dDescriptor)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(Api::destroyFilter), decltype(cudnnDestroyFilterDescriptor)>::value));
  EXPECT_TRUE(
      (IsCalledAs<decltype(Api::createConvolution), decltype(cudnnCreateConvolutionDescriptor)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(Api::setConvolution), decltype(cudnnSetConvolution2dDescriptor)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(Api::setMath), decltype(cudnnSetConvolutionMathType)>::value));
  EXPECT_TRUE(
      (IsCalledAs<decltype(Api::destroyConvolution), decltype(cudnnDestroyConvolutionDescriptor)>::value));
  EXPECT_TRUE(
      (IsCalledAs<decltype(Api::workspaceBytes), decltype(cudnnGetConvolutionForwardWorkspaceSize)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(Api::convolve), decltype(cudnnConvolutionForward)>::value));
  EXPECT_TRUE((IsCalledAs<decltype(Api::statusText), decltype(cudnnGetErrorString)>::value));
  EXPECT_FALSE((IsCalledAs<decltype(Api::setFilter), decltype(cudnnSetTensor4dDescriptorEx)>::value));
}

} // namespace
} // namespace daedalus::cuda
