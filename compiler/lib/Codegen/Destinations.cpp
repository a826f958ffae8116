// Kernels of tensors that compute into a buffer: destination passing.

#include "daedalus/Codegen/Codegen.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace daedalus::codegen {
namespace {

MemRefType bufferType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return MemRefType::get(type.getShape(), type.getElementType());
}

/// Whether the operation gives the elements of its operand another shape.
bool isReshape(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

/// The operand that is the tensor.empty which `result` is computed into, through reshapes and the destination
/// operands of linalg operations; null if there is none.
OpOperand *destinationOf(Value result) {
  while (isReshape(result.getDefiningOp()))
    result = result.getDefiningOp()->getOperand(0);
  auto op = result.getDefiningOp<DestinationStyleOpInterface>();
  if (!op)
    return nullptr;
  OpOperand *init = op.getDpsInitOperand(0);
  return init->get().getDefiningOp<tensor::EmptyOp>() ? init : destinationOf(init->get());
}

/// The buffer of what `result` is a reshape of, when that of `result` is `destination`.
Value reshapedBack(Value result, Value destination, OpBuilder &builder) {
  for (; isReshape(result.getDefiningOp()); result = result.getDefiningOp()->getOperand(0)) {
    Location loc = result.getLoc();
    if (auto expand = result.getDefiningOp<tensor::ExpandShapeOp>())
      destination =
          builder.create<memref::CollapseShapeOp>(loc, destination, expand.getReassociationIndices());
    else if (auto collapse = result.getDefiningOp<tensor::CollapseShapeOp>())
      destination = builder.create<memref::ExpandShapeOp>(loc, collapse.getSrcType().getShape(), destination,
                                                          collapse.getReassociationIndices());
  }
  return destination;
}

/// Whether nothing but the slice reads its destination, the copy into its place aside.
bool isSoleReader(tensor::InsertSliceOp slice) {
  return llvm::all_of(slice.getDest().getUsers(), [&](Operation *user) {
    auto place = dyn_cast<tensor::ExtractSliceOp>(user);
    auto copy = slice.getSource().getDefiningOp<linalg::CopyOp>();
    return user == slice || (place && copy && place->hasOneUse() && *place->user_begin() == copy);
  });
}

/// The slices that a result is put together of, the last first; none where anything else is in it.
SmallVector<tensor::InsertSliceOp> partsOf(Value result) {
  SmallVector<tensor::InsertSliceOp> parts;
  int64_t missing = cast<RankedTensorType>(result.getType()).getNumElements();
  Value rest = result;
  for (auto slice = rest.getDefiningOp<tensor::InsertSliceOp>(); slice && isSoleReader(slice);
       slice = rest.getDefiningOp<tensor::InsertSliceOp>()) {
    parts.push_back(slice);
    missing -= slice.getSourceType().getNumElements();
    rest = slice.getDest();
  }
  if (missing != 0 || !rest.getDefiningOp<tensor::EmptyOp>())
    parts.clear();
  return parts;
}

void eraseUnused(Operation *op) {
  if (op && op->use_empty())
    op->erase();
}

/// Writes each part to its place in the destination. As a chain of tensors the parts would be compared with
/// each other, pair by pair, before each found out that it has its own place.
void storeParts(ArrayRef<tensor::InsertSliceOp> parts, Value destination, OpBuilder &builder) {
  for (tensor::InsertSliceOp part : llvm::reverse(parts)) {
    Location loc = part.getLoc();
    Value source = part.getSource();
    auto copy = source.getDefiningOp<linalg::CopyOp>();
    if (copy)
      source = copy.getInputs()[0];
    auto type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
        part.getSourceType().getShape(), cast<MemRefType>(destination.getType()), part.getMixedOffsets(),
        part.getMixedSizes(), part.getMixedStrides()));
    Value place = builder.create<memref::SubViewOp>(loc, type, destination, part.getMixedOffsets(),
                                                    part.getMixedSizes(), part.getMixedStrides());
    auto store = builder.create<bufferization::MaterializeInDestinationOp>(loc, Type(), source, place);
    store.setRestrict(false);
    store.setWritable(true);
  }
  for (tensor::InsertSliceOp part : parts) {
    Operation *copy = part.getSource().getDefiningOp<linalg::CopyOp>();
    Operation *place = copy ? copy->getOperand(1).getDefiningOp() : nullptr;
    Operation *rest = part.getDest().getDefiningOp();
    part.erase();
    eraseUnused(copy);
    eraseUnused(place);
    if (isa<tensor::EmptyOp>(rest))
      eraseUnused(rest);
  }
}

} // namespace

func::FuncOp cloneDestinationPassing(func::FuncOp kernel, ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> types;
  for (Type type : kernel.getArgumentTypes())
    types.push_back(bufferType(type));
  types.push_back(bufferType(kernel.getResultTypes()[0]));
  auto function =
      builder.create<func::FuncOp>(kernel.getLoc(), kernel.getName(), builder.getFunctionType(types, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  IRMapping mapping;
  Location loc = kernel.getLoc();
  for (auto [from, to] : llvm::zip(kernel.getArguments(), function.getArguments())) {
    auto tensor = builder.create<bufferization::ToTensorOp>(loc, from.getType(), to, /*restrict=*/true,
                                                            /*writable=*/false);
    mapping.map(from, tensor);
  }
  for (Operation &op : kernel.getBody().front().without_terminator())
    builder.clone(op, mapping);
  Value result = mapping.lookup(kernel.getBody().front().getTerminator()->getOperand(0));
  Value destination = function.getArguments().back();
  if (auto parts = partsOf(result); !parts.empty()) {
    storeParts(parts, destination, builder);
    builder.create<func::ReturnOp>(loc);
    return function;
  }
  auto store = builder.create<bufferization::MaterializeInDestinationOp>(loc, Type(), result, destination);
  store.setRestrict(false);
  store.setWritable(true);
  builder.create<func::ReturnOp>(loc);
  return function;
}

void computeInDestination(func::FuncOp kernel) {
  const auto stores = llvm::to_vector(kernel.getOps<bufferization::MaterializeInDestinationOp>());
  for (bufferization::MaterializeInDestinationOp store : stores) {
    OpOperand *init = isa<BlockArgument>(store.getDest()) ? destinationOf(store.getSource()) : nullptr;
    if (!init)
      continue;
    OpBuilder before(init->getOwner());
    Value place = reshapedBack(store.getSource(), store.getDest(), before);
    Operation *empty = init->get().getDefiningOp();
    init->set(
        before.create<bufferization::ToTensorOp>(kernel.getLoc(), init->get().getType(), place, true, true));
    eraseUnused(empty);
  }
}

} // namespace daedalus::codegen
