// qnn-transposed-convolutions: with strides of S by T a result consists of blocks of S by T elements, each of
// which adds up the same elements of the image, by weights of its own. So the blocks are the positions, and
// their elements the output channels, of a convolution.

#include "Patterns.h"
#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace daedalus::qnn {
#define GEN_PASS_DEF_QNNTRANSPOSEDCONVOLUTIONS
#include "daedalus/Dialect/Qnn/Transforms/Passes.h.inc"

namespace {

using namespace mlir;

/// The blocks of one dimension, those that a convolution of the image with these pads gives.
struct Blocks {
  int64_t size; ///< of a block
  int64_t taps; ///< of the convolution: every `size`-th of the kernel, zeros behind its end
  int64_t padBegin, padEnd;
  int64_t count; ///< of blocks
  int64_t start; ///< of the result in them

  Blocks(int64_t image, int64_t kernel, int64_t stride, int64_t cut, int64_t result)
      : size(stride), taps((kernel + stride - 1) / stride) {
    const int64_t first = std::min(cut / stride, taps - 1), last = (cut + result - 1) / stride;
    padBegin = taps - 1 - first;
    padEnd = std::max<int64_t>(last + 1 - image, 0);
    count = image + padBegin + padEnd - taps + 1;
    start = cut - first * stride;
  }
};

/// Rows and columns of a transposed convolution's result.
struct BlockImage {
  Blocks rows, columns;

  explicit BlockImage(TransposedConvOp op) : rows(of(op, 0)), columns(of(op, 1)) {}
  int64_t elements() const { return rows.size * columns.size; }

private:
  static Blocks of(TransposedConvOp op, unsigned d) {
    return {shapeOf(op.getInput())[2 + d], shapeOf(op.getWeights())[2 + d], op.getStrides()[d],
            op.getCut()[d], shapeOf(op)[2 + d]};
  }
};

/// Weights [IC, OC, KH, KW] as those of the blocks, [elements * OC, IC, taps, taps]; outside of the kernel
/// they are `zero` of the output channel.
template <class T, class Zero>
std::vector<T> weightsOf(const BlockImage &blocks, ArrayRef<int64_t> shape, const std::vector<T> &w,
                         Zero zero) {
  const auto &[rows, columns] = blocks;
  std::vector<T> result;
  for (int64_t r = 0; r < rows.size; ++r)
    for (int64_t s = 0; s < columns.size; ++s)
      for (int64_t m = 0; m < shape[1]; ++m)
        for (int64_t c = 0; c < shape[0]; ++c)
          for (int64_t i = rows.taps; i-- > 0;)
            for (int64_t j = columns.taps; j-- > 0;) {
              const int64_t y = i * rows.size + r, x = j * columns.size + s;
              const bool isInside = y < shape[2] && x < shape[3];
              result.push_back(isInside ? w[((c * shape[1] + m) * shape[2] + y) * shape[3] + x] : zero(m));
            }
  return result;
}

template <class T> std::vector<T> repeated(ArrayRef<T> values, int64_t times) {
  std::vector<T> result;
  for (int64_t i = 0; i < times; ++i)
    result.insert(result.end(), values.begin(), values.end());
  return result;
}

/// The element type with its scales, if they are one an index of `axis`, `times` along dimension 0; null
/// where they lie along another.
Type repeatedElement(Type element, int32_t axis, int64_t times) {
  auto perAxis = dyn_cast<PerAxisType>(element);
  if (!perAxis)
    return element;
  if (perAxis.getQuantizedDimension() != axis)
    return nullptr;
  return PerAxisType::get(perAxis.getFlags(), perAxis.getStorageType(), perAxis.getExpressedType(),
                          repeated(perAxis.getScales(), times), repeated(perAxis.getZeroPoints(), times), 0,
                          perAxis.getStorageTypeMin(), perAxis.getStorageTypeMax());
}

Value realConstant(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
                   const std::vector<float> &values) {
  const auto type = RankedTensorType::get(shape, builder.getF32Type());
  return builder.create<tosa::ConstOp>(loc, type, DenseElementsAttr::get(type, ArrayRef<float>(values)));
}

/// Integers of 8 or 32 bits, dequantized.
Value dequantizedConstant(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, Type element,
                          const std::vector<int64_t> &values) {
  const bool isByte = cast<quant::QuantizedType>(element).getStorageTypeIntegralWidth() == 8;
  Value made = isByte ? quantizedConstant(builder, loc, shape, element,
                                          ArrayRef(std::vector<int8_t>(values.begin(), values.end())))
                      : quantizedConstant(builder, loc, shape, element,
                                          ArrayRef(std::vector<int32_t>(values.begin(), values.end())));
  return builder.create<quant::DequantizeCastOp>(loc, tensorType(made).clone(Type(builder.getF32Type())),
                                                 made);
}

/// The integers of a constant that is dequantized, and its type; nothing where scales of it do not lie along
/// `axis`.
struct Quantized {
  std::vector<int64_t> integers;
  Type element;

  static std::optional<Quantized> of(Value real, int32_t axis, int64_t times) {
    Value value = dequantized(real);
    const DenseElementsAttr elements = value ? constantOf(value) : nullptr;
    const Type element = elements ? tensorType(value).getElementType() : nullptr;
    const Type repeated = element ? repeatedElement(element, axis, times) : nullptr;
    if (!repeated)
      return std::nullopt;
    return Quantized{integersOf(elements, cast<quant::QuantizedType>(element).isSigned()), repeated};
  }
  int64_t zeroPoint(int64_t channel) const {
    auto perAxis = dyn_cast<PerAxisType>(element);
    return perAxis ? perAxis.getZeroPoints()[channel] : cast<UniformType>(element).getZeroPoint();
  }
};

/// Null where they are no constant.
Value blockWeights(PatternRewriter &rewriter, const BlockImage &blocks, Value weights, Location loc) {
  const ArrayRef<int64_t> from = shapeOf(weights);
  const SmallVector<int64_t> shape{blocks.elements() * from[1], from[0], blocks.rows.taps,
                                   blocks.columns.taps};
  if (const auto known = Quantized::of(weights, 1, blocks.elements()))
    return dequantizedConstant(
        rewriter, loc, shape, known->element,
        weightsOf(blocks, from, known->integers, [&](int64_t m) { return known->zeroPoint(m); }));
  if (const auto numbers = realNumbers(weights))
    return realConstant(rewriter, loc, shape,
                        weightsOf(blocks, from, *numbers, [](int64_t) { return 0.0f; }));
  return nullptr;
}

/// One number a channel of a block's elements, or one in all; null where they are no constant.
Value blockBias(PatternRewriter &rewriter, const BlockImage &blocks, Value bias, Location loc) {
  const int64_t size = tensorType(bias).getNumElements(), times = size == 1 ? 1 : blocks.elements();
  const auto axis = static_cast<int32_t>(shapeOf(bias).size()) - 1;
  if (const auto known = Quantized::of(bias, axis, times))
    return dequantizedConstant(rewriter, loc, {size * times}, known->element,
                               repeated(ArrayRef(known->integers), times));
  if (const auto numbers = realNumbers(bias))
    return realConstant(rewriter, loc, {size * times}, repeated(ArrayRef(*numbers), times));
  return nullptr;
}

/// Channels [rows, columns, C] of blocks as their rows and columns.
Value spread(PatternRewriter &rewriter, const BlockImage &blocks, Value x, Location loc) {
  const ArrayRef<int64_t> from = shapeOf(x);
  const int64_t channels = from[1] / blocks.elements();
  Value split = reshaped(rewriter, loc, x,
                         {from[0], blocks.rows.size, blocks.columns.size, channels, from[2], from[3]});
  return reshaped(rewriter, loc, transposed(rewriter, loc, split, {0, 3, 4, 1, 5, 2}),
                  {from[0], channels, from[2] * blocks.rows.size, from[3] * blocks.columns.size});
}

struct AsConvolution : CountedPattern<TransposedConvOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(TransposedConvOp op, PatternRewriter &rewriter) const override {
    const BlockImage blocks(op);
    const auto &[rows, columns] = blocks;
    const Location loc = op.getLoc();
    Value weights = blockWeights(rewriter, blocks, op.getWeights(), loc), bias = op.getBias();
    if (!weights || (bias && !(bias = blockBias(rewriter, blocks, bias, loc))))
      return rewriter.notifyMatchFailure(op, "no constants");
    const ArrayRef<int64_t> input = shapeOf(op.getInput()), output = shapeOf(op);
    const auto type = RankedTensorType::get({input[0], shapeOf(weights)[0], rows.count, columns.count},
                                            rewriter.getF32Type());
    const SmallVector<int64_t> pad{rows.padBegin, rows.padEnd, columns.padBegin, columns.padEnd}, ones(2, 1);
    Value y =
        rewriter.create<ConvOp>(loc, type, op.getInput(), weights, bias, Value(), pad, ones, ones, 1, false);
    if (blocks.elements() > 1)
      y = spread(rewriter, blocks, y, loc);
    if (shapeOf(y) != output)
      y = rewriter.create<tosa::SliceOp>(loc, op.getType(), y,
                                         ArrayRef<int64_t>{0, 0, rows.start, columns.start}, output);
    rewriter.replaceOp(op, y);
    return done();
  }
};

struct TransposedConvolutions : GraphPass<impl::QnnTransposedConvolutionsBase<TransposedConvolutions>> {
  LogicalResult runOnGraph(func::FuncOp main) override {
    RewritePatternSet patterns(&getContext());
    patterns.add<AsConvolution>(&getContext(), counts["transposed convolutions"]);
    return applyPatterns(main, std::move(patterns));
  }
};

} // namespace
} // namespace daedalus::qnn
