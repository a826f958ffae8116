// The backend's steps in order: a kernel to loops, all kernels to an object.

#include "daedalus/Target/CPU/CPU.h"

#include "MicroKernels.h"
#include "Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/TilingInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

struct Optimized {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  HostTarget target;
};

LogicalResult fail(MLIRContext *context, const std::string &why) {
  return emitError(UnknownLoc::get(context)) << why;
}

/// What is left of linalg in a kernel, to code for the processor.
LogicalResult lowerContractions(ModuleOp module, const Features &features) {
  module.getContext()
      ->loadDialect<LLVM::LLVMDialect, memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
  for (auto kernel : module.getOps<func::FuncOp>()) {
    daedalus::cpu::lowerContractions(kernel, features);
    if (failed(lowerToLoops(kernel, [](Operation *) { return false; })))
      return failure();
  }
  return success();
}

LogicalResult optimizeKernels(ModuleOp module, Optimized &result) {
  Result<HostTarget> target = hostTarget();
  if (!target)
    return fail(module.getContext(), target.error());
  result.target = std::move(*target);
  if (failed(lowerContractions(module, result.target.features)) || failed(lowerToLlvmDialect(module)))
    return failure();
  result.module = translateModuleToLLVMIR(module, result.context, "kernels");
  if (!result.module)
    return failure();
  optimize(*result.module, *result.target.machine);
  return success();
}

} // namespace

void registerDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect, bufferization::BufferizationDialect,
                  cf::ControlFlowDialect, LLVM::LLVMDialect, memref::MemRefDialect, scf::SCFDialect,
                  vector::VectorDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerTilingInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

FailureOr<LoweredKernel> lowerKernel(func::FuncOp kernel, ModuleOp module,
                                     llvm::function_ref<LogicalResult(func::FuncOp)> clean) {
  func::FuncOp function = cloneDestinationPassing(kernel, module);
  expandRequantize(function);
  expandApplyScale(function);
  expandLookup(function);
  generalizeContractions(function);
  if (failed(fuseElementwise(function)) || (dropUnitLoops(function) && failed(clean(function))))
    return failure();
  padDepths(function);
  expandPad(function);
  if (failed(expandHalves(function)) || failed(expandMath(function)) || failed(orderLoops(function)) ||
      failed(tileAndFuse(function)))
    return failure();
  blockContractions(function);
  if (failed(clean(function)) || failed(bufferizeToLoops(function)))
    return failure();
  SmallVector<Attribute> constants = takeConstants(function);
  allocateScratch(function);
  outlineLoops(function);
  returnStatus(function);
  return LoweredKernel{function, std::move(constants)};
}

FailureOr<package::ElfObject> compileKernels(ModuleOp module, const std::vector<std::string> &symbols) {
  MLIRContext *context = module.getContext();
  Optimized optimized;
  if (failed(optimizeKernels(module, optimized)))
    return failure();
  Result<std::vector<char>> object = emitObject(*optimized.module, *optimized.target.machine);
  if (!object)
    return fail(context, object.error());
  Result<std::vector<uint8_t>> shared = linkShared(*object);
  if (!shared)
    return fail(context, shared.error());
  Result<std::vector<uint64_t>> entries = addressesOf(symbols, *shared);
  if (!entries)
    return fail(context, entries.error());
  return package::ElfObject{optimized.target.triple, optimized.target.level, optimized.target.objectFeatures,
                            std::move(*entries), std::move(*shared)};
}

FailureOr<std::string> printLlvm(ModuleOp module) {
  std::string text;
  Optimized optimized;
  if (failed(optimizeKernels(module, optimized)))
    return failure();
  llvm::raw_string_ostream stream(text);
  optimized.module->print(stream, nullptr);
  return text;
}

} // namespace daedalus::cpu
