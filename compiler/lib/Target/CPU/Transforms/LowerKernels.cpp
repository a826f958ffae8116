// cpu-lower-kernels.

#include "Passes.h"
#include "Schedule/Schedule.h"

#include "daedalus/Dialect/Counting.h"
#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Target/CPU/CPU.h"
#include "daedalus/Target/CPU/Passes.h"

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
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace daedalus::cpu {
#define GEN_PASS_DEF_CPULOWERKERNELS
#include "daedalus/Target/CPU/Passes.h.inc"

namespace {

struct LowerKernels : impl::CpuLowerKernelsBase<LowerKernels>, CountingPass {
  using CpuLowerKernelsBase::CpuLowerKernelsBase;

  void runOnOperation() override {
    counts.clear();
    OpPassManager clean(func::FuncOp::getOperationName());
    clean.addPass(createCanonicalizerPass());
    clean.addPass(createCSEPass());
    const auto cleaning = [&](func::FuncOp function) { return runPipeline(clean, function); };
    const llvm::SetVector<func::FuncOp> kernels = kernelsOfSteps();
    if (kernels.empty() && host::hasStepsOf(getOperation(), "cpu"))
      return; // they are lowered, and what was decided about them stays
    const GivenSchedule given(getOperation());
    llvm::MapVector<Attribute, SmallVector<func::FuncOp>> functions; // by the blocks that are given for them
    SmallVector<std::pair<StringAttr, KernelSchedule>> schedules;
    llvm::DenseMap<StringAttr, ArrayAttr> constants;
    for (func::FuncOp kernel : kernels) {
      kernel->remove(); // the lowered one takes its name
      FailureOr<LoweredKernel> lowered = lowerKernel(kernel, getOperation(), given, cleaning);
      kernel->destroy();
      if (failed(lowered))
        return signalPassFailure();
      KernelSchedule *schedule = lowered->schedule.get();
      if (schedule)
        schedules.push_back({lowered->function.getSymNameAttr(), *schedule});
      functions[schedule && schedule->given ? schedule->given.getBlocksAttr() : nullptr].push_back(
          lowered->function);
      if (!lowered->constants.empty())
        constants[lowered->function.getSymNameAttr()] = ArrayAttr::get(&getContext(), lowered->constants);
    }
    llvm::DenseMap<StringAttr, StringAttr> sames;
    for (auto &[blocks, alike] : functions)
      for (auto [erased, same] : shareKernels(alike))
        sames[erased] = same;
    counts["kernels"] = kernels.size() - sames.size();
    callShared(constants, sames);
    recordSchedule(schedules, sames, getOperation());
  }

private:
  /// Gives each step the constants of its kernel, and the kernel that is the same.
  void callShared(const llvm::DenseMap<StringAttr, ArrayAttr> &constants,
                  const llvm::DenseMap<StringAttr, StringAttr> &sames) {
    getOperation().walk([&](host::StepOp step) {
      const StringAttr kernel = step.getCalleeAttr().getAttr();
      if (const auto found = constants.find(kernel); found != constants.end())
        step.setConstantsAttr(found->second);
      if (const auto found = sames.find(kernel); found != sames.end())
        step.setCalleeAttr(FlatSymbolRefAttr::get(found->second));
    });
  }

  /// In the order of the steps; a kernel of several steps once.
  llvm::SetVector<func::FuncOp> kernelsOfSteps() {
    const SymbolTable symbols(getOperation());
    llvm::SetVector<func::FuncOp> all;
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (auto step : function.getOps<host::StepOp>())
        if (auto kernel = symbols.lookup<func::FuncOp>(step.getCallee());
            kernel && step.getTarget() == "cpu" && isOfTensors(kernel))
          all.insert(kernel);
    return all;
  }

  /// Of tensors, with one block and one result; not lowered yet.
  static bool isOfTensors(func::FuncOp kernel) {
    const auto isTensor = [](Type type) {
      return llvm::isa<RankedTensorType>(type) && cast<RankedTensorType>(type).hasStaticShape();
    };
    return !kernel.isExternal() && kernel.getBody().hasOneBlock() && kernel.getNumResults() == 1 &&
           llvm::all_of(kernel.getArgumentTypes(), isTensor) && isTensor(kernel.getResultTypes()[0]);
  }
};

} // namespace
} // namespace daedalus::cpu
