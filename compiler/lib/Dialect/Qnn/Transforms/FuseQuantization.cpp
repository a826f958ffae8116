// qnn-fuse-quantization: the patterns of Fuse.h, until none applies.

#include "Functions.h"
#include "Fuse.h"
#include "Patterns.h"

#include "daedalus/Analysis/Locations.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Passes.h"
#include "daedalus/Kernels/Names.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace daedalus::qnn {
#define GEN_PASS_DEF_QNNFUSEQUANTIZATION
#include "daedalus/Dialect/Qnn/Transforms/Passes.h.inc"

namespace {

using namespace mlir;

/// The name of what reads a value: of the operation, or of the graph's output.
Location readerOf(OpOperand &use) {
  Operation *user = use.getOwner();
  auto main = dyn_cast<func::FuncOp>(user->getParentOp());
  if (!isa<func::ReturnOp>(user) || !main)
    return user->getLoc();
  auto name = main.getResultAttrOfType<StringAttr>(use.getOperandNumber(), kernel::valueName);
  return name ? Location(NameLoc::get(name)) : user->getLoc();
}

/// What is still dequantized is so where it is first read, and has the name of that.
void sinkDequantizations(func::FuncOp main) {
  const SmallVector<quant::DequantizeCastOp> casts(main.getOps<quant::DequantizeCastOp>());
  for (quant::DequantizeCastOp cast : casts) {
    OpOperand *first = nullptr;
    for (OpOperand &use : cast->getUses())
      if (!first || use.getOwner()->isBeforeInBlock(first->getOwner()))
        first = &use;
    if (!first)
      continue;
    cast->moveBefore(first->getOwner());
    cast->setLoc(withQuantization(readerOf(*first), cast->getLoc()));
  }
}

struct FuseQuantization : GraphPass<impl::QnnFuseQuantizationBase<FuseQuantization>> {
  LogicalResult runOnGraph(func::FuncOp main) override {
    RewritePatternSet patterns(&getContext());
    addFusedOperations(patterns, counts["fused"]);
    addBatchProducts(patterns, counts["fused"]);
    addCommuting(patterns, counts["commuted"]);
    addTables(patterns, counts["tables"]);
    addMoves(patterns, counts["moved"]);
    if (failed(applyPatterns(main, std::move(patterns))))
      return failure();
    RewritePatternSet sums(&getContext());
    addSums(sums, counts["sums"]);
    if (failed(applyPatterns(main, std::move(sums))))
      return failure();
    RewritePatternSet orders(&getContext());
    addReadingOrders(orders, counts["moved"]);
    if (failed(applyPatterns(main, std::move(orders))))
      return failure();
    eraseDead(main);
    sinkDequantizations(main);
    return success();
  }
};

} // namespace
} // namespace daedalus::qnn
