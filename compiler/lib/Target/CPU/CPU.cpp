// What the backend registers, and its kernels as LLVM IR.

#include "daedalus/Target/CPU/CPU.h"

#include "Passes.h"

#include "daedalus/Target/CPU/Passes.h"
#include "daedalus/Target/CPU/ScheduleOps.h"

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

std::unique_ptr<llvm::Module> translate(ModuleOp module, llvm::LLVMContext &context) {
  return translateModuleToLLVMIR(module, context, "kernels");
}

void registerPasses() {
  registerCpuPasses();
  PassPipelineRegistration<>("cpu-lower-kernels", "Lower the kernels of the CPU's steps to loops on buffers",
                             [](OpPassManager &passes) { addLowerKernels(passes); });
}

FailureOr<std::string> printLlvm(ModuleOp module, const Level &level) {
  PassManager passes(module.getContext());
  addToLlvmDialect(passes, level);
  if (failed(passes.run(module)))
    return failure();
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> code = translate(module, context);
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
