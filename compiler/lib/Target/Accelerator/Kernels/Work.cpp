// What a kernel needs of a machine at least.

#include "Bound/LeastReads.h"
#include "Transforms/Transforms.h"

#include "daedalus/Target/Accelerator/Accelerator.h"

#include "llvm/Support/MathExtras.h"

namespace daedalus::accelerator {
namespace {

/// Of weights that are an input: images that share theirs read them once.
int64_t bytesOf(const Layout &layout, const Window &w) {
  return (layout.image ? w.b : 1) * (layout.row ? w.h : 1) * w.oc * w.c;
}

} // namespace

Work workOf(mlir::func::FuncOp func, const isa::Machine &machine) {
  Work work;
  work.readBytes.assign(func.getNumArguments(), 0);
  const Result<Kernel> kernel = readKernel(func, machine.n);
  if (!kernel)
    return work;
  const Window &w = kernel->window;
  for (auto [index, input] : llvm::enumerate(kernel->inputs))
    if (isWeights(*kernel, index))
      work.readBytes[input] = bytesOf(*kernel->layouts[index], w);
    else
      work.readBytes[input] = w.b * positionsRead(w.h, w.oh, w.sh, w.pt, w.kh, w.dh) *
                              positionsRead(w.w, w.ow, w.sw, w.pl, w.kw, w.dw) *
                              (kernel->parts.empty() ? w.c : kernel->parts[index]);
  for (const StageConstant &constant : kernel->constants)
    work.constantBytes += constant.isTable() ? 0 : constant.elementBytes() * w.oc;
  if (!kernel->isWeighted())
    return work;
  work.constantBytes += kernel->weights.size(); // none of an input
  const int64_t in = w.c / kernel->groups, out = w.oc / kernel->groups;
  // Groups smaller than the array share its tiles.
  const int64_t blocks =
      kernel->groups > 1 && in == out && machine.n % in == 0
          ? llvm::divideCeil(w.oc, machine.n) * w.kh * w.kw
          : kernel->groups * llvm::divideCeil(w.kh * w.kw * in, machine.n) * llvm::divideCeil(out, machine.n);
  work.tileCycles = w.b * w.oh * w.ow * blocks;
  return work;
}

} // namespace daedalus::accelerator
