// Allocate: a ring for each scope, in program order.

#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Dialect/Dae/Transforms/Ring.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace daedalus::dae {
namespace {

int64_t bytesOf(mlir::MemRefType type) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

} // namespace

mlir::LogicalResult allocate(mlir::func::FuncOp stream, const isa::Machine &machine) {
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> lastUse;
  llvm::DenseSet<mlir::Operation *> ofVector; // what VECTOR writes
  for (mlir::Operation &op : stream.getBody().front()) {
    for (mlir::Value operand : op.getOperands())
      if (auto alloc = operand.getDefiningOp<AllocOp>())
        lastUse[alloc] = &op;
    if (auto vector = mlir::dyn_cast<VectorOp>(op))
      ofVector.insert(vector.getDest().getDefiningOp());
  }
  std::map<Scope, Ring> rings;
  const auto ringOf = [&](AllocOp alloc) -> Ring & {
    return rings.try_emplace(alloc.getScope(), isaScope(alloc.getScope()), machine).first->second;
  };
  for (mlir::Operation &op : stream.getBody().front()) {
    for (mlir::Value operand : op.getOperands())
      if (auto alloc = operand.getDefiningOp<AllocOp>(); alloc && lastUse.lookup(alloc) == &op)
        ringOf(alloc).release(*alloc.getRow());
    auto alloc = mlir::dyn_cast<AllocOp>(op);
    if (!alloc)
      continue;
    const isa::Scope scope = isaScope(alloc.getScope());
    const int64_t rowBytes = machine.rowBytes(scope);
    const int64_t rows =
        (bytesOf(mlir::cast<mlir::MemRefType>(alloc.getBuffer().getType())) + rowBytes - 1) / rowBytes;
    const int64_t row = ringOf(alloc).place(rowsOwned(scope, rows, ofVector.contains(alloc), machine));
    if (row < 0)
      return alloc.emitOpError("needs ") << rows << " rows of " << stringifyScope(alloc.getScope())
                                         << ", which has " << machine.rows(scope) << " rows on machine "
                                         << machine.name << ", some in use; choose smaller tiles";
    alloc.setRow(row);
    if (!lastUse.contains(alloc))
      ringOf(alloc).release(row);
  }
  return mlir::success();
}

} // namespace daedalus::dae
