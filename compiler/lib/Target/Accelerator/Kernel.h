// What a kernel function computes, in the terms of the accelerator: a window over NHWC pixels (convolutions,
// fully connected layers, pooling; pointwise kernels are windows of one pixel) followed by a requantization.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_KERNEL_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_KERNEL_H

#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/isa/machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::accelerator {

/// Input [b, h, w, c], output [b, oh, ow, oc], all in elements; the output pixel (y, x) reads the input
/// pixels (y * sh - pt + i * dh, x * sw - pl + j * dw) for i < kh, j < kw.
struct Window {
  int64_t b = 1, h = 1, w = 1, c = 1, oh = 1, ow = 1, oc = 1;
  int64_t kh = 1, kw = 1, sh = 1, sw = 1, dh = 1, dw = 1, pt = 0, pl = 0;
  int8_t pad = 0; ///< value outside the input
};

/// Requantization of channel k by entry k.
struct Requant {
  std::vector<int32_t> bias, multiplier;
  std::vector<uint8_t> shift;
  int64_t zeroPoint = 0, lo = -128, hi = 127;
  qnn::Rounding rounding = qnn::Rounding::HalfEven;

  bool isUniform() const;
};

enum class KernelKind { Contraction, MaxPool, SumPool, Add, Mul, Requant, Lookup, Move, Concat };

/// What follows a contraction's requantization on the same tile: the addition of another tensor, q * own +
/// other's element * other, requantized once more, or a lookup.
struct Epilogue {
  KernelKind kind; ///< Add or Lookup
  int32_t own = 0, other = 0;
  Requant requant; ///< of Add, uniform
};

struct Kernel {
  KernelKind kind = KernelKind::Contraction;
  Window window;
  std::vector<int64_t> inputs; ///< indices of the function's arguments: one, two for Add and Mul
  std::vector<int8_t> weights; ///< [oc][kh][kw][c / groups] of a contraction
  bool dense = true;           ///< its tensors are; set by simplify
  int64_t groups = 1;          ///< of channels, which a contraction keeps apart
  bool blockDiagonal = false;  ///< output block k reads input block k alone: weights [oc][kh][kw][N]
  bool depthwise = false;      ///< and lane l reads lane l alone
  int32_t multiplierA = 0, multiplierB = 0; ///< of Add
  int32_t zeroA = 0, zeroB = 0;             ///< of Mul: (a - zeroA) (b - zeroB)
  std::vector<int8_t> table;        ///< of Lookup, and of such an epilogue: 256 entries, the first for -128
  std::vector<int64_t> parts;       ///< of Concat: the channels of each input
  int64_t repeatH = 1, repeatW = 1; ///< of Move: how often each position stands in the output
  std::optional<Epilogue> epilogue;
  std::optional<Requant> requant; ///< absent: the result is saturated
  mlir::Location loc;

  explicit Kernel(mlir::Location loc) : loc(loc) {}
};

/// Reads a kernel function of the forms of the level linalg; `reason` says what it does not know.
std::optional<Kernel> readKernel(mlir::func::FuncOp func, std::string &reason);

/// The same computation with the fewest dimensions: pixels of pointwise kernels become one row and, where its
/// tensors are `dense`, a kernel as large as its input a fully connected layer, elementwise kernels with
/// uniform parameters one long pixel.
void simplify(Kernel &kernel, bool dense = true);

/// The kernel that moves one input of a Concat to its place.
Kernel partOf(const Kernel &concat, size_t part);

/// A contraction in groups as one that a machine of N lanes has: block diagonal where groups fill blocks
/// evenly, else dense with zeros.
void joinGroups(Kernel &kernel, int64_t n);

/// Whether a tile of output channels reads the input's channels of the same numbers.
bool readsOwnChannels(const Kernel &kernel);

} // namespace daedalus::accelerator

#endif
