// Kernels for the tests: a description, its text at level linalg, its result by plain loops, and random ones.
#pragma once

#include "daedalus/isa/semantics.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace daedalus::testing {

enum class Kind { Conv, Matmul, Add, MaxPool, MaxPoolRequant, GlobalSum, Depthwise, Requant };

/// [b, h, w, c] and, of windows, [oc] outputs of kh x kw kernels. Matmul: w rows of c, oc columns.
struct KernelModel {
  Kind kind = Kind::Conv;
  int64_t b = 1, h = 1, w = 1, c = 1, oc = 1, kh = 1, kw = 1, sh = 1, sw = 1, dh = 1, dw = 1;
  int64_t pt = 0, pl = 0, pb = 0, pr = 0;
  int8_t pad = 0;
  std::vector<int8_t> weights;
  int32_t weightZero = 0; ///< of Conv and Depthwise: products are with the weights less this
  std::vector<int32_t> bias, multiplier;
  std::vector<int8_t> shift;
  int32_t factorA = 0, factorB = 0;
  int zeroPoint = 0, lo = -128, hi = 127;
  isa::Rounding rounding = isa::Rounding::HalfEven;
  std::string decisions; ///< what a plan says of it, or empty: it is planned

  int64_t oh() const { return kind == Kind::GlobalSum ? 1 : (h + pt + pb - dh * (kh - 1) - 1) / sh + 1; }
  int64_t ow() const { return kind == Kind::GlobalSum ? 1 : (w + pl + pr - dw * (kw - 1) - 1) / sw + 1; }
  bool isWindow() const {
    return kind == Kind::Conv || kind == Kind::MaxPool || kind == Kind::MaxPoolRequant ||
           kind == Kind::Depthwise;
  }
  int64_t inputBytes() const { return b * h * w * c; }
  int64_t outputBytes() const { return b * oh() * ow() * oc; }
};

/// `func.func private @name` in the form of the level linalg, and the type of its input and output.
std::string kernelText(const KernelModel &model, const std::string &name);
std::string inputType(const KernelModel &model);
std::string outputType(const KernelModel &model);

/// What the kernel computes; `b` only of Add.
std::vector<int8_t> referenceResult(const KernelModel &model, const std::vector<int8_t> &a,
                                    const std::vector<int8_t> &b);

/// Random weights and parameters for the shape of `model`; uniform parameters where asked.
void randomConstants(KernelModel &model, std::mt19937 &random, bool uniform = false);

/// A kernel of k x k windows over an image of size x size with c channels, padded so that stride 1 keeps the
/// size where k is odd.
KernelModel layer(Kind kind, int64_t size, int64_t c, int64_t oc, int64_t k, int64_t stride);

/// A random small kernel: channels 1 to 70, odd sizes, strides, padding, dilation.
KernelModel randomKernel(Kind kind, std::mt19937 &random);

} // namespace daedalus::testing
