// See Fuse.h: products of two tensors that are computed. Both operands of one are read along its reduction,
// so each lies with that dimension last: where a transposition stands in front of the product, the product
// reads what that one reads in another order; where an operand lies otherwise, it is transposed first.

#include "BatchProducts.h"
#include "Fuse.h"
#include "Patterns.h"

#include "daedalus/Analysis/Locations.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Arithmetic.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace daedalus::qnn {
namespace {

using namespace mlir;
using Order = SmallVector<int64_t>;

/// Whether there is a multiplier from the product's sums to the result's scale.
bool hasMultiplier(const BatchProduct &product, quant::QuantizeCastOp op) {
  const auto scaleOf = [](Value value) {
    return cast<UniformType>(tensorType(value).getElementType()).getScale();
  };
  return toMultiplier(scaleOf(product.left) * scaleOf(product.right) / scaleOf(op)).has_value();
}

struct FuseBatchProduct : CountedPattern<quant::QuantizeCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(quant::QuantizeCastOp op, PatternRewriter &rewriter) const override {
    const auto product =
        isByte(tensorType(op).getElementType()) ? BatchProduct::of(op.getArg()) : std::nullopt;
    if (!product || !hasMultiplier(*product, op))
      return rewriter.notifyMatchFailure(op, "no product of two quantized tensors");
    rewriter.replaceOp(op, quantizedProduct(rewriter, betweenCasts(product->op, op), op.getType(), *product));
    return done();
  }
};

/// A tensor, and which of its dimensions each dimension of the matrices is.
struct Lying {
  Value tensor;
  Order order;
};

/// What transpositions in front of a tensor read.
Lying behindTranspositions(Lying operand) {
  while (auto transpose = operand.tensor.getDefiningOp<tosa::TransposeOp>()) {
    Order permutation;
    if (failed(transpose.getConstantPerms(permutation)))
      break;
    for (int64_t &d : operand.order)
      d = permutation[d];
    operand.tensor = transpose.getInput1();
  }
  return operand;
}

struct ReadAlongReduction : CountedPattern<BatchMatmulOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(BatchMatmulOp op, PatternRewriter &rewriter) const override {
    if (tensorType(op).getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "of real numbers");
    Lying operands[2];
    bool changed = false;
    for (unsigned k : {0u, 1u}) {
      operands[k] = {op.getOperand(k), op.orderOf(k)};
      changed |= lay(op, k, operands[k], rewriter);
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "lies as it is read");
    rewriter.modifyOpInPlace(op, [&] {
      op.getLeftMutable().assign(operands[0].tensor);
      op.getRightMutable().assign(operands[1].tensor);
      op.setLeftOrderAttr(orderAttribute(rewriter, operands[0].order));
      op.setRightOrderAttr(orderAttribute(rewriter, operands[1].order));
    });
    return done();
  }

private:
  /// Brings the reduction of operand `k` to the last dimension; false where it is there and nothing changes.
  static bool lay(BatchMatmulOp op, unsigned k, Lying &operand, PatternRewriter &rewriter) {
    const size_t depth = operand.order.size() - (k == 0 ? 1 : 2);
    const auto isLast = [&](const Lying &lying) {
      return lying.order[depth] + 1 == int64_t(lying.order.size());
    };
    if (constantOf(operand.tensor))
      return false;
    const Lying source = behindTranspositions(operand);
    if (isLast(source)) {
      const bool changed = source.tensor != operand.tensor;
      operand = source;
      return changed;
    }
    auto before = operand.tensor.getDefiningOp<tosa::TransposeOp>();
    if (isLast(operand) && before && before.getInput1() == source.tensor)
      return false;
    Lying made = source;
    std::swap(made.order[depth], made.order.back());
    const Location loc = before ? joined(before.getLoc(), op.getLoc()) : op.getLoc();
    operand.tensor = transposed(rewriter, loc, made.tensor, made.order);
    operand.order = identityOrder(operand.tensor);
    std::swap(operand.order[depth], operand.order.back());
    return true;
  }
};

} // namespace

void addBatchProducts(RewritePatternSet &patterns, uint64_t &count) {
  patterns.add<FuseBatchProduct>(patterns.getContext(), count);
}

void addReadingOrders(RewritePatternSet &patterns, uint64_t &count) {
  patterns.add<ReadAlongReduction>(patterns.getContext(), count);
}

} // namespace daedalus::qnn
