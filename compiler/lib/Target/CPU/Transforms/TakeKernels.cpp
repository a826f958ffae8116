// cpu-take-kernels.

#include "Passes.h"

#include "daedalus/Codegen/Codegen.h"
#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Target/CPU/Passes.h"
#include "daedalus/Target/CPU/ScheduleOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace daedalus::cpu {
#define GEN_PASS_DEF_CPUTAKEKERNELS
#include "daedalus/Target/CPU/Passes.h.inc"

namespace {

/// Of tensors, with one block and one result; not lowered yet.
bool isOfTensors(func::FuncOp kernel) {
  const auto isTensor = [](Type type) {
    return llvm::isa<RankedTensorType>(type) && cast<RankedTensorType>(type).hasStaticShape();
  };
  return !kernel.isExternal() && kernel.getBody().hasOneBlock() && kernel.getNumResults() == 1 &&
         llvm::all_of(kernel.getArgumentTypes(), isTensor) && isTensor(kernel.getResultTypes()[0]);
}

/// In the order of the steps; a kernel of several steps once.
llvm::SetVector<func::FuncOp> kernelsOfSteps(ModuleOp module) {
  const SymbolTable symbols(module);
  llvm::SetVector<func::FuncOp> all;
  for (auto function : module.getOps<func::FuncOp>())
    for (auto step : function.getOps<host::StepOp>())
      if (auto kernel = symbols.lookup<func::FuncOp>(step.getCallee());
          kernel && step.getTarget() == "cpu" && isOfTensors(kernel))
        all.insert(kernel);
  return all;
}

/// Where it was, for the steps that name it.
void leaveDeclaration(func::FuncOp kernel) {
  auto declaration =
      OpBuilder(kernel).create<func::FuncOp>(kernel.getLoc(), kernel.getName(), kernel.getFunctionType());
  declaration.setPrivate();
  kernel.erase();
}

struct TakeKernels : impl::CpuTakeKernelsBase<TakeKernels> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    const llvm::SetVector<func::FuncOp> kernels = kernelsOfSteps(module);
    if (kernels.empty()) {
      if (!host::hasStepsOf(module, "cpu")) // else they are lowered, and what was decided about them stays
        for (ScheduleOp schedule : llvm::make_early_inc_range(module.getOps<ScheduleOp>()))
          schedule.erase();
      return;
    }
    OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
    auto own = b.create<ModuleOp>(module.getLoc());
    for (ScheduleOp schedule : llvm::make_early_inc_range(module.getOps<ScheduleOp>()))
      schedule->moveBefore(own.getBody(), own.getBody()->begin());
    for (func::FuncOp kernel : kernels) {
      codegen::cloneDestinationPassing(kernel, own);
      leaveDeclaration(kernel);
    }
  }
};

} // namespace
} // namespace daedalus::cpu
