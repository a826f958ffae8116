// See Product.h.

#include "Product.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

/// The argument of the body that a factor is, or is widened from.
std::optional<unsigned> argumentOf(Value value, linalg::LinalgOp op) {
  if (isa_and_nonnull<arith::ExtSIOp, arith::ExtFOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(value);
  const bool isOfBody = argument && argument.getOwner() == op.getBlock();
  return isOfBody && argument.getArgNumber() < 2 ? std::optional<unsigned>(argument.getArgNumber())
                                                 : std::nullopt;
}

/// Whether the body is out + a * b of the inputs 0 and 1, in any order.
bool isSumOfProducts(linalg::LinalgOp op) {
  Operation *sum = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum))
    return false;
  const Value out = op.getBlock()->getArgument(2);
  Operation *product = sum->getOperand(sum->getOperand(0) == out ? 1 : 0).getDefiningOp();
  if (!llvm::is_contained(sum->getOperands(), out) || !isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product))
    return false;
  const auto a = argumentOf(product->getOperand(0), op), b = argumentOf(product->getOperand(1), op);
  return a && b && *a + *b == 1;
}

/// Whether tensor cores or FMA compute with these types.
bool hasTypes(linalg::LinalgOp op) {
  const Type a = getElementTypeOrSelf(op.getDpsInputs()[0]), b = getElementTypeOrSelf(op.getDpsInputs()[1]);
  const Type sum = getElementTypeOrSelf(op.getDpsInits()[0]);
  return a == b && (sum.isF32() ? a.isF32() || a.isF16() || a.isBF16()
                                : sum.isSignlessInteger(32) && a.isSignlessInteger(8));
}

/// The loops of each dimension; false where the operation is no matrix product.
bool sortLoops(Product &product, const AffineMap &a, const AffineMap &b, const AffineMap &out) {
  for (unsigned loop = 0; loop < product.sizes.size(); ++loop) {
    const bool inA = a.isFunctionOfDim(loop), inB = b.isFunctionOfDim(loop),
               inOut = out.isFunctionOfDim(loop);
    Dimension *dimension = !inOut       ? inA && inB ? &product.k : nullptr
                           : inA && inB ? &product.batch
                           : inA        ? &product.m
                           : inB        ? &product.n
                                        : nullptr;
    if (!dimension)
      return false;
    dimension->loops.push_back(loop);
    dimension->size *= product.sizes[loop];
  }
  return !product.k.loops.empty() && product.m.size > 1 && product.n.size > 1;
}

} // namespace

bool isZero(TypedAttr constant) {
  if (auto number = dyn_cast<FloatAttr>(constant))
    return number.getValue().bitcastToAPInt().isZero();
  return cast<IntegerAttr>(constant).getValue().isZero();
}

bool Border::dependsOn(unsigned loop) const {
  return llvm::any_of(sides, [&](const Side &side) { return side.steps[loop] != 0; });
}

Type Factor::type() const {
  return getElementTypeOrSelf(operand->get().getType());
}

std::optional<SmallVector<int64_t>> stridesOf(AffineMap map, MemRefType type) {
  bool isLinear = type && type.getLayout().isIdentity() && type.hasStaticShape() && map.getNumSymbols() == 0;
  map.walkExprs([&](AffineExpr expr) {
    isLinear &= expr.getKind() == AffineExprKind::Add || expr.getKind() == AffineExprKind::Mul ||
                expr.getKind() == AffineExprKind::DimId || expr.getKind() == AffineExprKind::Constant;
  });
  if (!isLinear)
    return std::nullopt;
  const auto linear = [&](ArrayRef<int64_t> at) {
    int64_t place = 0;
    for (auto [index, extent] : llvm::zip(map.compose(at), type.getShape()))
      place = place * extent + index;
    return place;
  };
  SmallVector<int64_t> at(map.getNumDims(), 0), strides;
  if (linear(at) != 0)
    return std::nullopt;
  for (unsigned loop = 0; loop < map.getNumDims(); ++loop) {
    at[loop] = 1;
    strides.push_back(linear(at));
    at[loop] = 0;
  }
  return strides;
}

std::optional<Product> Product::of(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      op.hasDynamicShape() || !isSumOfProducts(op) || !hasTypes(op))
    return std::nullopt;
  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  OpOperand *first = op.getDpsInputOperand(0), *second = op.getDpsInputOperand(1);
  const auto ofFirst = stridesOf(maps[0], dyn_cast<MemRefType>(first->get().getType()));
  const auto ofSecond = stridesOf(maps[1], dyn_cast<MemRefType>(second->get().getType()));
  if (!ofFirst || !ofSecond)
    return std::nullopt;
  Product product{op, {first, *ofFirst}, {second, *ofSecond}, {}, {}, {}, {}, op.getStaticLoopRanges()};
  if (llvm::any_of(product.sizes, [](int64_t size) { return size <= 0; }) ||
      !sortLoops(product, maps[0], maps[1], maps[2]))
    return std::nullopt;
  // The result's last dimension is that of columns, which neighbouring threads store.
  const auto last = dyn_cast<AffineDimExpr>(maps[2].getResults().back());
  if (last && llvm::is_contained(product.m.loops, last.getPosition())) {
    std::swap(product.a, product.b);
    std::swap(product.m, product.n);
  }
  return product;
}

Contiguity contiguityOf(const Product &product, const Factor &factor, const Dimension &rows,
                        int64_t elements) {
  const auto isCopiedAlong = [&](const Dimension &dimension) {
    int64_t neighbours = 1; // that follow each other along the dimension's last loops
    llvm::SmallVector<unsigned> inner;
    for (unsigned loop : llvm::reverse(dimension.loops)) {
      const bool crossesBorder = factor.border && factor.border->dependsOn(loop);
      if (product.sizes[loop] > 1 && (factor.strides[loop] != neighbours || crossesBorder))
        break;
      neighbours *= product.sizes[loop];
      inner.push_back(loop);
    }
    if (neighbours % elements || factor.first % elements)
      return false;
    for (unsigned loop = 0; loop < product.sizes.size(); ++loop)
      if (!llvm::is_contained(inner, loop) && product.sizes[loop] > 1 && factor.strides[loop] % elements)
        return false;
    return true;
  };
  return isCopiedAlong(product.k) ? Contiguity::AlongK
         : isCopiedAlong(rows)    ? Contiguity::AlongRows
                                  : Contiguity::None;
}

} // namespace daedalus::cuda
