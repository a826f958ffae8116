// See RaiseScales.h. A body is read as expressions, so that clamps may be written either way round, with
// compare and select or in steps; the outermost int8 of a scale is the one that is raised.

#include "daedalus/Dialect/Qnn/Transforms/RaiseScales.h"

#include "daedalus/Analysis/Body.h"
#include "daedalus/Dialect/Counting.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace daedalus::qnn {
#define GEN_PASS_DEF_QNNRAISESCALES
#include "daedalus/Dialect/Qnn/Transforms/Passes.h.inc"

bool isRequantization(const Scale &scale, int64_t zeroPoint) {
  if (scale.multiplier < 0 || scale.multiplier > INT32_MAX || scale.shift < 1 || scale.shift > 62 ||
      scale.low < INT32_MIN || scale.high > INT32_MAX || zeroPoint < INT8_MIN || zeroPoint > INT8_MAX)
    return false;
  const auto isWhole = [&](int64_t value) {
    const int64_t half = int64_t(1) << (scale.shift - 1);
    const int64_t scaled = (value * scale.multiplier + half) >> scale.shift; // below 2^62 + 2^61
    return std::min(scaled, scaled + zeroPoint) >= INT32_MIN &&
           std::max(scaled, scaled + zeroPoint) <= INT32_MAX;
  };
  return isWhole(scale.low) && isWhole(scale.high);
}

namespace {

using mlir::Value;

/// An int8 of a body that is a scale, a zero point added, clamped and cut.
struct Clamped {
  int64_t zeroPoint, lo, hi;
};

/// A limit, or both, of a clamped scale, which limits the ends of its range.
Clamped limited(Clamped scale, const Expressions &all, const Expr &limit) {
  const auto end = [&](int64_t value) {
    const int64_t first = all[limit.operands[1]].value;
    if (limit.kind == ExprKind::Min)
      return std::min(value, first);
    value = std::max(value, first);
    return limit.kind == ExprKind::Clamp ? std::min(value, all[limit.operands[2]].value) : value;
  };
  return {scale.zeroPoint, end(scale.lo), end(scale.hi)};
}

std::optional<Clamped> clampedScale(const Expressions &all, ExprId id, ExprId scale) {
  const Expr &node = all[id];
  const bool isExtreme = node.kind == ExprKind::Max || node.kind == ExprKind::Min;
  if (node.kind == ExprKind::Clamp ||
      (isExtreme && node.operands.size() == 2 && all.isConstant(node.operands[1]))) {
    const std::optional<Clamped> inner = clampedScale(all, node.operands[0], scale);
    return inner ? std::optional(limited(*inner, all, node)) : std::nullopt;
  }
  if (node.kind != ExprKind::Truncate)
    return std::nullopt;
  const Expr &clamp = all[node.operands[0]];
  if (clamp.kind != ExprKind::Clamp || clamp.bits != 32)
    return std::nullopt;
  const int64_t lo = all[clamp.operands[1]].value, hi = all[clamp.operands[2]].value;
  Terms terms = all.termsOf(clamp.operands[0]);
  if (lo < INT8_MIN || hi > INT8_MAX || terms.take(scale) != 1 || !terms.factors.empty())
    return std::nullopt;
  return Clamped{terms.constant, lo, hi};
}

/// The constants that a value of a body may be: its own, or those of the operand that it is an element of.
std::optional<mlir::SmallVector<int64_t>> constantsOf(Value value, mlir::linalg::LinalgOp op) {
  if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value);
      argument && argument.getOwner() == op.getBlock() && !op.isDpsInit(op.getMatchingOpOperand(argument)))
    value = op.getMatchingOpOperand(argument)->get();
  mlir::Attribute constant;
  if (!mlir::matchPattern(value, mlir::m_Constant(&constant)))
    return std::nullopt;
  if (auto integer = mlir::dyn_cast<mlir::IntegerAttr>(constant))
    return mlir::SmallVector<int64_t>{integer.getValue().getSExtValue()};
  auto elements = mlir::dyn_cast<mlir::DenseIntElementsAttr>(constant);
  if (!elements || elements.getNumElements() > (1 << 20))
    return std::nullopt;
  if (elements.isSplat())
    return mlir::SmallVector<int64_t>{elements.getSplatValue<mlir::APInt>().getSExtValue()};
  mlir::SmallVector<int64_t> values;
  for (const mlir::APInt &element : elements)
    values.push_back(element.getSExtValue());
  return values;
}

/// Whether two values of a body are elements of operands that are read at the same place.
bool areReadAlike(Value a, Value b, mlir::linalg::LinalgOp op) {
  auto one = mlir::dyn_cast<mlir::BlockArgument>(a), other = mlir::dyn_cast<mlir::BlockArgument>(b);
  return one && other && one.getOwner() == op.getBlock() && other.getOwner() == op.getBlock() &&
         op.getMatchingIndexingMap(op.getMatchingOpOperand(one)) ==
             op.getMatchingIndexingMap(op.getMatchingOpOperand(other));
}

class Raiser {
public:
  explicit Raiser(mlir::linalg::LinalgOp op) : op(op), body(*op.getBlock()) {}

  unsigned run() {
    mlir::SmallVector<mlir::tosa::ApplyScaleOp> scales(body.getOps<mlir::tosa::ApplyScaleOp>());
    if (scales.empty())
      return 0;
    const auto before = llvm::range_size(body.getOps<RequantizeOp>());
    const auto read = expressionsOf(body, all);
    for (mlir::tosa::ApplyScaleOp scale : scales)
      if (read && mayBeRaised(scale))
        raise(scale, *read);
    if (!raised)
      return 0;
    for (mlir::Operation &dead : llvm::make_early_inc_range(llvm::reverse(body)))
      if (mlir::isOpTriviallyDead(&dead))
        dead.erase();
    return llvm::range_size(body.getOps<RequantizeOp>()) - before;
  }

private:
  static bool mayBeRaised(mlir::tosa::ApplyScaleOp scale) {
    return !scale.getDoubleRound() && scale.getValue().getType().isSignlessInteger(32) &&
           scale.getMultiplier().getType().isSignlessInteger(32) &&
           scale.getShift().getType().isSignlessInteger(8) &&
           scale.getOutput().getType().isSignlessInteger(32);
  }

  /// The last int8 that is the scale clamped, and those before it that are still read.
  void raise(mlir::tosa::ApplyScaleOp scale, const llvm::DenseMap<Value, ExprId> &read) {
    for (mlir::Operation &candidate : llvm::reverse(body.without_terminator())) {
      if (candidate.getNumResults() != 1 || candidate.use_empty() ||
          !candidate.getResult(0).getType().isSignlessInteger(8) || !read.contains(candidate.getResult(0)))
        continue;
      const std::optional<Clamped> clamped =
          clampedScale(all, read.lookup(candidate.getResult(0)), read.lookup(scale.getOutput()));
      if (clamped && isEqual(scale, clamped->zeroPoint, all[read.lookup(scale.getValue())]))
        replace(candidate, scale, *clamped);
    }
  }

  /// For each multiplier with each shift that it may meet.
  bool isEqual(mlir::tosa::ApplyScaleOp scale, int64_t zeroPoint, const Expr &value) const {
    const auto multipliers = constantsOf(scale.getMultiplier(), op),
               shifts = constantsOf(scale.getShift(), op);
    if (!multipliers || !shifts)
      return false;
    const auto isOne = [&](int64_t multiplier, int64_t shift) {
      return isRequantization({value.low, value.high, multiplier, shift}, zeroPoint);
    };
    if (multipliers->size() == shifts->size() && areReadAlike(scale.getMultiplier(), scale.getShift(), op))
      return llvm::all_of(llvm::zip(*multipliers, *shifts),
                          [&](const auto &pair) { return isOne(std::get<0>(pair), std::get<1>(pair)); });
    const auto ends = std::minmax_element(multipliers->begin(), multipliers->end());
    return llvm::all_of(
        *shifts, [&](int64_t shift) { return isOne(*ends.first, shift) && isOne(*ends.second, shift); });
  }

  void replace(mlir::Operation &candidate, mlir::tosa::ApplyScaleOp scale, const Clamped &clamped) {
    mlir::OpBuilder b(&candidate);
    Value acc = scale.getValue(), bias;
    if (auto sum = acc.getDefiningOp<mlir::arith::AddIOp>())
      for (unsigned k : {1u, 0u})
        if (!bias && constantsOf(sum->getOperand(k), op))
          bias = sum->getOperand(k), acc = sum->getOperand(1 - k);
    if (!bias)
      bias = b.create<mlir::arith::ConstantOp>(scale.getLoc(), b.getI32IntegerAttr(0));
    const auto i8 = [&](int64_t value) { return b.getI8IntegerAttr(value); };
    auto requantized =
        b.create<RequantizeOp>(candidate.getLoc(), b.getI8Type(), acc, bias, scale.getMultiplier(),
                               scale.getShift(), i8(clamped.zeroPoint), i8(clamped.lo), i8(clamped.hi),
                               RoundingAttr::get(b.getContext(), Rounding::HalfUp));
    candidate.getResult(0).replaceAllUsesWith(requantized);
    raised = true;
  }

  mlir::linalg::LinalgOp op;
  mlir::Block &body;
  Expressions all;
  bool raised = false;
};

struct RaiseScales : impl::QnnRaiseScalesBase<RaiseScales>, CountingPass {
  void runOnOperation() override { counts = {{"requantizations", raiseScales(getOperation())}}; }
};

} // namespace

unsigned raiseScales(mlir::func::FuncOp function) {
  unsigned raised = 0;
  function.walk([&](mlir::linalg::LinalgOp op) { raised += Raiser(op).run(); });
  return raised;
}

} // namespace daedalus::qnn
