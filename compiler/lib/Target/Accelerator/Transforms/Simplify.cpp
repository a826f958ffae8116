// The form of a kernel that schedules are for.

#include "Transforms/Transforms.h"

namespace daedalus::accelerator {

Result<Kernel> readSimplified(mlir::func::FuncOp func, const isa::Machine &machine, bool dense) {
  Result<Kernel> kernel = readKernel(func);
  if (kernel && kernel->parts.empty()) {
    flatten(*kernel, dense);
    diagonalWeights(*kernel, machine.n);
  }
  return kernel;
}

} // namespace daedalus::accelerator
