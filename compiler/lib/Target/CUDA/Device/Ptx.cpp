// Functions in the NVVM dialect to PTX, by LLVM's code generator.

#include "daedalus/Target/CUDA/CUDA.h"

#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace daedalus::cuda {
namespace {

constexpr const char *triple = "nvptx64-nvidia-cuda";
constexpr const char *ptxVersion = "+ptx80"; ///< of CUDA 12.0, the oldest driver that runs packages

bool initialize() {
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  return true;
}

Result<std::unique_ptr<llvm::TargetMachine>> machineOf(const Architecture &architecture) {
  static const bool isReady = initialize();
  std::string why;
  const llvm::Target *target = isReady ? llvm::TargetRegistry::lookupTarget(triple, why) : nullptr;
  if (!target)
    return error("LLVM has no code generator for GPUs: " + why);
  llvm::TargetOptions options;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, architecture.name(), ptxVersion, options, llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  module.setTargetTriple(triple);
  module.setDataLayout(machine.createDataLayout());
  llvm::PassBuilder builder(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager calls;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(calls);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, calls, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

} // namespace

Result<std::string> ptxOf(gpu::GPUModuleOp module, const Architecture &architecture) {
  Result<std::unique_ptr<llvm::TargetMachine>> machine = machineOf(architecture);
  if (!machine)
    return error(machine.error());
  PassManager passesOfMlir(module.getContext(), gpu::GPUModuleOp::getOperationName());
  passesOfMlir.addPass(createConvertNVVMToLLVMPass()); // operations that are assembly
  if (failed(passesOfMlir.run(module)))
    return error("the functions for the GPU have operations that no assembly is known for");
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(module, context, deviceModule);
  if (!code)
    return error("the functions for the GPU cannot be translated to LLVM IR");
  optimize(*code, **machine);
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return error("LLVM's code generator for GPUs emits no PTX");
  passes.run(*code);
  return std::string(text.begin(), text.end());
}

} // namespace daedalus::cuda
