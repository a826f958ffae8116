// Small questions about kernels.

#include "Kernels/Kernel.h"
#include "Transforms/Transforms.h"

#include "llvm/ADT/STLExtras.h"

namespace daedalus::accelerator {

bool Parameters::isUniform() const {
  auto same = [](const auto &values) { return llvm::all_equal(values); };
  return same(bias) && same(multiplier) && same(shift);
}

bool Kernel::isUniform() const {
  return llvm::all_of(constants, [](const StageConstant &constant) { return constant.isUniform(); });
}

int32_t Combiner::neutral() const {
  return kind == dae::VectorKind::Add ? 0 : kind == dae::VectorKind::Max ? -128 : 127;
}

Kernel partOf(const Kernel &whole, size_t part) {
  Kernel kernel(whole.loc);
  kernel.window = whole.window;
  kernel.window.c = kernel.window.oc = whole.parts[part];
  kernel.inputs = {whole.inputs[part]};
  kernel.layouts = {std::nullopt};
  kernel.tail = whole.tail;
  kernel.stages = whole.stages;
  flatten(kernel, false);
  return kernel;
}

Kernel Kernel::ofSums(int64_t n) const {
  Kernel sums = *this;
  sums.window.oc = n;
  sums.weights.assign(n * window.kh * window.kw * window.c, 1);
  return sums;
}

bool readsOwnChannels(const Kernel &kernel) {
  return !kernel.isWeighted() || kernel.blockDiagonal;
}

bool isPlain(const Kernel &kernel) {
  return llvm::none_of(kernel.layouts,
                       [](const std::optional<Layout> &layout) { return layout.has_value(); });
}

bool isRow(const std::optional<Layout> &layout) {
  return layout && layout->channel == 1 && layout->column == 0 && layout->row == 0;
}

bool isRow(const Kernel &kernel, size_t input) {
  return kernel.readsRows && !isWindowed(kernel, input) && !isWeights(kernel, input) &&
         isRow(kernel.layouts[input]);
}

bool isWindowed(const Kernel &kernel, size_t input) {
  return kernel.combiner && input == 0;
}

bool isWeights(const Kernel &kernel, size_t input) {
  return kernel.weightsInput && input == 1;
}

ImageShape imageShape(const Kernel &kernel, size_t input) {
  const Window &w = kernel.window;
  if (isWeights(kernel, input))
    return {w.h, w.oc, w.c};
  return isWindowed(kernel, input) ? ImageShape{w.h, w.w, w.c} : ImageShape{w.oh, w.ow, w.oc};
}

} // namespace daedalus::accelerator
