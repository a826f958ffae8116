// The backend's steps in order.

#include "daedalus/Target/CPU/CPU.h"

#include "Passes.h"

#include "daedalus/Target/TensorTypes.h"

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
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

using package::KernelArgument;

struct Optimized {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  HostTarget target;
  std::vector<uint64_t> scratchBytes;
  std::vector<package::Kernel> kernels;
};

LogicalResult fail(MLIRContext *context, llvm::Error error) {
  return emitError(UnknownLoc::get(context)) << llvm::toString(std::move(error));
}

/// What the code of `buffers` relies on: the inputs of `kernel`, its result, and what allocateScratch added.
/// Loads and stores are aligned to elements, allocations to scratchAlignment.
package::Kernel signatureOf(func::FuncOp kernel, func::FuncOp buffers) {
  package::Kernel result{kernel.getName().str(), {}};
  const unsigned inputs = kernel.getNumArguments(), values = inputs + kernel.getNumResults();
  for (unsigned i = 0; i < buffers.getNumArguments(); ++i) {
    // A tensor without elements is a buffer of one byte that nobody touches.
    const Type type = i < inputs   ? kernel.getArgumentTypes()[i]
                      : i < values ? kernel.getResultTypes()[i - inputs]
                                   : buffers.getArgumentTypes()[i];
    KernelArgument argument;
    argument.access = i < inputs ? KernelArgument::Access::Read : KernelArgument::Access::Write;
    argument.type = tensorType(type);
    argument.alignment = i < values ? package::byteSize(argument.type.dtype) : scratchAlignment;
    result.arguments.push_back(std::move(argument));
  }
  return result;
}

LogicalResult lowerKernel(func::FuncOp kernel, ModuleOp module, Optimized &result) {
  func::FuncOp function = cloneDestinationPassing(kernel, module);
  expandRequantize(function);
  expandApplyScale(function);
  expandLookup(function);
  expandPad(function);
  if (failed(expandMath(function)) || failed(tileAndFuse(function)))
    return failure();
  PassManager clean(kernel.getContext(), func::FuncOp::getOperationName());
  clean.addPass(createCanonicalizerPass());
  clean.addPass(createCSEPass());
  if (failed(clean.run(function)) || failed(bufferizeToLoops(function)))
    return failure();
  result.scratchBytes.push_back(allocateScratch(function));
  outlineLoops(function);
  result.kernels.push_back(signatureOf(kernel, function));
  returnStatus(function);
  return success();
}

LogicalResult optimizeKernels(ArrayRef<func::FuncOp> kernels, Optimized &result) {
  MLIRContext *context = kernels.front()->getContext();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  for (func::FuncOp kernel : kernels)
    if (failed(lowerKernel(kernel, *module, result)))
      return failure();
  if (failed(lowerToLlvmDialect(*module)))
    return failure();
  llvm::Expected<HostTarget> target = hostTarget();
  if (!target)
    return fail(context, target.takeError());
  result.target = std::move(*target);
  result.module = translateModuleToLLVMIR(*module, result.context, "kernels");
  if (!result.module)
    return failure();
  optimize(*result.module, *result.target.machine);
  return success();
}

} // namespace

void registerDialects(MLIRContext &context) {
  DialectRegistry registry;
  registry.insert<affine::AffineDialect, arith::ArithDialect, bufferization::BufferizationDialect,
                  cf::ControlFlowDialect, LLVM::LLVMDialect, memref::MemRefDialect, scf::SCFDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerTilingInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  context.appendDialectRegistry(registry);
  context.loadDialect<affine::AffineDialect, arith::ArithDialect, bufferization::BufferizationDialect,
                      cf::ControlFlowDialect, LLVM::LLVMDialect, memref::MemRefDialect, scf::SCFDialect>();
}

FailureOr<CompiledKernels> compileKernels(ArrayRef<func::FuncOp> kernels) {
  CompiledKernels result;
  if (kernels.empty())
    return result;
  MLIRContext *context = kernels.front()->getContext();
  Optimized optimized;
  if (failed(optimizeKernels(kernels, optimized)))
    return failure();
  llvm::Expected<std::vector<char>> object = emitObject(*optimized.module, *optimized.target.machine);
  if (!object)
    return fail(context, object.takeError());
  llvm::Expected<std::vector<uint8_t>> shared = linkShared(*object);
  if (!shared)
    return fail(context, shared.takeError());
  llvm::Expected<std::vector<uint64_t>> entries = addressesOf(optimized.kernels, *shared);
  if (!entries)
    return fail(context, entries.takeError());
  result.object = {
      optimized.target.triple, optimized.target.level, {}, std::move(*entries), std::move(*shared)};
  result.scratchBytes = optimized.scratchBytes;
  result.kernels = std::move(optimized.kernels);
  return result;
}

FailureOr<std::string> printLlvm(ArrayRef<func::FuncOp> kernels) {
  std::string text;
  Optimized optimized;
  if (kernels.empty())
    return text;
  if (failed(optimizeKernels(kernels, optimized)))
    return failure();
  llvm::raw_string_ostream stream(text);
  optimized.module->print(stream, nullptr);
  return text;
}

} // namespace daedalus::cpu
