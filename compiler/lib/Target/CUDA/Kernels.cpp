// See Kernels.h.

#include "Kernels.h"

#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Target/CUDA/Settings.h"

#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace daedalus::cuda {

SmallVector<func::FuncOp> kernelsOf(ModuleOp module) {
  const SymbolTable symbols(module);
  llvm::SetVector<func::FuncOp> kernels;
  module.walk([&](host::StepOp step) {
    if (step.getTarget() == Settings::target)
      kernels.insert(symbols.lookup<func::FuncOp>(step.getCallee()));
  });
  return llvm::to_vector(kernels);
}

} // namespace daedalus::cuda
