// fuse-calls: Conversion/FormKernels/FuseCalls as a pass.

#include "daedalus/Conversion/FormKernels/FuseCalls.h"
#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Pipelines/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace daedalus {
#define GEN_PASS_DEF_FUSECALLS
#include "daedalus/Pipelines/Passes.h.inc"

namespace {

using namespace mlir;

struct FuseCalls : impl::FuseCallsBase<FuseCalls> {
  using FuseCallsBase::FuseCallsBase;

  void runOnOperation() override {
    const bool isPlaced =
        llvm::any_of(getOperation().getOps<host::PlacementOp>(),
                     [](host::PlacementOp placement) { return !placement.getOps<host::PlaceOp>().empty(); });
    if (!isPlaced && getOperation().lookupSymbol<func::FuncOp>("main"))
      fuseCalls(getOperation());
  }
};

} // namespace
} // namespace daedalus
