// The form of a kernel that schedules are for.

#include "Transforms/Transforms.h"

namespace daedalus::accelerator {

std::optional<Kernel> readSimplified(mlir::func::FuncOp func, const isa::Machine &machine,
                                     std::string &reason, bool dense) {
  std::optional<Kernel> kernel = readKernel(func, reason);
  if (kernel && kernel->parts.empty()) {
    flatten(*kernel, dense);
    diagonalWeights(*kernel, machine.n);
  }
  return kernel;
}

} // namespace daedalus::accelerator
