// What is done to kernels of tensors, as passes.

#include "Passes.h"
#include "Schedule/Schedule.h"
#include "Tasks.h"

#include "daedalus/Codegen/Passes.h"
#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Target/CPU/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace daedalus::cpu {
#define GEN_PASS_DEF_CPUALLOCATESCRATCH
#define GEN_PASS_DEF_CPUBLOCKCONTRACTIONS
#define GEN_PASS_DEF_CPUBUFFERIZE
#define GEN_PASS_DEF_CPUDROPUNITLOOPS
#define GEN_PASS_DEF_CPUGENERALIZECONTRACTIONS
#define GEN_PASS_DEF_CPUOUTLINELOOPS
#define GEN_PASS_DEF_CPUPADDEPTHS
#define GEN_PASS_DEF_CPUREQUANTIZEINDOUBLES
#define GEN_PASS_DEF_CPURETURNSTATUS
#define GEN_PASS_DEF_CPUSEPARATEPOOLS
#define GEN_PASS_DEF_CPUTAKECONSTANTS
#define GEN_PASS_DEF_CPUTILE
#include "daedalus/Target/CPU/Passes.h.inc"

namespace {

/// The kernels of a module, without the functions that they call.
SmallVector<func::FuncOp> kernelsOf(ModuleOp module) {
  return llvm::to_vector(
      llvm::make_filter_range(module.getOps<func::FuncOp>(), [](func::FuncOp f) { return f.isPublic(); }));
}

struct GeneralizeContractions : impl::CpuGeneralizeContractionsBase<GeneralizeContractions> {
  void runOnOperation() override { generalizeContractions(getOperation()); }
};

struct DropUnitLoops : impl::CpuDropUnitLoopsBase<DropUnitLoops> {
  void runOnOperation() override {
    if (!dropUnitLoops(getOperation()))
      return;
    OpPassManager clean(func::FuncOp::getOperationName()); // reshapes that cancel each other
    clean.addPass(createCanonicalizerPass());
    clean.addPass(createCSEPass());
    if (failed(runPipeline(clean, getOperation())))
      signalPassFailure();
  }
};

struct RequantizeInDoubles : impl::CpuRequantizeInDoublesBase<RequantizeInDoubles> {
  void runOnOperation() override { requantizeInDoubles(getOperation()); }
};

struct PadDepths : impl::CpuPadDepthsBase<PadDepths> {
  void runOnOperation() override { padDepths(getOperation()); }
};

struct TileKernels : impl::CpuTileBase<TileKernels> {
  void runOnOperation() override {
    const GivenSchedule given(getOperation());
    SmallVector<std::pair<StringAttr, KernelSchedule>> decided;
    for (func::FuncOp kernel : kernelsOf(getOperation())) {
      const FailureOr<std::optional<KernelSchedule>> schedule = tileAndFuse(kernel, given);
      if (failed(schedule))
        return signalPassFailure();
      if (*schedule)
        decided.push_back({kernel.getSymNameAttr(), **schedule});
    }
    recordSchedule(decided, getOperation());
  }
};

struct SeparatePools : impl::CpuSeparatePoolsBase<SeparatePools> {
  void runOnOperation() override { separatePools(getOperation()); }
};

struct BlockContractions : impl::CpuBlockContractionsBase<BlockContractions> {
  using CpuBlockContractionsBase::CpuBlockContractionsBase;

  void runOnOperation() override { blockContractions(getOperation(), dots); }
};

struct Bufferize : impl::CpuBufferizeBase<Bufferize> {
  using CpuBufferizeBase::CpuBufferizeBase;

  void runOnOperation() override {
    for (func::FuncOp kernel : kernelsOf(getOperation())) {
      if (failed(bufferizeToLoops(kernel)))
        return signalPassFailure();
      keepSharedLoops(kernel, threads);
    }
  }
};

struct TakeConstants : impl::CpuTakeConstantsBase<TakeConstants> {
  void runOnOperation() override {
    for (func::FuncOp kernel : kernelsOf(getOperation()))
      if (const SmallVector<Attribute> constants = takeConstants(kernel); !constants.empty())
        OpBuilder::atBlockBegin(&kernel.getBody().front())
            .create<ConstantsOp>(kernel.getLoc(), ArrayAttr::get(&getContext(), constants));
  }
};

struct AllocateScratch : impl::CpuAllocateScratchBase<AllocateScratch> {
  void runOnOperation() override {
    if (failed(allocateScratch(getOperation())))
      signalPassFailure();
  }
};

struct OutlineLoops : impl::CpuOutlineLoopsBase<OutlineLoops> {
  void runOnOperation() override {
    for (func::FuncOp kernel : kernelsOf(getOperation()))
      outlineLoops(kernel);
  }
};

struct ReturnStatus : impl::CpuReturnStatusBase<ReturnStatus> {
  void runOnOperation() override {
    for (func::FuncOp kernel : kernelsOf(getOperation()))
      returnStatus(kernel);
  }
};

/// On tensors, up to tiles.
void addTensorPasses(OpPassManager &kernels, const LowerOptions &options) {
  kernels.addPass(codegen::createCodegenExpandScales());
  kernels.addPass(createCpuGeneralizeContractions());
  kernels.addPass(createCpuDropUnitLoops());
  kernels.addPass(codegen::createCodegenComputeBeforeReshapes());
  kernels.addPass(codegen::createCodegenFuseElementwise());
  if (options.doubles)
    kernels.addPass(createCpuRequantizeInDoubles());
  kernels.addPass(codegen::createCodegenExpandRequantize());
  kernels.addPass(codegen::createCodegenComputeInDestination());
  if (options.dots)
    kernels.addPass(createCpuPadDepths());
  kernels.addPass(codegen::createCodegenExpandHalves());
  kernels.addPass(codegen::createCodegenExpandMath());
}

/// On the tensors of tiles.
void addTilePasses(OpPassManager &kernels, const LowerOptions &options) {
  kernels.addPass(createCpuSeparatePools());
  kernels.addPass(codegen::createCodegenExpandPads());
  kernels.addPass(createCpuBlockContractions({options.dots}));
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
}

} // namespace

LowerOptions lowerOptionsOf(const Features &features, bool isFirmware) {
  return {features.hasDoubles, features.isX86, !isFirmware};
}

void addLowerKernels(OpPassManager &passes, const LowerOptions &options) {
  passes.addPass(createCpuTakeKernels());
  OpPassManager &own = passes.nest<ModuleOp>();
  addTensorPasses(own.nest<func::FuncOp>(), options);
  own.addPass(createCpuTile());
  addTilePasses(own.nest<func::FuncOp>(), options);
  own.addPass(createCpuBufferize({options.threads}));
  own.addPass(createCpuTakeConstants());
  own.addNestedPass<func::FuncOp>(createCpuAllocateScratch());
  own.addPass(createCpuOutlineLoops());
  own.addPass(createCpuReturnStatus());
  passes.addPass(createCpuShareKernels());
}

} // namespace daedalus::cpu
