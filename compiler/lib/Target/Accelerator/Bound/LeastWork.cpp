// See LeastWork.h.

#include "Bound/LeastWork.h"

#include "Bound/LeastReads.h"
#include "Kernels/Stages.h"
#include "Lowering/Handover.h"
#include "Transforms/Transforms.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace daedalus::accelerator {
namespace {

using package::LeastWork;

/// How kernel positions may be folded, whatever the sizes of the tiles (foldFits).
std::vector<dae::Fold> foldsOf(const Kernel &kernel) {
  const bool folds = kernel.isWeighted() && !readsOwnChannels(kernel) && kernel.dense &&
                     (kernel.window.dw == 1 || kernel.window.kw == 1);
  return folds ? std::vector<dae::Fold>{dae::Fold::None, dae::Fold::Width, dae::Fold::Window}
               : std::vector<dae::Fold>{dae::Fold::None};
}

/// Of a kernel on a machine.
class Counter {
public:
  Counter(const Kernel &kernel, const isa::Machine &machine, InInp inInp)
      : kernel(kernel), machine(machine), inInp(inInp), w(kernel.window), pixels(w.b * w.oh * w.ow),
        blocks(blocksOf(w.oc, machine.n)) {}

  KernelWork run(dae::Fold fold) const {
    KernelWork work;
    addReduction(fold, work.own);
    for (size_t input = kernel.combiner ? 1 : 0; input < kernel.inputs.size(); ++input)
      (kernel.isFused && !isWeights(kernel, input) ? work.fused : work.own).read +=
          operandBeats(kernel, input, machine);
    for (const Stage &stage : kernel.stages)
      (stage.fused ? work.fused : work.own).vector += cyclesOf(stage);
    addConstants(work);
    if (!inInp.result)
      (kernel.isFused ? work.fused : work.own).write += resultBeats(kernel, machine);
    return work;
  }

private:
  void addReduction(dae::Fold fold, LeastWork &work) const {
    if (!kernel.combiner)
      return;
    if (!inInp.window || fold != dae::Fold::None)
      work.read += windowBeats(kernel, fold, machine);
    if (!kernel.isWeighted()) {
      work.vector += pixels * blocks * w.kh * w.kw;
      return;
    }
    const Reduction r = reductionOf(kernel, fold, machine.n);
    const uint64_t positions = r.kh * r.kw * r.blocks;
    const uint64_t products =
        kernel.diagonal ? blocks * leastOfBlock(positions) : pixels * blocks * positions;
    (kernel.diagonal ? work.either : work.gemm) += products;
    if (kernel.sumsData)
      work.gemm += pixels * positions;
    if (kernel.sumsWeights)
      work.gemm += blocks * r.blocks;
    work.gemm += leastOfExcess(fold, positions);
    if (!kernel.weightsInput)
      work.read += weightBeats(kernel, fold, machine);
  }

  uint64_t leastOfExcess(dae::Fold fold, uint64_t positions) const {
    const uint64_t products = pixels * kernel.excessCounts.tiles[size_t(fold)];
    return kernel.diagonal ? std::min(products, kernel.excessCounts.blocks * leastOfBlock(positions))
                           : products;
  }

  /// Cycles of products lane by lane of a block of channels: with diagonal tiles, or the window that takes
  /// the fewest, in tiles as wide as the result, which share the most columns.
  uint64_t leastOfBlock(uint64_t positions) const {
    uint64_t least = w.ow * positions;
    Schedule s;
    for (s.slide = 1; s.slide <= int64_t(machine.inpInterleave); ++s.slide)
      if (const std::optional<Slide> slide = slideOf(kernel, s))
        least = std::min<uint64_t>(least, slide->cycles(w.ow));
    return w.b * w.oh * least;
  }

  /// Each constant once, for the first stage that reads it.
  void addConstants(KernelWork &work) const {
    std::vector<bool> isCounted(kernel.constants.size(), false);
    for (const Stage &stage : kernel.stages)
      for (const Operand &operand : {stage.a, stage.b, stage.table})
        if (operand.is(Operand::Place::Constant) && !isCounted[operand.index]) {
          isCounted[operand.index] = true;
          (stage.fused ? work.fused : work.own).read +=
              constantBeats(kernel, kernel.constants[operand.index], machine);
        }
  }

  /// Rows that a stage writes, times the cycles of each (R27).
  uint64_t cyclesOf(const Stage &stage) const {
    uint64_t rows = pixels * blocks;
    if (stage.dst.isRow() || (kernel.sumsWeights && stage.dst.is(Operand::Place::Temporary) &&
                              stage.dst.index == kernel.weightSums()))
      rows = blocks;
    else if (kernel.sumsData && stage.dst.is(Operand::Place::Temporary) &&
             stage.dst.index == kernel.dataSums())
      rows = pixels;
    else if (stage.dst.is(Operand::Place::Output))
      rows *= kernel.repeatH * kernel.repeatW;
    return rows * cyclesPerRow(stage);
  }

  const Kernel &kernel;
  const isa::Machine &machine;
  const InInp inInp;
  const Window &w;
  const uint64_t pixels, blocks;
};

/// The least of all ways, module by module and as a whole.
LayerBound boundOf(const std::vector<KernelWork> &ways, LeastWork KernelWork::*part) {
  LayerBound bound{ways.front().*part, (ways.front().*part).cycles()};
  for (const KernelWork &way : ways) {
    bound.work = bound.work.least(way.*part);
    bound.cycles = std::min(bound.cycles, (way.*part).cycles());
  }
  return bound;
}

/// Of each call.
std::vector<InInp> handovers(llvm::ArrayRef<KernelCall> calls) {
  std::vector<InInp> found(calls.size());
  std::map<int64_t, size_t> makers; ///< by the tensor
  for (auto [number, call] : llvm::enumerate(calls)) {
    if (!call.inputs.empty())
      if (const auto maker = makers.find(call.inputs.front().root());
          maker != makers.end() && handoverWindows(calls[maker->second], call))
        found[maker->second].result = found[number].window = true;
    makers[call.output.root()] = number;
  }
  return found;
}

/// Calls of one layer may run at the same time.
void add(LayerBound &layer, const LayerBound &call) {
  layer.work += call.work;
  layer.cycles = std::max({layer.cycles, call.cycles, layer.work.cycles()});
}

} // namespace

std::vector<KernelWork> leastWorks(const Kernel &kernel, const isa::Machine &machine, InInp inInp) {
  const Counter counter(kernel, machine, inInp);
  std::vector<KernelWork> works;
  for (dae::Fold fold : foldsOf(kernel))
    works.push_back(counter.run(fold));
  return works;
}

std::map<uint32_t, LayerBound> layerBounds(llvm::ArrayRef<KernelCall> calls, const isa::Machine &machine) {
  std::map<uint32_t, LayerBound> layers;
  for (auto [call, inInp] : llvm::zip_equal(calls, handovers(calls))) {
    std::vector<KernelWork> ways = leastWorks(call.kernel, machine, inInp);
    if (call.apart)
      for (KernelWork &way : ways) {
        way.own.vector = std::min(way.own.vector, call.apart->own);
        way.fused.vector = std::min(way.fused.vector, call.apart->fused);
      }
    add(layers[call.layer], boundOf(ways, &KernelWork::own));
    if (call.kernel.isFused)
      add(layers[call.fusedLayer], boundOf(ways, &KernelWork::fused));
  }
  return layers;
}

} // namespace daedalus::accelerator
