// Factors of products as they are stored: tensor cores take floats of 16 bits.

#include "Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"

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

void takeStoredFactors(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  SmallVector<linalg::LinalgOp> ops;
  kernel.walk([&](linalg::LinalgOp op) {
    if (op.getNumDpsInputs() == 2 && op.getNumReductionLoops() > 0)
      ops.push_back(op);
  });
  for (linalg::LinalgOp op : ops) {
    const SmallVector<Value> stored = {widenedBy(op.getDpsInputs()[0].getDefiningOp()),
                                       widenedBy(op.getDpsInputs()[1].getDefiningOp())};
    if (!stored[0] || !stored[1] ||
        getElementTypeOrSelf(stored[0].getType()) != getElementTypeOrSelf(stored[1].getType()))
      continue;
    rewriter.setInsertionPoint(op);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    FailureOr<linalg::GenericOp> general =
        generic ? FailureOr<linalg::GenericOp>(generic) : linalg::generalizeNamedOp(rewriter, op);
    if (succeeded(general))
      takeStored(*general, stored, rewriter);
  }
}

} // namespace daedalus::cuda
