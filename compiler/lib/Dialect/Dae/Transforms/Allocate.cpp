// Allocate: a ring for each scope, in program order.

#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Dialect/Dae/Transforms/Ring.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"

#include "llvm/ADT/DenseMap.h"

namespace daedalus::dae {
namespace {

int64_t bytesOf(mlir::MemRefType type) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

} // namespace

mlir::LogicalResult allocate(mlir::func::FuncOp stream, const isa::Machine &machine) {
  llvm::DenseMap<mlir::Operation *, int64_t> lastUse;
  int64_t position = 0;
  for (mlir::Operation &op : stream.getBody().front()) {
    for (mlir::Value operand : op.getOperands())
      if (mlir::Operation *alloc = operand.getDefiningOp())
        lastUse[alloc] = position;
    ++position;
  }
  std::map<Scope, Ring> rings;
  position = 0;
  for (mlir::Operation &op : stream.getBody().front()) {
    ++position;
    auto alloc = mlir::dyn_cast<AllocOp>(op);
    if (!alloc)
      continue;
    const isa::Scope scope = isaScope(alloc.getScope());
    Ring &ring = rings.try_emplace(alloc.getScope(), scope, machine).first->second;
    int64_t rowBytes = machine.rowBytes(scope);
    int64_t rows =
        (bytesOf(mlir::cast<mlir::MemRefType>(alloc.getBuffer().getType())) + rowBytes - 1) / rowBytes;
    int64_t row = ring.place(rows, position - 1);
    if (row < 0)
      return alloc.emitOpError("needs ") << rows << " rows of " << stringifyScope(alloc.getScope())
                                         << ", which has " << machine.rows(scope) << " rows on machine "
                                         << machine.name << ", some in use; choose smaller tiles";
    alloc.setRow(row);
    ring.hold(row, rows, lastUse.lookup(alloc));
  }
  return mlir::success();
}

} // namespace daedalus::dae
