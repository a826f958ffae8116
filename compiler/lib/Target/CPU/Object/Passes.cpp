// Lowered kernels to the LLVM dialect, as passes.

#include "Passes.h"
#include "MicroKernels/AmxCode.h"
#include "MicroKernels/MicroKernels.h"
#include "MicroKernels/VectorLoops.h"
#include "Transforms/Tasks.h"

#include "daedalus/Codegen/Codegen.h"
#include "daedalus/Target/CPU/Passes.h"
#include "daedalus/Target/CPU/ScheduleOps.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace daedalus::cpu {
#define GEN_PASS_DEF_CPUADDENTRIES
#define GEN_PASS_DEF_CPUCARRYTILES
#define GEN_PASS_DEF_CPUCONVERTNARROW
#define GEN_PASS_DEF_CPUEMULATETILES
#define GEN_PASS_DEF_CPUEXPANDFLOATS
#define GEN_PASS_DEF_CPULOWERCONTRACTIONS
#define GEN_PASS_DEF_CPULOWERTOLOOPS
#define GEN_PASS_DEF_CPULOWERTOVECTORS
#define GEN_PASS_DEF_CPUMOVEHALVES
#define GEN_PASS_DEF_CPUOUTLINETASKS
#include "daedalus/Target/CPU/Passes.h.inc"

namespace {

struct OutlineTasks : impl::CpuOutlineTasksBase<OutlineTasks> {
  void runOnOperation() override {
    if (failed(outlineTasks(getOperation())))
      signalPassFailure();
  }
};

/// What a pass does to each function of a module, by what code at its level may use; fails where there is no
/// such level, and the error lists those that there are.
LogicalResult onFunctions(ModuleOp module, StringRef level,
                          llvm::function_ref<void(func::FuncOp, const Features &)> work) {
  const Level *firmware = findFirmwareLevel(level.str());
  if (findLevel(level.str()))
    firmware = nullptr; // of the host, where both have the name
  const Result<std::vector<Level>> levels =
      firmware ? Result<std::vector<Level>>({*firmware}) : parseLevels(level.str());
  if (!levels)
    return module.emitError(levels.error());
  for (auto function : module.getOps<func::FuncOp>())
    work(function, featuresOf(levels->front()));
  return success();
}

struct LowerContractions : impl::CpuLowerContractionsBase<LowerContractions> {
  using CpuLowerContractionsBase::CpuLowerContractionsBase;

  void runOnOperation() override {
    const auto lower = [](func::FuncOp function, const Features &features) {
      lowerContractions(function, features);
      for (BlocksOp given : llvm::make_early_inc_range(function.getOps<BlocksOp>()))
        given.erase();
    };
    if (failed(onFunctions(getOperation(), level, lower)))
      signalPassFailure();
  }
};

struct EmulateTiles : impl::CpuEmulateTilesBase<EmulateTiles> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      emulateTiles(function);
  }
};

struct LowerToVectors : impl::CpuLowerToVectorsBase<LowerToVectors> {
  using CpuLowerToVectorsBase::CpuLowerToVectorsBase;

  void runOnOperation() override {
    if (failed(onFunctions(getOperation(), level, lowerToVectors)))
      signalPassFailure();
  }
};

struct ExpandFloats : impl::CpuExpandFloatsBase<ExpandFloats> {
  using CpuExpandFloatsBase::CpuExpandFloatsBase;

  void runOnOperation() override {
    const auto expand = [](func::FuncOp function, const Features &features) {
      if (!features.hasVectors())
        expandReductionsOfExtremes(function);
      expandExtremes(function);
      if (!features.hasFma)
        expandFma(function);
    };
    if (failed(onFunctions(getOperation(), level, expand)))
      signalPassFailure();
  }
};

struct LowerToLoops : impl::CpuLowerToLoopsBase<LowerToLoops> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(lowerToLoops(function, [](Operation *) { return false; })))
        return signalPassFailure();
  }
};

struct MoveHalves : impl::CpuMoveHalvesBase<MoveHalves> {
  void runOnOperation() override { codegen::moveHalvesAsIntegers(getOperation()); }
};

struct ConvertNarrow : impl::CpuConvertNarrowBase<ConvertNarrow> {
  void runOnOperation() override {
    if (failed(convertNarrow(getOperation())))
      signalPassFailure();
  }
};

struct AddEntries : impl::CpuAddEntriesBase<AddEntries> {
  void runOnOperation() override { addEntries(getOperation()); }
};

struct CarryTiles : impl::CpuCarryTilesBase<CarryTiles> {
  void runOnOperation() override { carryTilesAsVectors(getOperation()); }
};

/// `narrow`: pointers have 32 bits.
void addConversions(OpPassManager &passes, bool narrow) {
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createConvertSCFToCFPass());
  if (narrow) {
    passes.addPass(createCpuConvertNarrow());
    passes.addPass(createReconcileUnrealizedCastsPass());
    return;
  }
  ConvertVectorToLLVMPassOptions vectors;
  vectors.amx = true;
  passes.addPass(createConvertVectorToLLVMPass(vectors));
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  ConvertFuncToLLVMPassOptions options;
  options.useBarePtrCallConv = true;
  passes.addPass(createConvertFuncToLLVMPass(options));
  passes.addPass(createReconcileUnrealizedCastsPass());
}

} // namespace

void addToLlvmDialect(OpPassManager &passes, const Level &level) {
  passes.addPass(createCpuOutlineTasks());
  passes.addPass(createCpuLowerContractions({level.name}));
  if (featuresOf(level).emulatesAmx)
    passes.addPass(createCpuEmulateTiles());
  passes.addPass(createCpuLowerToVectors({level.name}));
  passes.addPass(createCpuExpandFloats({level.name}));
  passes.addPass(createCpuLowerToLoops());
  passes.addPass(createCpuMoveHalves());
  addConversions(passes, !level.triple.empty() && llvm::Triple(level.triple).isArch32Bit());
  passes.addPass(createCpuAddEntries());
  passes.addPass(createCpuCarryTiles());
}

} // namespace daedalus::cpu
