// One element of an operation's result, in a thread.

#include "Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace daedalus::cuda {

SmallVector<Value> indicesOf(AffineMap map, ValueRange loops, OpBuilder &b, Location loc) {
  SmallVector<Value> indices;
  for (AffineExpr result : map.getResults())
    indices.push_back(b.createOrFold<affine::AffineApplyOp>(
        loc, AffineMap::get(map.getNumDims(), map.getNumSymbols(), result), loops));
  return indices;
}

Value loadElement(linalg::LinalgOp op, OpOperand &operand, ValueRange loops, DeviceFunction &f) {
  Value value = f(operand.get());
  if (!isa<MemRefType>(value.getType()))
    return value;
  return f.b.create<memref::LoadOp>(op.getLoc(), value,
                                    indicesOf(op.getMatchingIndexingMap(&operand), loops, f.b, op.getLoc()));
}

/// What an operation in a body uses of the kernel.
static void takeFromOutside(Operation &inner, linalg::LinalgOp op, DeviceFunction &f) {
  inner.walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
        f(operand);
  });
}

Value computeBody(linalg::LinalgOp op, ValueRange arguments, ValueRange loops, DeviceFunction &f) {
  Block *body = op.getBlock();
  for (auto [argument, value] : llvm::zip(body->getArguments(), arguments))
    f.values.map(argument, value);
  for (Operation &inner : body->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      f.values.map(index.getResult(), loops[index.getDim()]);
      continue;
    }
    takeFromOutside(inner, op, f);
    Operation *clone = f.b.clone(inner, f.values);
    clone->walk([&](linalg::IndexOp index) { // of conditions in the body
      index.replaceAllUsesWith(loops[index.getDim()]);
      index.erase();
    });
  }
  return f(body->getTerminator()->getOperand(0));
}

void storeElement(linalg::LinalgOp op, Value value, ValueRange loops, DeviceFunction &f) {
  Location loc = op.getLoc();
  f.b.create<memref::StoreOp>(loc, value, f(op.getDpsInits()[0]),
                              indicesOf(op.getIndexingMapsArray().back(), loops, f.b, loc));
}

namespace {

/// The root's result: a loop for each reduction, which carries it.
Value reduce(linalg::LinalgOp op, Value first, SmallVector<Value> loops, ArrayRef<unsigned> reductions,
             DeviceFunction &f, ElementLoader load) {
  Location loc = op.getLoc();
  if (reductions.empty()) {
    SmallVector<Value> arguments;
    for (OpOperand *input : op.getDpsInputOperands())
      arguments.push_back(load(op, *input, loops, f));
    arguments.push_back(first);
    return computeBody(op, arguments, loops, f);
  }
  const unsigned loop = reductions.front();
  Value zero = f.b.create<arith::ConstantIndexOp>(loc, 0), one = f.b.create<arith::ConstantIndexOp>(loc, 1);
  Value end = f.b.create<arith::ConstantIndexOp>(loc, op.getStaticLoopRanges()[loop]);
  auto made = f.b.create<scf::ForOp>(loc, zero, end, one, first);
  OpBuilder::InsertionGuard guard(f.b);
  f.b.setInsertionPointToStart(made.getBody());
  loops[loop] = made.getInductionVar();
  Value next = reduce(op, made.getRegionIterArg(0), loops, reductions.drop_front(), f, load);
  f.b.create<scf::YieldOp>(loc, next);
  return made.getResult(0);
}

bool readsResult(linalg::LinalgOp op) {
  return op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
}

void computeEpilogue(const Group &group, Value result, ValueRange loopsOfRoot, DeviceFunction &f) {
  linalg::GenericOp op = group.epilogue;
  linalg::LinalgOp root = group.root;
  const SmallVector<Value> loops =
      llvm::map_to_vector(group.loops, [&](unsigned loop) -> Value { return loopsOfRoot[loop]; });
  SmallVector<Value> arguments;
  for (OpOperand *input : op.getDpsInputOperands())
    arguments.push_back(input->get() == root.getDpsInits()[0] ? result : loadElement(op, *input, loops, f));
  OpOperand *init = op.getDpsInitOperand(0);
  arguments.push_back(readsResult(op) ? loadElement(op, *init, loops, f) : result);
  storeElement(op, computeBody(op, arguments, loops, f), loops, f);
}

} // namespace

Value firstOf(const Group &group, ValueRange loops, DeviceFunction &f) {
  linalg::LinalgOp root = group.root;
  const Type type = getElementTypeOrSelf(root.getDpsInits()[0].getType());
  if (group.fill) {
    linalg::FillOp fill = group.fill;
    return f(fill.getInputs()[0]);
  }
  if (readsResult(root) || root.getNumReductionLoops() > 0)
    return loadElement(root, *root.getDpsInitOperand(0), loops, f);
  return f.b.create<arith::ConstantOp>(root.getLoc(), f.b.getZeroAttr(type));
}

void finishPoint(const Group &group, Value result, ValueRange loops, DeviceFunction &f) {
  if (group.epilogue)
    computeEpilogue(group, result, loops, f);
  else
    storeElement(group.root, result, loops, f);
}

int64_t pointsOf(const Group &group) {
  linalg::LinalgOp root = group.root;
  int64_t points = 1;
  for (auto [size, type] : llvm::zip(root.getStaticLoopRanges(), root.getIteratorTypesArray()))
    points *= (type == utils::IteratorType::parallel) ? size : 1;
  return points;
}

void computePoint(const Group &group, ValueRange at, DeviceFunction &f, ElementLoader load) {
  linalg::LinalgOp root = group.root;
  SmallVector<Value> loops;
  SmallVector<unsigned> reductions;
  Value none = f.b.create<arith::ConstantIndexOp>(root.getLoc(), 0); // until the loop is there
  for (auto [loop, type] : llvm::enumerate(root.getIteratorTypesArray())) {
    const bool isParallel = (type == utils::IteratorType::parallel);
    if (!isParallel)
      reductions.push_back(loop);
    loops.push_back(isParallel ? at[loop - reductions.size()] : none);
  }
  finishPoint(group, reduce(root, firstOf(group, loops, f), loops, reductions, f, load), loops, f);
}

} // namespace daedalus::cuda
