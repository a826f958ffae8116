// See Contraction.h.

#include "Contraction.h"

#include "WideBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

/// Whether an operand of such products has elements of bytes, or of bytes that were widened.
bool hasBytes(Value operand) {
  const Type type = getElementTypeOrSelf(operand.getType());
  return type.isSignlessInteger(8) || (type.isSignlessInteger(16) && wideningOf(operand));
}

/// The argument of the body that `value` is, or is extended from with its sign; nothing of others.
std::optional<unsigned> argumentOf(Value value, linalg::LinalgOp op, bool isFloat) {
  if (auto extended = value.getDefiningOp<arith::ExtSIOp>(); extended && !isFloat)
    value = extended.getIn();
  else if (!isFloat)
    return std::nullopt;
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBlock() ||
      !(isFloat ? value.getType().isF32() : hasBytes(op->getOperand(argument.getArgNumber()))))
    return std::nullopt;
  return argument.getArgNumber();
}

/// Whether the body is out + a * b of the inputs 0 and 1, in any order.
bool isSumOfProducts(linalg::LinalgOp op, bool isFloat) {
  Block *body = op.getBlock();
  Operation *sum = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!sum || !(isFloat ? isa<arith::AddFOp>(sum) : isa<arith::AddIOp>(sum)))
    return false;
  const Value out = body->getArgument(2);
  Operation *product = sum->getOperand(sum->getOperand(0) == out ? 1 : 0).getDefiningOp();
  if (!llvm::is_contained(sum->getOperands(), out) || !product ||
      !(isFloat ? isa<arith::MulFOp>(product) : isa<arith::MulIOp>(product)))
    return false;
  const auto a = argumentOf(product->getOperand(0), op, isFloat);
  const auto b = argumentOf(product->getOperand(1), op, isFloat);
  return a && b && *a + *b == 1;
}

} // namespace

SmallVector<linalg::LinalgOp> linalgOps(func::FuncOp kernel) {
  SmallVector<linalg::LinalgOp> ops;
  kernel.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  return ops;
}

Operation *effectBefore(Operation *op) {
  do
    op = op->getPrevNode();
  while (op && isMemoryEffectFree(op));
  return op;
}

Operation *effectBehind(Operation *op) {
  do
    op = op->getNextNode();
  while (op && isMemoryEffectFree(op));
  return op;
}

std::optional<SmallVector<SmallVector<int64_t>>> coefficientsOf(AffineMap map) {
  bool isLinear = map.getNumSymbols() == 0;
  map.walkExprs([&](AffineExpr expr) {
    isLinear &= expr.getKind() == AffineExprKind::Add || expr.getKind() == AffineExprKind::Mul ||
                expr.getKind() == AffineExprKind::DimId || expr.getKind() == AffineExprKind::Constant;
  });
  SmallVector<int64_t> at(map.getNumDims(), 0);
  if (!isLinear || llvm::any_of(map.compose(at), [](int64_t value) { return value != 0; }))
    return std::nullopt;
  SmallVector<SmallVector<int64_t>> all(map.getNumResults(), SmallVector<int64_t>(map.getNumDims()));
  for (unsigned loop = 0; loop < map.getNumDims(); ++loop) {
    at[loop] = 1;
    for (auto [result, value] : llvm::enumerate(map.compose(at)))
      all[result][loop] = value;
    at[loop] = 0;
  }
  return all;
}

std::optional<Contraction> Contraction::of(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      !op->getNumRegions() || op.hasDynamicShape() ||
      llvm::any_of(op.getStaticLoopRanges(), [](int64_t size) { return size <= 0; }))
    return std::nullopt;
  const Type type = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  const bool isFloat = type.isF32();
  if (!(isFloat || type.isSignlessInteger(32)) || !isSumOfProducts(op, isFloat))
    return std::nullopt;
  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (AffineMap map : maps)
    if (!coefficientsOf(map))
      return std::nullopt;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (linalg::isReductionIterator(type) == maps.back().isFunctionOfDim(loop))
      return std::nullopt; // such loops may be written, but add up in other places than their own
  if (maps.back().getNumResults() == 0)
    return std::nullopt;
  unsigned inner = 0; // the last loop of the output's last dimension
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (maps.back().getResults().back().isFunctionOfDim(loop))
      inner = loop;
  OpOperand *a = op.getDpsInputOperand(0), *b = op.getDpsInputOperand(1);
  if (maps[1].isFunctionOfDim(inner))
    return Contraction{op, b, a, inner, isFloat};
  if (maps[0].isFunctionOfDim(inner))
    return Contraction{op, a, b, inner, isFloat};
  return std::nullopt;
}

} // namespace daedalus::cpu
