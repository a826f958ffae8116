// Requantization by a double's arithmetic, where that is exact: a product of a sum under 2^29 and of a
// multiplier of 24 significant bits has 53, and the addition of 1.5 * 2^52 rounds it to an integer, halves to
// even, which the result's low bits are.

#include "MicroKernels/Contraction.h"
#include "Passes.h"

#include "daedalus/Codegen/Intervals.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace daedalus::cpu {
using codegen::constantOf;
using codegen::Interval;
using codegen::intervalOf;

namespace {

constexpr int64_t MostSum = int64_t(1) << 29;
constexpr int SignificantBits = 24; ///< of a multiplier
constexpr int LeastShift = 30;      ///< then what is left fits into 32 bits

/// Constants of a body's value: one, or those of the operand that it is.
std::optional<SmallVector<int64_t>> constantsOf(linalg::GenericOp op, Value value) {
  if (const std::optional<int64_t> one = constantOf(value))
    return SmallVector<int64_t>{*one};
  auto argument = dyn_cast<BlockArgument>(value);
  DenseIntElementsAttr all;
  if (!argument || argument.getOwner() != op.getBody() || argument.getArgNumber() >= op.getNumDpsInputs() ||
      !matchPattern(op.getDpsInputs()[argument.getArgNumber()], m_Constant(&all)))
    return std::nullopt;
  return llvm::to_vector(
      llvm::map_range(all.getValues<APInt>(), [](const APInt &v) { return v.getSExtValue(); }));
}

/// What a tensor is another shape of.
Value sourceOf(Value tensor) {
  while (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  return tensor;
}

/// The largest magnitude of a reduction's sums: as many terms as there are, from a constant on.
std::optional<int64_t> mostOf(linalg::LinalgOp op) {
  auto fill = op && op.getNumDpsInits() == 1 ? op.getDpsInits()[0].getDefiningOp<linalg::FillOp>() : nullptr;
  const auto first = fill ? constantOf(fill.getInputs()[0]) : std::nullopt;
  auto sum = first ? op.getBlock()->getTerminator()->getOperand(0).getDefiningOp<arith::AddIOp>() : nullptr;
  if (!sum || sum.getLhs() != op.getBlock()->getArguments().back() || op.hasDynamicShape())
    return std::nullopt;
  const std::optional<Interval> term = intervalOf(sum.getRhs());
  int64_t terms = 1;
  for (auto [size, type] : llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (linalg::isReductionIterator(type) && (terms *= size) > MostSum)
      return std::nullopt;
  if (!term || term->magnitude() > MostSum)
    return std::nullopt;
  return std::abs(*first) + terms * term->magnitude();
}

/// The largest magnitude of a value in a body: of a constant, an expression of few bits, a sum of another
/// operation.
std::optional<int64_t> mostOf(linalg::GenericOp op, Value value) {
  if (const std::optional<Interval> interval = intervalOf(value))
    return interval->magnitude();
  if (const auto constants = constantsOf(op, value)) {
    int64_t most = 0;
    for (int64_t constant : *constants)
      most = std::max(most, std::abs(constant));
    return most;
  }
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBody() || argument.getArgNumber() >= op.getNumDpsInputs())
    return std::nullopt;
  return mostOf(sourceOf(op.getDpsInputs()[argument.getArgNumber()]).getDefiningOp<linalg::LinalgOp>());
}

/// Multiplier / 2^shift of each channel, where a double's arithmetic is exact with it.
std::optional<SmallVector<double>> scalesOf(linalg::GenericOp op, qnn::RequantizeOp requantize) {
  const auto multipliers = constantsOf(op, requantize.getMultiplier());
  const auto shifts = constantsOf(op, requantize.getShift());
  if (!multipliers || !shifts || (multipliers->size() != shifts->size() && shifts->size() != 1))
    return std::nullopt;
  SmallVector<double> scales;
  for (auto [i, multiplier] : llvm::enumerate(*multipliers)) {
    const int64_t shift = (*shifts)[shifts->size() == 1 ? 0 : i];
    const uint64_t bits = uint64_t(std::abs(multiplier));
    if (shift < LeastShift || shift > 62 ||
        (bits && llvm::Log2_64(bits) - llvm::countr_zero(bits) >= SignificantBits))
      return std::nullopt;
    scales.push_back(std::ldexp(double(multiplier), -int(shift)));
  }
  return scales;
}

bool isExact(linalg::GenericOp op, qnn::RequantizeOp requantize) {
  const auto sum = mostOf(op, requantize.getAcc()), bias = mostOf(op, requantize.getBias());
  return requantize.getRounding() == qnn::Rounding::HalfEven && sum && bias && *sum + *bias < MostSum;
}

/// The block argument of the multiplier with doubles in its operand's place; a constant of the body for one.
Value scaleIn(linalg::GenericOp op, Value multiplier, ArrayRef<double> scales, OpBuilder &b) {
  auto argument = dyn_cast<BlockArgument>(multiplier);
  if (!argument)
    return b.create<arith::ConstantOp>(op.getLoc(), b.getF64FloatAttr(scales.front()));
  OpOperand *operand = op.getDpsInputOperand(argument.getArgNumber());
  const auto type =
      RankedTensorType::get(cast<ShapedType>(operand->get().getType()).getShape(), b.getF64Type());
  OpBuilder before(op);
  operand->set(before.create<arith::ConstantOp>(op.getLoc(), DenseElementsAttr::get(type, scales)));
  argument.setType(b.getF64Type());
  return argument;
}

Value scaled(qnn::RequantizeOp op, Value scale, OpBuilder &b) {
  Location loc = op.getLoc();
  const auto number = [&](int64_t value) {
    return b.create<arith::ConstantOp>(loc, b.getI32IntegerAttr(static_cast<int8_t>(value)));
  };
  Value sum = b.create<arith::AddIOp>(loc, op.getAcc(), op.getBias());
  Value real = b.create<arith::SIToFPOp>(loc, b.getF64Type(), sum);
  Value origin = b.create<arith::ConstantOp>(loc, b.getF64FloatAttr(std::ldexp(1.5, 52)));
  Value bits =
      b.create<arith::BitcastOp>(loc, b.getI64Type(), b.create<math::FmaOp>(loc, real, scale, origin));
  Value q = b.create<arith::TruncIOp>(loc, b.getI32Type(), bits);
  q = b.create<arith::AddIOp>(loc, q, number(op.getZeroPoint()));
  q = b.create<arith::MinSIOp>(loc, b.create<arith::MaxSIOp>(loc, q, number(op.getLo())), number(op.getHi()));
  return b.create<arith::TruncIOp>(loc, b.getI8Type(), q);
}

/// The operation without the inputs that its body does not read.
void dropUnread(linalg::GenericOp op, IRRewriter &rewriter) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  llvm::BitVector unread(op.getBody()->getNumArguments());
  for (OpOperand *input : op.getDpsInputOperands()) {
    const bool isRead = !op.getMatchingBlockArgument(input).use_empty();
    unread[input->getOperandNumber()] = !isRead;
    if (isRead) {
      inputs.push_back(input->get());
      maps.push_back(op.getMatchingIndexingMap(input));
    }
  }
  maps.push_back(op.getIndexingMapsArray().back());
  rewriter.setInsertionPoint(op);
  auto read = rewriter.create<linalg::GenericOp>(op.getLoc(), op.getResultTypes(), inputs, op.getDpsInits(),
                                                 maps, op.getIteratorTypesArray());
  op.getBody()->eraseArguments(unread);
  rewriter.inlineRegionBefore(op.getRegion(), read.getRegion(), read.getRegion().begin());
  rewriter.replaceOp(op, read);
}

} // namespace

bool requantizesInDoubles(linalg::GenericOp op, qnn::RequantizeOp requantize) {
  const bool isSole = requantize.getMultiplier().hasOneUse() || constantOf(requantize.getMultiplier());
  return isSole && scalesOf(op, requantize) && isExact(op, requantize);
}

void requantizeInDoubles(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  SmallVector<linalg::GenericOp> ops;
  kernel.walk([&](linalg::GenericOp op) {
    if (op.getNumReductionLoops() == 0 && !op.getBody()->getOps<qnn::RequantizeOp>().empty())
      ops.push_back(op);
  });
  for (linalg::GenericOp op : ops) {
    bool isChanged = false;
    for (qnn::RequantizeOp requantize : llvm::to_vector(op.getBody()->getOps<qnn::RequantizeOp>())) {
      if (!requantizesInDoubles(op, requantize))
        continue;
      const auto scales = scalesOf(op, requantize);
      OpBuilder b(requantize);
      requantize.replaceAllUsesWith(
          scaled(requantize, scaleIn(op, requantize.getMultiplier(), *scales, b), b));
      requantize.erase();
      isChanged = true;
    }
    if (isChanged)
      dropUnread(op, rewriter);
  }
}

} // namespace daedalus::cpu
