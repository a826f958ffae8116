// Conditions that kernels were compiled for, and that inputs may break.

#include "Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace daedalus::cuda {

/// Where `op` stands: the word for its kind becomes 1, unless what it demands holds.
static void storeOutcome(cf::AssertOp op, Value status) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value yes = b.create<arith::ConstantOp>(loc, b.getBoolAttr(true));
  Value isBroken = b.create<arith::XOrIOp>(loc, op.getArg(), yes);
  auto broken = b.create<scf::IfOp>(loc, isBroken, /*withElseRegion=*/false);
  b.setInsertionPointToStart(broken.thenBlock());
  Value one = b.create<arith::ConstantOp>(loc, b.getI32IntegerAttr(1));
  Value word = b.create<arith::ConstantIndexOp>(loc, op.getMsg() == "indices" ? 1 : 0);
  b.create<memref::StoreOp>(loc, one, status, word);
}

void reportStatus(func::FuncOp kernel) {
  SmallVector<cf::AssertOp> asserts;
  kernel.walk([&](cf::AssertOp op) { asserts.push_back(op); });
  if (asserts.empty())
    return;
  OpBuilder b(kernel.getContext());
  const unsigned place = kernel.getNumArguments();
  kernel.insertArgument(place, MemRefType::get({2}, b.getI32Type()), b.getDictionaryAttr({}),
                        kernel.getLoc());
  kernel.setArgAttr(place, statusAttribute, b.getUnitAttr());
  for (cf::AssertOp op : asserts) {
    storeOutcome(op, kernel.getArgument(place));
    op.erase();
  }
}

} // namespace daedalus::cuda
