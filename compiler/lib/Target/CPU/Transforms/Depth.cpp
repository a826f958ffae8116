// Reductions of bytes in whole steps of DotWidth: operands get zeros, and elements that these multiply.

#include "MicroKernels/Contraction.h"
#include "Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

/// The loop of the reduction along which both operands can be padded: the last dimension of the scalars, a
/// dimension of the vectors. -1: none.
int depthOf(const Contraction &c, unsigned &dimension) {
  if (!c.vectorMap().isProjectedPermutation())
    return -1;
  const auto coefficients = *coefficientsOf(c.scalarMap());
  for (auto [i, expr] : llvm::enumerate(c.vectorMap().getResults())) {
    const unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    const bool isLast = !coefficients.empty() && coefficients.back()[loop] == 1;
    const bool isElsewhere =
        llvm::any_of(llvm::drop_end(coefficients), [&](auto &row) { return row[loop] != 0; });
    dimension = i;
    if (c.isReduction(loop) && isLast && !isElsewhere)
      return loop;
  }
  return -1;
}

/// `weights` with zeros behind its elements along a dimension.
DenseElementsAttr padded(DenseElementsAttr weights, unsigned dimension, int64_t more) {
  SmallVector<int64_t> shape(weights.getType().getShape());
  const int64_t inner = ShapedType::getNumElements(ArrayRef(shape).drop_front(dimension + 1));
  const int64_t run = shape[dimension] * inner;
  std::vector<int8_t> data;
  int64_t left = run;
  for (int8_t value : weights.getValues<int8_t>()) {
    data.push_back(value);
    if (--left == 0) {
      data.insert(data.end(), more * inner, 0);
      left = run;
    }
  }
  shape[dimension] += more;
  return DenseElementsAttr::get(RankedTensorType::get(shape, weights.getElementType()), ArrayRef(data));
}

/// `value` with elements behind its last dimension, whatever they are; what pads it already pads these too.
Value padded(Value value, int64_t more, OpBuilder &b) {
  const auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> low(type.getRank(), 0), high(type.getRank(), 0), shape(type.getShape());
  Location loc = value.getLoc();
  Value fill;
  if (auto pad = value.getDefiningOp<tensor::PadOp>(); pad && pad.getConstantPaddingValue()) {
    low.assign(pad.getStaticLow().begin(), pad.getStaticLow().end());
    high.assign(pad.getStaticHigh().begin(), pad.getStaticHigh().end());
    fill = pad.getConstantPaddingValue();
    value = pad.getSource();
  } else {
    fill = b.create<arith::ConstantOp>(loc, b.getZeroAttr(type.getElementType()));
  }
  high.back() += more;
  shape.back() += more;
  const auto indices = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(b.getContext(), values);
  };
  return b.create<tensor::PadOp>(loc, RankedTensorType::get(shape, type.getElementType()), value,
                                 indices(low), indices(high), fill);
}

} // namespace

void padDepths(func::FuncOp kernel) {
  for (linalg::LinalgOp op : linalgOps(kernel)) {
    const std::optional<Contraction> c = Contraction::of(op);
    DenseElementsAttr weights;
    unsigned dimension = 0;
    if (!c || c->isFloat || !matchPattern(c->vectors->get(), m_Constant(&weights)))
      continue;
    const int depth = depthOf(*c, dimension);
    const int64_t size = depth < 0 ? 0 : op.getStaticLoopRanges()[depth];
    const int64_t more = llvm::alignTo(size, DotWidth) - size;
    if (more == 0)
      continue;
    OpBuilder b(op);
    c->scalars->set(padded(c->scalars->get(), more, b));
    c->vectors->set(b.create<arith::ConstantOp>(op.getLoc(), padded(weights, dimension, more)));
  }
}

} // namespace daedalus::cpu
