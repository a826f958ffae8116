// The same kernels in fewer forms: what a schedule has to know of.

#include "Kernel.h"

#include "llvm/ADT/STLExtras.h"

namespace daedalus::accelerator {

bool Parameters::isUniform() const {
  auto same = [](const auto &values) { return llvm::all_equal(values); };
  return same(bias) && same(multiplier) && same(shift);
}

bool Kernel::isUniform() const {
  return llvm::all_of(constants,
                      [](const StageConstant &c) { return c.isTable() || c.parameters.isUniform(); });
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
  return kernel;
}

void simplify(Kernel &kernel, bool isDense) {
  Window &w = kernel.window;
  kernel.dense = isDense && isPlain(kernel);
  if (!isPlain(kernel))
    return;
  const bool repeats = kernel.repeatH != 1 || kernel.repeatW != 1;
  if (!kernel.combiner && isDense && !repeats && kernel.isUniform()) {
    int64_t total = w.b * w.h * w.w * w.c;
    w = Window();
    w.c = w.oc = total;
    return;
  }
  bool whole = w.kh == w.h && w.kw == w.w && w.oh == 1 && w.ow == 1 && !w.pt && !w.pl;
  bool dense = (w.kh == 1 || w.dh == 1) && (w.kw == 1 || w.dw == 1);
  if (whole && dense)
    w.sh = w.sw = w.dh = w.dw = 1;
  if (whole && dense && isDense && kernel.isWeighted() && kernel.groups == 1) {
    w.c *= w.h * w.w;
    w.h = w.w = w.kh = w.kw = 1;
  } else if (whole && dense) {
    w.w = w.kw = w.h * w.w;
    w.h = w.kh = 1;
  }
  if (!repeats && w.kh == 1 && w.kw == 1 && w.sh == 1 && w.sw == 1 && !w.pt && !w.pl && w.oh == w.h &&
      w.ow == w.w) {
    w.w = w.ow = w.b * w.h * w.w;
    w.b = w.h = w.oh = 1;
  }
}

bool readsOwnChannels(const Kernel &kernel) {
  return !kernel.isWeighted() || kernel.blockDiagonal;
}

bool isPlain(const Kernel &kernel) {
  return llvm::none_of(kernel.layouts,
                       [](const std::optional<Layout> &layout) { return layout.has_value(); });
}

bool isWindowed(const Kernel &kernel, size_t input) {
  return kernel.combiner && input == 0;
}

void joinGroups(Kernel &kernel, int64_t n) {
  const Window &w = kernel.window;
  if (!kernel.isWeighted() || kernel.groups == 1)
    return;
  const int64_t in = w.c / kernel.groups, out = w.oc / kernel.groups, positions = w.kh * w.kw;
  kernel.blockDiagonal = in == out && n % in == 0;
  kernel.diagonal = in == 1 && out == 1;
  const int64_t lanes = kernel.blockDiagonal ? n : w.c;
  std::vector<int8_t> weights(w.oc * positions * lanes, 0);
  for (int64_t o = 0; o < w.oc; ++o)
    for (int64_t p = 0; p < positions; ++p)
      for (int64_t i = 0; i < in; ++i)
        weights[(o * positions + p) * lanes + (o / out * in + i) % lanes] =
            kernel.weights[(o * positions + p) * in + i];
  kernel.weights = std::move(weights);
  kernel.groups = 1;
}

} // namespace daedalus::accelerator
