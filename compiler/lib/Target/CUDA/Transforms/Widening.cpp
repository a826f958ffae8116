// Factors of products as they are stored: tensor cores take floats of 16 bits.

#include "Transforms.h"

#include "daedalus/support/float16.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#include <cstring>
#include <optional>

using namespace mlir;

namespace daedalus::cuda {
namespace {

/// What an operation widens to float32, element by element; null where it does something else.
Value widenedBy(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInputs() != 1 || generic.getNumReductionLoops() != 0 ||
      !llvm::all_of(generic.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }))
    return nullptr;
  Block *body = generic.getBody();
  auto widen = body->getTerminator()->getOperand(0).getDefiningOp<arith::ExtFOp>();
  return widen && widen.getIn() == body->getArgument(0) ? generic.getDpsInputs()[0] : nullptr;
}

/// The bits of a number in a type of 16 bits; nothing where it is not one of the type's.
std::optional<uint16_t> narrowed(float number, bool isFloat16) {
  const uint16_t half = isFloat16 ? float16Of(number) : bfloat16Of(number);
  return (isFloat16 ? floatOfFloat16(half) : floatOfBfloat16(half)) == number ? std::optional(half)
                                                                              : std::nullopt;
}

/// A constant of float32 in a type of 16 bits; null where it is something else, or has other numbers.
Value narrowedConstant(Value value, Type narrow, IRRewriter &rewriter) {
  DenseElementsAttr wide;
  if (!value || !matchPattern(value, m_Constant(&wide)) || !wide.getElementType().isF32())
    return nullptr;
  const ArrayRef<char> bytes = wide.getRawData();
  SmallVector<uint16_t> halves(bytes.size() / sizeof(float));
  for (auto [at, half] : llvm::enumerate(halves)) {
    float number;
    std::memcpy(&number, bytes.data() + at * sizeof number, sizeof number);
    const std::optional<uint16_t> bits = narrowed(number, narrow.isF16());
    if (!bits)
      return nullptr;
    half = *bits;
  }
  const auto type = cast<RankedTensorType>(value.getType()).clone(narrow);
  const ArrayRef<char> raw(reinterpret_cast<const char *>(halves.data()), halves.size() * sizeof(uint16_t));
  return rewriter.create<arith::ConstantOp>(value.getLoc(), DenseElementsAttr::getFromRawBuffer(type, raw));
}

/// A padded factor whose inner part is widened: the inner part padded with a number that its type has.
Value narrowedPadding(tensor::PadOp pad, IRRewriter &rewriter) {
  Value inner = widenedBy(pad.getSource().getDefiningOp()), border = pad.getConstantPaddingValue();
  FloatAttr number;
  if (!inner || !border || !matchPattern(border, m_Constant(&number)))
    return nullptr;
  const Type narrow = getElementTypeOrSelf(inner.getType());
  const std::optional<uint16_t> bits = narrowed(number.getValue().convertToFloat(), narrow.isF16());
  if (!bits)
    return nullptr;
  const APFloat value(cast<FloatType>(narrow).getFloatSemantics(), APInt(16, *bits));
  Value constant = rewriter.create<arith::ConstantOp>(pad.getLoc(), FloatAttr::get(narrow, value));
  const auto type = cast<RankedTensorType>(pad.getType()).clone(narrow);
  return rewriter.create<tensor::PadOp>(pad.getLoc(), type, inner, pad.getMixedLowPad(),
                                        pad.getMixedHighPad(), constant, pad.getNofold());
}

/// A factor as it is stored, in a type of 16 bits; null where it is not. What is made of it lies in front of
/// the product.
Value storedOf(Value factor, IRRewriter &rewriter) {
  Operation *op = factor.getDefiningOp();
  if (auto pad = dyn_cast_or_null<tensor::PadOp>(op))
    return narrowedPadding(pad, rewriter);
  return widenedBy(op);
}

/// Both factors, of which one may be a constant; none where they are not stored in one type.
SmallVector<Value> storedFactors(linalg::LinalgOp op, IRRewriter &rewriter) {
  SmallVector<Value> stored;
  for (Value factor : op.getDpsInputs())
    stored.push_back(storedOf(factor, rewriter));
  for (unsigned i = 0; i < 2; ++i)
    if (!stored[i] && stored[1 - i])
      stored[i] =
          narrowedConstant(op.getDpsInputs()[i], getElementTypeOrSelf(stored[1 - i].getType()), rewriter);
  const bool areBoth = stored[0] && stored[1] &&
                       getElementTypeOrSelf(stored[0].getType()) == getElementTypeOrSelf(stored[1].getType());
  return areBoth ? stored : SmallVector<Value>();
}

/// The operation with these inputs, which its body widens.
void takeStored(linalg::GenericOp op, ArrayRef<Value> stored, IRRewriter &rewriter) {
  Block *body = op.getBody();
  rewriter.setInsertionPointToStart(body);
  rewriter.modifyOpInPlace(op, [&] {
    for (auto [number, value] : llvm::enumerate(stored)) {
      BlockArgument argument = body->getArgument(number);
      const Type wide = argument.getType();
      argument.setType(getElementTypeOrSelf(value.getType()));
      auto widen = rewriter.create<arith::ExtFOp>(op.getLoc(), wide, argument);
      argument.replaceAllUsesExcept(widen, widen);
      op->setOperand(number, value);
    }
  });
}

} // namespace

FailureOr<linalg::GenericOp> asGeneric(linalg::LinalgOp op, RewriterBase &rewriter) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  return generic ? FailureOr<linalg::GenericOp>(generic) : linalg::generalizeNamedOp(rewriter, op);
}

void takeStoredFactors(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  SmallVector<linalg::LinalgOp> ops;
  kernel.walk([&](linalg::LinalgOp op) {
    if (op.getNumDpsInputs() == 2 && op.getNumReductionLoops() > 0)
      ops.push_back(op);
  });
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    const SmallVector<Value> stored = storedFactors(op, rewriter);
    if (stored.empty())
      continue;
    if (const FailureOr<linalg::GenericOp> general = asGeneric(op, rewriter); succeeded(general))
      takeStored(*general, stored, rewriter);
  }
}

} // namespace daedalus::cuda
