// What is used of cuDNN, version 8 or 9 ("cuDNN Library: API Reference"): numbers and functions as the
// library has them, so that neither building nor starting needs it.
#pragma once

#include "cuda_api.h"

namespace daedalus::cuda {

struct CudnnApi {
  using Handle = void *;
  using Status = int; ///< 0 is success
  using Descriptor = void *;

  // Of cudnnDataType_t, cudnnTensorFormat_t, cudnnConvolutionMode_t, cudnnMathType_t and
  // cudnnConvolutionFwdAlgo_t.
  static constexpr int floats = 0, float16s = 2;
  static constexpr int channelsFirst = 0, channelsLast = 1;
  static constexpr int crossCorrelation = 1;
  static constexpr int tensorCores = 1, fma = 3; ///< fma: no TF32
  static constexpr int implicitGemm = 0, implicitPrecomputedGemm = 1;
  /// Of cudnnStatus_t, of version 8; of version 9 from the second on, with reasons behind it.
  static constexpr Status notSupported = 9, notSupported9 = 3000, internalError9 = 4000;

  Status (*create)(Handle *);
  Status (*destroy)(Handle);
  Status (*setStream)(Handle, Stream);
  Status (*createTensor)(Descriptor *);
  Status (*setTensor)(Descriptor, int type, int n, int c, int h, int w, int strideN, int strideC, int strideH,
                      int strideW);
  Status (*destroyTensor)(Descriptor);
  Status (*createFilter)(Descriptor *);
  Status (*setFilter)(Descriptor, int type, int format, int k, int c, int h, int w);
  Status (*destroyFilter)(Descriptor);
  Status (*createConvolution)(Descriptor *);
  Status (*setConvolution)(Descriptor, int padRows, int padColumns, int strideRows, int strideColumns,
                           int dilationRows, int dilationColumns, int mode, int computeType);
  Status (*setMath)(Descriptor convolution, int math);
  Status (*destroyConvolution)(Descriptor);
  Status (*workspaceBytes)(Handle, Descriptor x, Descriptor w, Descriptor convolution, Descriptor y,
                           int algorithm, size_t *bytes);
  Status (*convolve)(Handle, const void *alpha, Descriptor, const void *x, Descriptor, const void *w,
                     Descriptor convolution, int algorithm, void *workspace, size_t workspaceBytes,
                     const void *beta, Descriptor, void *y);
  const char *(*statusText)(Status); ///< its name
};

} // namespace daedalus::cuda
