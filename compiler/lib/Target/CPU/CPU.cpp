// The backend's steps in order: a kernel to loops, all kernels to an object.

#include "daedalus/Target/CPU/CPU.h"

#include "MicroKernels/AmxCode.h"
#include "MicroKernels/MicroKernels.h"
#include "MicroKernels/VectorLoops.h"
#include "Passes.h"
#include "Schedule/Schedule.h"
#include "Transforms/Tasks.h"

#include "daedalus/Codegen/Codegen.h"

#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/TilingInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/AMX/AMXToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

/// What is left of linalg in a kernel, to code for the processor.
LogicalResult lowerContractions(ModuleOp module, const Features &features) {
  module.getContext()
      ->loadDialect<amx::AMXDialect, LLVM::LLVMDialect, memref::MemRefDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  for (auto kernel : module.getOps<func::FuncOp>()) {
    daedalus::cpu::lowerContractions(kernel, features);
    if (features.emulatesAmx)
      emulateTiles(kernel);
    lowerToVectors(kernel, features);
    expandExtremes(kernel);
    if (!features.hasFma)
      expandFma(kernel);
    if (failed(lowerToLoops(kernel, [](Operation *) { return false; })))
      return failure();
  }
  return success();
}

} // namespace

void registerDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, amx::AMXDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, cf::ControlFlowDialect, CpuDialect, LLVM::LLVMDialect,
                  memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerTilingInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
  registerAMXDialectTranslation(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

FailureOr<LoweredKernel> lowerKernel(func::FuncOp kernel, ModuleOp module, const GivenSchedule &given,
                                     llvm::function_ref<LogicalResult(func::FuncOp)> clean) {
  func::FuncOp function = cloneDestinationPassing(kernel, module);
  codegen::expandApplyScale(function);
  codegen::expandLookup(function);
  generalizeContractions(function);
  if (dropUnitLoops(function) && failed(clean(function)))
    return failure();
  codegen::computeBeforeReshapes(function);
  codegen::fuseElementwise(function);
  requantizeInDoubles(function);
  codegen::expandRequantize(function);
  computeInDestination(function);
  padDepths(function);
  if (failed(codegen::expandHalves(function)) || failed(codegen::expandMath(function)))
    return failure();
  const FailureOr<std::optional<KernelSchedule>> schedule = tileAndFuse(function, given);
  if (failed(schedule))
    return failure();
  separatePools(function);
  codegen::expandPad(function);
  blockContractions(function);
  if (failed(clean(function)) || failed(bufferizeToLoops(function)))
    return failure();
  keepSharedLoops(function);
  SmallVector<Attribute> constants = takeConstants(function);
  if (failed(allocateScratch(function)))
    return failure();
  outlineLoops(function);
  returnStatus(function);
  return LoweredKernel{function, *schedule ? std::make_shared<KernelSchedule>(**schedule) : nullptr,
                       std::move(constants)};
}

std::unique_ptr<llvm::Module> toLlvm(ModuleOp module, const Level &level, llvm::LLVMContext &context) {
  if (failed(outlineTasks(module)) || failed(lowerContractions(module, featuresOf(level))) ||
      failed(lowerToLlvmDialect(module)))
    return nullptr;
  carryTilesAsVectors(module);
  return translateModuleToLLVMIR(module, context, "kernels");
}

FailureOr<std::string> printLlvm(ModuleOp module, const Level &level) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> code = toLlvm(module, level, context);
  if (!code)
    return failure();
  Result<std::unique_ptr<llvm::TargetMachine>> machine = machineOf(level);
  if (!machine)
    return emitError(module.getLoc()) << machine.error(), failure();
  optimize(*code, **machine);
  std::string text;
  llvm::raw_string_ostream stream(text);
  code->print(stream, nullptr);
  return text;
}

} // namespace daedalus::cpu
