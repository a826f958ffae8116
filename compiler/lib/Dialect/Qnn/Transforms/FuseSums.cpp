// See Fuse.h: products of quantized tensors whose results nobody quantizes. The sums are those of integers;
// a function makes real numbers of them.

#include "BatchProducts.h"
#include "Fuse.h"
#include "Patterns.h"
#include "Products.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Kernels/Body.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace daedalus::qnn {
namespace {

using namespace mlir;

/// What makes a real number of a sum: (sum - offset) * scale + bias, each one number or one a channel.
struct RealOfSum {
  std::vector<int32_t> offsets{0};
  std::vector<float> scales, biases{0};
};

/// A tensor of numbers a channel, read at the channel's dimension, or of one number.
template <class T>
kernels::Read readChannels(kernels::Body &body, const std::vector<T> &values, unsigned rank, unsigned axis) {
  const auto size = static_cast<int64_t>(values.size());
  Value tensor = body.constant<T>({size}, values);
  if (size > 1)
    return {tensor, body.loops(rank, axis)};
  return {tensor, AffineMap::get(rank, 0, body.b.getAffineConstantExpr(0), body.b.getContext())};
}

/// A call of a new function of the sums, whose channels are dimension `axis`.
Value realOf(PatternRewriter &rewriter, Location loc, Value sums, unsigned axis, const RealOfSum &by) {
  auto module = sums.getDefiningOp()->getParentOfType<ModuleOp>();
  RankedTensorType type = tensorType(sums), real = type.clone(Type(rewriter.getF32Type()));
  auto function = func::FuncOp::create(loc, "real_of_sums", rewriter.getFunctionType(type, real));
  function.setPrivate();
  SymbolTable(module).insert(function);
  kernels::Body body(OpBuilder::atBlockEnd(function.addEntryBlock()), loc);
  const unsigned rank = type.getRank();
  Value result = body.elementwise(
      type.getShape(), body.b.getF32Type(),
      {body.broadcast(function.getArgument(0), type.getShape()), readChannels(body, by.offsets, rank, axis),
       readChannels(body, by.scales, rank, axis), readChannels(body, by.biases, rank, axis)},
      [&](ValueRange x) {
        Value sum = body.b.create<arith::SIToFPOp>(loc, body.b.getF32Type(), body.sub(x[0], x[1]));
        return body.add(body.mul(sum, x[2]), x[3]);
      });
  body.b.create<func::ReturnOp>(loc, result);
  return rewriter.create<func::CallOp>(loc, function, sums).getResult(0);
}

/// Of sums of stored inputs times weights, whose zero points are 0.
RealOfSum realOfSum(const Product &product, const Weights &weights) {
  const int64_t channels = product.channels(),
                zeroPoint = cast<UniformType>(tensorType(product.input).getElementType()).getZeroPoint();
  RealOfSum by;
  by.offsets.assign(channels, 0);
  for (auto [i, weight] : llvm::enumerate(weights.values))
    by.offsets[product.channelOf(i)] += static_cast<int32_t>(zeroPoint * weight);
  const Bias bias = product.readBias();
  if (!bias.values.empty())
    by.biases.clear();
  for (int64_t c = 0; c < channels; ++c) {
    by.scales.push_back(static_cast<float>(product.inputScale() * weights.scale(c)));
    if (!bias.values.empty())
      by.biases.push_back(static_cast<float>(bias.values[c] * bias.scales[c]));
  }
  return by;
}

/// A product with constant weights.
template <class Op> struct SumProduct : CountedPattern<Op> {
  using CountedPattern<Op>::CountedPattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    const auto product = Product::of(op);
    if (!product)
      return rewriter.notifyMatchFailure(op, "no product of quantized tensors");
    const Weights weights = product->readWeights();
    if (static_cast<int64_t>(weights.values.size()) / product->channels() > mostTerms)
      return rewriter.notifyMatchFailure(op, "its sums may leave 32 bits");
    const Location loc = besideCasts(op);
    const Type type = tensorType(op).clone(Type(rewriter.getI32Type()));
    Value sums = quantizedProduct(rewriter, loc, type, *product, weights, nullptr, nullptr);
    const unsigned axis = isa<ConvOp>(op) ? 1 : tensorType(op).getRank() - 1;
    rewriter.replaceOp(op, realOf(rewriter, loc, sums, axis, realOfSum(*product, weights)));
    return this->done();
  }

private:
  /// Of uint8 times nine bits, so that their sum lies in 32 bits.
  static constexpr int64_t mostTerms = INT32_MAX / (255 * 255);
};

/// A product of two computed tensors.
template <class Op> struct SumBatchProduct : CountedPattern<Op> {
  using CountedPattern<Op>::CountedPattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    const auto product = BatchProduct::of(op);
    if (!product)
      return rewriter.notifyMatchFailure(op, "no product of two quantized tensors");
    const Location loc = besideCasts(op);
    const Type type = tensorType(op).clone(Type(rewriter.getI32Type()));
    const auto scaleOf = [](Value operand) {
      return cast<UniformType>(tensorType(operand).getElementType()).getScale();
    };
    RealOfSum by;
    by.scales = {static_cast<float>(scaleOf(product->left) * scaleOf(product->right))};
    rewriter.replaceOp(op, realOf(rewriter, loc, quantizedProduct(rewriter, loc, type, *product), 0, by));
    return this->done();
  }
};

} // namespace

void addSums(RewritePatternSet &patterns, uint64_t &count) {
  patterns.add<SumProduct<ConvOp>, SumProduct<MatmulOp>, SumBatchProduct<MatmulOp>,
               SumBatchProduct<BatchMatmulOp>>(patterns.getContext(), count);
}

} // namespace daedalus::qnn
