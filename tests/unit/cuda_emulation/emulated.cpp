#include "emulated.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace daedalus::cuda {

Emulated::Emulated(const std::string &body) {
  MLIRContext context; // the emulator outlives it
  context.loadDialect<gpu::GPUDialect, LLVM::LLVMDialect, NVVM::NVVMDialect>();
  const std::string text =
      "module attributes {gpu.container_module} { gpu.module @kernels {\n" + body + "\n} }";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module) {
    ADD_FAILURE() << "the module's text has an error";
    return;
  }
  Result<std::unique_ptr<Emulator>> made = Emulator::create(*module->getOps<gpu::GPUModuleOp>().begin());
  if (made)
    emulator = std::move(*made);
  else
    why = made.error();
}

EmulationCounts Emulated::run(const EmulatedLaunch &launch) {
  if (!emulator) {
    ADD_FAILURE() << why;
    return {};
  }
  const Result<EmulationCounts> counts = emulator->run(launch);
  EXPECT_TRUE(counts) << counts.error();
  return counts ? *counts : EmulationCounts();
}

std::string Emulated::fault(const EmulatedLaunch &launch) {
  if (!emulator)
    return "not known: " + why;
  const Result<EmulationCounts> counts = emulator->run(launch);
  return counts ? "no fault" : counts.error();
}

} // namespace daedalus::cuda
