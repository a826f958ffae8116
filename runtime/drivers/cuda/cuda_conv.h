// A convolution of images by filters that a library computes on the GPU:
//
//   out[n, f, i, j] = sum over c, r, s of x[n, c, i * stride + r * dilation - pad, ...] * w[f, c, r, s]
//                     (+ out[n, f, i, j], where it accumulates)
//
// where the image is 0 around itself. All factors and the result are float32, or float16 whose sums are
// float32 and rounded once.
//
//   type u8 | whether channels are last u8 | whether it accumulates u8 | images, channels, results 3 x u64 |
//   rows, columns: extent, window, pad, stride, dilation 5 x u64
#pragma once

#include "daedalus/package/package.h"
#include "daedalus/support/byte_stream.h"

#include <cstdint>

namespace daedalus::cuda {

/// Rows or columns of images. But for the pad each is from 1 to 2^31 - 1.
struct Extent {
  uint64_t image = 1, window = 1;
  uint64_t pad = 0; ///< zeros on each side, fewer than a window spans
  uint64_t stride = 1, dilation = 1;

  /// From a window's first element to its last.
  uint64_t span() const { return dilation * (window - 1) + 1; }
  /// Of the result; the image with its pads has at least a window.
  uint64_t result() const { return (image + 2 * pad - span()) / stride + 1; }
};

struct Conv {
  package::DType type = package::DType::F32; ///< of images, filters and the result
  /// Images and result are N, H, W, C and filters F, R, S, C; else N, C, H, W and F, C, R, S. All lie dense,
  /// and each has fewer than 2^31 elements.
  bool hasChannelsLast = true;
  bool accumulates = false;                       ///< of float32 alone
  uint64_t images = 1, channels = 1, results = 1; ///< each from 1 to 2^31 - 1
  Extent rows, columns;

  uint64_t bytesOfX() const, bytesOfW() const, bytesOfOut() const;
};

/// Whether types and sizes are ones of a convolution.
bool isLegal(const Conv &conv);

void write(ByteWriter &out, const Conv &conv);
Conv readConv(ByteReader &in);

} // namespace daedalus::cuda
