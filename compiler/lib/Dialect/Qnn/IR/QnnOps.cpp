// Verifiers, folders and canonicalizations of the qnn operations.

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "daedalus/isa/semantics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#define GET_OP_CLASSES
#include "daedalus/Dialect/Qnn/IR/QnnOps.cpp.inc"

namespace daedalus::qnn {
using mlir::LogicalResult;
using mlir::success;

namespace {

/// Of a constant attribute; nothing for all else.
std::optional<int64_t> integer(mlir::Attribute attribute) {
  auto value = mlir::dyn_cast_or_null<mlir::IntegerAttr>(attribute);
  return value ? std::optional(value.getValue().getSExtValue()) : std::nullopt;
}

std::optional<int64_t> integer(mlir::Value value) {
  mlir::IntegerAttr constant;
  return mlir::matchPattern(value, mlir::m_Constant(&constant)) ? integer(constant) : std::nullopt;
}

/// `acc + constant` with a constant bias: the constant goes into the bias, since both additions wrap.
struct FoldIntoBias : mlir::OpRewritePattern<RequantizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RequantizeOp op, mlir::PatternRewriter &rewriter) const override {
    auto sum = op.getAcc().getDefiningOp<mlir::arith::AddIOp>();
    const std::optional<int64_t> bias = integer(op.getBias());
    const std::optional<int64_t> added = sum ? integer(sum.getRhs()) : std::nullopt;
    if (!added || !bias)
      return rewriter.notifyMatchFailure(op, "no constants to add");
    const int32_t both = isa::wrapAdd(*bias, *added);
    auto constant = rewriter.create<mlir::arith::ConstantOp>(op.getLoc(), rewriter.getI32IntegerAttr(both));
    rewriter.modifyOpInPlace(op, [&] {
      op.getAccMutable().assign(sum.getLhs());
      op.getBiasMutable().assign(constant);
    });
    return success();
  }
};

} // namespace

LogicalResult RequantizeOp::verify() {
  const int64_t lo = getLoAttr().getValue().getSExtValue(), hi = getHiAttr().getValue().getSExtValue();
  if (lo > hi)
    return emitOpError("has lo ") << lo << " above hi " << hi;
  return success();
}

mlir::OpFoldResult RequantizeOp::fold(FoldAdaptor adaptor) {
  const int64_t lo = getLoAttr().getValue().getSExtValue(), hi = getHiAttr().getValue().getSExtValue();
  const auto result = [&](int64_t value) { return mlir::IntegerAttr::get(getResult().getType(), value); };
  if (lo == hi)
    return result(lo);
  const std::optional<int64_t> acc = integer(adaptor.getAcc()), bias = integer(adaptor.getBias()),
                               multiplier = integer(adaptor.getMultiplier()),
                               shift = integer(adaptor.getShift());
  if (!acc || !bias || !multiplier || !shift || *multiplier < 0 || *shift < 1 || *shift > 62)
    return {};
  return result(isa::requantize(*acc, *bias, *multiplier, *shift,
                                getZeroPointAttr().getValue().getSExtValue(), lo, hi,
                                static_cast<isa::Rounding>(getRounding())));
}

void RequantizeOp::getCanonicalizationPatterns(mlir::RewritePatternSet &patterns,
                                               mlir::MLIRContext *context) {
  patterns.add<FoldIntoBias>(context);
}

LogicalResult LookupOp::verify() {
  if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(getTable().getType())) {
    if (tensor.getRank() != 1 || tensor.getDimSize(0) != tableEntries)
      return emitOpError("expects a table of ") << tableEntries << " entries, found " << tensor;
    return success();
  }
  if (!mlir::isa<mlir::BlockArgument>(getTable()))
    return emitOpError("expects the first entry of a table as an argument of the body");
  return success();
}

mlir::OpFoldResult LookupOp::fold(FoldAdaptor adaptor) {
  auto table = mlir::dyn_cast_or_null<mlir::DenseIntElementsAttr>(adaptor.getTable());
  if (table && table.isSplat())
    return table.getSplatValue<mlir::IntegerAttr>();
  const std::optional<int64_t> x = integer(adaptor.getX());
  if (!table || !x)
    return {};
  return table.getValues<mlir::IntegerAttr>()[*x + tableOrigin];
}

} // namespace daedalus::qnn
