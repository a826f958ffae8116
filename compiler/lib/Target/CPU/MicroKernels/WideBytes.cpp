// See WideBytes.h.

#include "WideBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace daedalus::cpu {

Value widenBytes(Value bytes, OpBuilder &b, Location loc) {
  const auto type = cast<RankedTensorType>(bytes.getType());
  Value empty = b.create<tensor::EmptyOp>(loc, type.getShape(), b.getI16Type());
  const SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(type.getRank()));
  const SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto widen = b.create<linalg::GenericOp>(
      loc, empty.getType(), bytes, empty, maps, loops, [](OpBuilder &b, Location loc, ValueRange arguments) {
        Value wide = b.create<arith::ExtSIOp>(loc, b.getI16Type(), arguments[0]);
        b.create<linalg::YieldOp>(loc, wide);
      });
  return widen.getResult(0);
}

bool isWidening(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInputs() != 1 || generic.getNumDpsInits() != 1 ||
      !llvm::all_of(generic.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }) ||
      !getElementTypeOrSelf(generic.getDpsInits()[0].getType()).isSignlessInteger(16))
    return false;
  mlir::Block *body = generic.getBlock();
  auto wide = body->getTerminator()->getOperand(0).getDefiningOp<arith::ExtSIOp>();
  return wide && wide.getIn() == body->getArgument(0) && wide.getIn().getType().isSignlessInteger(8);
}

linalg::GenericOp wideningOf(Value wide) {
  if (isa<TensorType>(wide.getType()))
    return isWidening(wide.getDefiningOp()) ? wide.getDefiningOp<linalg::GenericOp>() : nullptr;
  for (Operation *user : wide.getUsers())
    if (isWidening(user) && cast<linalg::GenericOp>(user).getDpsInits()[0] == wide)
      return cast<linalg::GenericOp>(user);
  return nullptr;
}

} // namespace daedalus::cpu
