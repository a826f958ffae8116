// The form of a kernel that schedules are for.

#include "Transforms/Transforms.h"

namespace daedalus::accelerator {

/// By so many tenths of the closed form, which does not know what neighbours hide; else the kernel stays as
/// it is.
static bool isCheaper(const Kernel &other, int tenths, const Kernel &kernel, const isa::Machine &machine) {
  const Result<RankedSchedules> ofOther = rankSchedules(other, machine),
                                ofOne = rankSchedules(kernel, machine);
  return ofOther && ofOne &&
         10 * estimateCycles(other, ofOther->front(), machine) <
             (10 - tenths) * estimateCycles(kernel, ofOne->front(), machine);
}

Result<Kernel> readSimplified(mlir::func::FuncOp func, const isa::Machine &machine, bool dense) {
  Result<Kernel> kernel = readKernel(func, machine.n);
  if (kernel && kernel->parts.empty()) {
    flatten(*kernel, dense);
    diagonalWeights(*kernel, machine.n);
    countExcess(*kernel, machine.n);
    if (std::optional<Kernel> sum = windowedSum(*kernel, machine);
        sum && isCheaper(*sum, 5, *kernel, machine))
      kernel = std::move(*sum);
    if (std::optional<Kernel> pair = pairedColumns(*kernel, machine.n);
        pair && isCheaper(*pair, 1, *kernel, machine)) {
      pair->isPaired = true;
      kernel = std::move(*pair);
    }
  }
  return kernel;
}

} // namespace daedalus::accelerator
