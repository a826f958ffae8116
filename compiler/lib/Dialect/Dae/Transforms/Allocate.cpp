// Allocate: a ring for each scope, in program order.

#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"

#include "llvm/ADT/DenseMap.h"

namespace daedalus::dae {
namespace {

struct Buffer {
  AllocOp op;
  int64_t begin = 0, end = 0; ///< rows
  int64_t lastUse = 0;        ///< position in the block
};

isa::Scope isaScope(Scope scope) {
  return static_cast<isa::Scope>(static_cast<int>(scope));
}

/// One scratchpad: the next buffer goes behind the last one, past whatever is still in use.
class Ring {
public:
  Ring(isa::Scope scope, const isa::Machine &machine) {
    rows = machine.rows(scope);
    granule = scope == isa::Scope::Acc ? rows / machine.banks(scope) : 1;
  }

  /// The first row of `size` rows free at `position`, or -1.
  int64_t place(int64_t size, int64_t position) {
    size = (size + granule - 1) / granule * granule;
    llvm::erase_if(live, [&](const Buffer &b) { return b.lastUse < position; });
    for (int64_t start : {next, int64_t(0)}) {
      int64_t row = firstFit(start, size);
      if (row < 0)
        continue;
      next = row + size;
      return row;
    }
    return -1;
  }

  void hold(Buffer buffer) {
    buffer.end = buffer.begin + (buffer.end - buffer.begin + granule - 1) / granule * granule;
    live.push_back(buffer);
  }

private:
  int64_t firstFit(int64_t start, int64_t size) const {
    for (int64_t row = start; row + size <= rows;) {
      auto hit = llvm::find_if(live, [&](const Buffer &b) { return b.begin < row + size && row < b.end; });
      if (hit == live.end())
        return row;
      row = hit->end;
    }
    return -1;
  }

  int64_t rows = 0, granule = 1, next = 0;
  std::vector<Buffer> live;
};

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
    isa::Scope scope = isaScope(alloc.getScope());
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
    ring.hold({alloc, row, row + rows, lastUse.lookup(alloc)});
  }
  return mlir::success();
}

} // namespace daedalus::dae
