// What a kernel function computes, in the terms of the accelerator: a nest of loops over pixels and channels
// with at most one reduction over a window of them, then an expression of each element, and the operations of
// VECTOR that compute the expression.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELS_KERNEL_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELS_KERNEL_H

#include "daedalus/Analysis/Expression.h"
#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/isa/machine.h"
#include "daedalus/support/result.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <array>
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

/// Whether each pixel of the output is made of the input's pixel of the same number.
inline bool isPixelwise(const Window &w) {
  return w.kh == 1 && w.kw == 1 && w.sh == 1 && w.sw == 1 && !w.pt && !w.pl && w.oh == w.h && w.ow == w.w;
}

/// Where an input is read that does not lie as the nest runs: elements of its tensor, from image to image,
/// row to row, column to column, channel to channel.
struct Layout {
  int64_t first = 0, image = 0, row = 0, column = 0, channel = 1;
};

/// How the elements of a window become one: by this operation of VECTOR, as they are or times weights.
struct Combiner {
  dae::VectorKind kind = dae::VectorKind::Add; ///< Add, Max or Min; Add where there are weights
  bool weighted = false;

  /// What changes nothing that it is combined with.
  int32_t neutral() const;
};

/// What follows the reduction, element by element. Arguments of the expression: int8 elements of the inputs
/// by their numbers, what the reduction makes of the combiner's neutral value, of a product of two inputs the
/// sum of the pixel's data and that of the channel's weights, and constants that have a value a channel.
struct Tail {
  static constexpr unsigned Reduced = 1000, DataSums = 1001, WeightSums = 1002, FirstConstant = 2000;
  Expressions all;
  ExprId result = 0;                          ///< of 8 bits
  std::vector<std::vector<int64_t>> channels; ///< of the constants, a value an output channel
};

/// What int8 does not hold of a weight: the weight is the int8 at this place of the weights and the rests of
/// all layers.
struct Excess {
  static constexpr int8_t Layers = 2; ///< uint8 less a zero point, -255 to 255, is three int8
  int64_t at;
  int8_t rest;
  int8_t layer; ///< 0, or 1 where one int8 more does not hold the weight either
};

/// Tiles of weights in which there is excess.
struct ExcessCounts {
  std::array<int64_t, 3> tiles{}; ///< by fold
  int64_t blocks = 0;             ///< of output channels, of each layer
};

/// Parameters of requantization, one a channel.
struct Parameters {
  std::vector<int32_t> bias, multiplier;
  std::vector<uint8_t> shift;

  bool isUniform() const;
};

/// A constant that stages read: parameters, a table of 256 entries, the first for -128, or int8 in rows of
/// PARAM, one an output channel.
struct StageConstant {
  Parameters parameters{};
  std::vector<int8_t> table{}, rows{};

  bool isTable() const { return !table.empty(); }
  bool isRows() const { return !rows.empty(); }
  /// Whether it is the same for all channels.
  bool isUniform() const { return isTable() || (!isRows() && parameters.isUniform()); }
  /// Of what stands in PARAM for a channel.
  int64_t elementBytes() const { return isRows() ? 1 : 16; }
};

/// Where a stage reads or writes: a tile of an input, an accumulator, the tile of the output; of what has a
/// value a channel, the row of an input in PARAM, or a row of accumulators.
struct Operand {
  enum class Place : uint8_t { None, Input, Temporary, Output, Constant, Immediate, Row, RowTemporary };
  Place place = Place::None;
  int32_t index = 0; ///< which one; the value of Immediate

  bool operator==(const Operand &other) const { return place == other.place && index == other.index; }
  bool is(Place which) const { return place == which; }
  bool isRow() const { return place == Place::Row || place == Place::RowTemporary; }
};

/// One operation of VECTOR on all elements of a tile.
struct Stage {
  dae::VectorKind op = dae::VectorKind::Mov;
  Operand dst, a, b, table; ///< the table of requant_lut
  bool accumulate = false;  ///< of Mac: the destination counts too
  int64_t lo = -128, hi = 127, zeroPoint = 0;
  qnn::Rounding rounding = qnn::Rounding::HalfEven;
  bool fused = false; ///< it belongs to the kernel that was fused with this one
};

struct Kernel {
  Window window;
  std::vector<int64_t>
      inputs; ///< arguments of the function; of a fused kernel's other inputs those of its own
  std::vector<std::optional<Layout>> layouts; ///< of the inputs; nothing: pixels in order, channels innermost
  std::optional<Combiner> combiner; ///< of the reduction, which reads the first input through the window
  std::vector<int8_t> weights;      ///< [oc][kh][kw][c / groups] of a weighted one
  std::vector<Excess> excess;       ///< of constant weights, in their order
  ExcessCounts excessCounts;        ///< set by countExcess
  bool weightsInput = false;        ///< the second input is the weights, [images][oc][c] with any strides
  bool sumsData = false;            ///< its tail reads the sums of data
  bool sumsWeights = false;         ///< its tail reads the sums of weights
  bool dense = true;                ///< its tensors are; set by flatten
  int64_t groups = 1;               ///< of channels, which a product keeps apart
  int64_t denseGroups = 1;          ///< that became one dense product, with zeros between them
  bool blockDiagonal = false;       ///< output block k reads input block k alone: weights [oc][kh][kw][N]
  bool diagonal = false;            ///< and lane l reads lane l alone
  int64_t lanes = 0;                ///< N, of a diagonal one
  std::vector<int64_t> parts;       ///< of a kernel that only puts inputs side by side: the channels of each
  int64_t repeatH = 1, repeatW = 1; ///< how often each position stands in the output
  Tail tail;
  std::vector<Stage> stages; ///< that compute the tail, in order
  std::vector<StageConstant> constants;
  int64_t temporaries = 0;    ///< accumulators that stages use; the reduction's is the first
  int64_t rowTemporaries = 0; ///< rows of them
  bool readsRows = false;     ///< inputs of a value a channel are read as rows (isRow)
  bool isFused = false;       ///< another kernel's tail follows its own
  bool isPaired = false;      ///< two columns of its result are one (pairedColumns)
  mlir::Location loc;

  explicit Kernel(mlir::Location loc) : loc(loc) {}

  /// Bytes of an element of the result: 1 or 4.
  int64_t resultBytes() const { return tail.all[tail.result].bits / 8; }
  bool isWeighted() const { return combiner && combiner->weighted; }
  /// The accumulators that hold the sums of data and of weights, behind that of the reduction: one row a
  /// pixel, and one a block of channels.
  int32_t dataSums() const { return 1; }
  int32_t weightSums() const { return 1 + sumsData; }
  /// The kernel whose result the sums of data are, beside constant weights: of one block of `n` channels.
  Kernel ofSums(int64_t n) const;
  /// How many accumulators the reduction fills.
  int64_t reducedTemporaries() const { return combiner ? 1 + sumsData + sumsWeights : 0; }
  /// Whether all constants of all its stages are the same for all channels.
  bool isUniform() const;
};

/// Reads a kernel function of the forms of the level linalg; an error says what it does not know. The lanes
/// `n` of the array say how weights that leave int8 are multiplied, whichever takes fewer tiles: with excess,
/// or with the sums of data.
Result<Kernel> readKernel(mlir::func::FuncOp func, int64_t n);

/// The kernel that moves one input of a kernel of several parts to its place, flattened as a part of a wider
/// tensor may be.
Kernel partOf(const Kernel &whole, size_t part);

/// Whether a tile of output channels reads the input's channels of the same numbers.
bool readsOwnChannels(const Kernel &kernel);

/// Whether all inputs lie as the nest runs.
bool isPlain(const Kernel &kernel);

/// Whether a value a channel is the same for all pixels of an image, and whether such an input is read as a
/// row of PARAM.
bool isRow(const std::optional<Layout> &layout);
bool isRow(const Kernel &kernel, size_t input);

/// Whether an input is read through the window; others are weights, or read where the output is written.
bool isWindowed(const Kernel &kernel, size_t input);
bool isWeights(const Kernel &kernel, size_t input);

/// Rows, columns and channels of an input's images: of weights the columns are output channels.
struct ImageShape {
  int64_t h, w, c;
};
ImageShape imageShape(const Kernel &kernel, size_t input);

} // namespace daedalus::accelerator

#endif
