// What a schedule means for the buffers of its tiles, and whether they fit.

#include "Schedule/Schedule.h"
#include "Transforms/Transforms.h"
#include "daedalus/Target/Accelerator/Accelerator.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

namespace daedalus::accelerator {
namespace {

using llvm::divideCeil;

/// Rows of PARAM that a tile reads: constants of stages, lane weights of VECTOR.
int64_t parameterRows(const Kernel &kernel, const Schedule &s) {
  int64_t rows = s.vector ? divideCeil(s.oc * s.kh * s.kw, 16) : 0;
  for (const StageConstant &constant : kernel.constants)
    if (!constant.isTable())
      rows += constant.isUniform() ? 1 : divideCeil(s.oc * constant.elementBytes(), 16);
  return rows + rowInputs(kernel) * divideCeil(s.oc, 16);
}

/// Rows of ACC, of whole banks, of a tile with its sums of inputs; and of the next one's products, which GEMM
/// begins while VECTOR still reads these, where there are banks for both.
int64_t rowsWithSums(const Kernel &kernel, const Schedule &s, int64_t accumulators,
                     const isa::Machine &machine) {
  const int64_t banks = machine.banks(isa::Scope::Acc), bank = machine.rows(isa::Scope::Acc) / banks;
  const int64_t sums = kernel.sumsData + kernel.sumsWeights;
  const int64_t products = llvm::alignTo(s.oh * s.ow * s.oc, bank);
  const int64_t rows = (kernel.sumsData ? llvm::alignTo(s.oh * s.ow, bank) : 0) +
                       (kernel.sumsWeights ? llvm::alignTo(s.oc, bank) : 0) + accumulators * products;
  return rows + (banks >= sums + accumulators + 1 ? products : 0);
}

} // namespace

int64_t blocksOf(int64_t channels, int64_t n) {
  return divideCeil(channels, n);
}

size_t rowInputs(const Kernel &kernel) {
  size_t count = 0;
  for (size_t input = 0; input < kernel.inputs.size(); ++input)
    count += isRow(kernel, input);
  return count;
}

size_t pointwiseInputs(const Kernel &kernel) {
  return kernel.inputs.size() - (kernel.combiner ? 1 : 0) - rowInputs(kernel) - kernel.weightsInput;
}

TileCounts tileCounts(const Kernel &k, const Schedule &s, const isa::Machine &m) {
  Reduction r = reductionOf(k, s.fold, m.n);
  TileCounts c;
  c.pixels = double(k.window.b) * divideCeil(k.window.oh, s.oh) * divideCeil(k.window.ow, s.ow);
  c.channels = divideCeil(blocksOf(k.window.oc, m.n), s.oc);
  c.reductions = double(divideCeil(r.kh, s.kh)) * divideCeil(r.kw, s.kw);
  if (k.isWeighted())
    c.reductions *= divideCeil(r.blocks, s.ic);
  return c;
}

Span1D inputSpan(int64_t out, int64_t s, int64_t k, int64_t d) {
  int64_t step = std::gcd(out > 1 ? s : 0, k > 1 ? d : 0);
  step = std::max<int64_t>(step, 1);
  return {((out - 1) * s + (k - 1) * d) / step + 1, step};
}

TileShape inputTile(const Kernel &kernel, const Schedule &tile) {
  const Window &w = kernel.window;
  int64_t blocks = readsOwnChannels(kernel) ? tile.oc : tile.ic;
  if (tile.slide)
    return slideTile(kernel, tile);
  Span1D rows = inputSpan(tile.oh, w.sh, tile.kh, w.dh), cols = inputSpan(tile.ow, w.sw, tile.kw, w.dw);
  if (tile.fold != dae::Fold::None)
    cols = {tile.ow, w.sw};
  if (tile.fold == dae::Fold::Window)
    rows = {tile.oh, w.sh};
  return {rows.count, rows.step, cols.count, cols.step, blocks, cols.count * blocks};
}

int64_t weightTiles(const Kernel &kernel, const Schedule &s) {
  if (!s.slide)
    return s.kh * s.kw * s.ic;
  const std::optional<Slide> slide = slideOf(kernel, s);
  return slide ? slide->passes() : 0;
}

Halves::Halves(const isa::Machine &machine) {
  inp = machine.rows(isa::Scope::Inp) / 2;
  wgt = machine.rows(isa::Scope::Wgt) / 2;
  acc = machine.rows(isa::Scope::Acc) / 2;
  param = machine.rows(isa::Scope::Param) / 2;
  out = machine.rows(isa::Scope::Out) / 2;
}

bool isByChannels(const Kernel &kernel, const Schedule &s) {
  const Window &w = kernel.window;
  const bool isWhole = w.b == 1 && s.oh == w.oh && s.ow == w.ow;
  return s.order == dae::Order::Channels || isWhole;
}

int64_t sumTiles(const Kernel &kernel, const Schedule &s) {
  if (!kernel.sumsData)
    return 0;
  return kernel.weightsInput ? 1 : weightTiles(kernel, s);
}

bool weightsStay(const Kernel &kernel, const Schedule &schedule, const isa::Machine &machine) {
  const Reduction r = reductionOf(kernel, schedule.fold, machine.n);
  Schedule whole = schedule;
  whole.oc = blocksOf(kernel.window.oc, machine.n), whole.kh = r.kh, whole.kw = r.kw, whole.ic = r.blocks;
  return whole.oc * weightTiles(kernel, whole) + sumTiles(kernel, whole) + excessTileCount(kernel, whole) <=
         Halves(machine).wgt;
}

bool inputsStay(const Kernel &kernel, const Schedule &schedule, const isa::Machine &machine) {
  TileShape t = inputTile(kernel, schedule);
  TileCounts counts = tileCounts(kernel, schedule, machine);
  return t.size() * counts.reductions <= Halves(machine).inp;
}

bool parametersStay(const Kernel &kernel, const isa::Machine &machine) {
  Schedule whole;
  whole.oc = blocksOf(kernel.window.oc, machine.n);
  return parameterRows(kernel, whole) <= Halves(machine).param;
}

Result<void> fits(const Kernel &kernel, const Schedule &s, const isa::Machine &machine) {
  std::string reason;
  Halves half(machine);
  const Window &w = kernel.window;
  if (Result<void> good = slideFits(kernel, s, machine); !good)
    return good;
  TileShape t = inputTile(kernel, s);
  auto check = [&](const char *what, int64_t size, int64_t most, const char *unit) {
    if (size > most && reason.empty())
      reason = (llvm::Twine("a tile needs ") + llvm::Twine(size) + " " + unit + " of " + what + ", machine " +
                machine.name + " has " + llvm::Twine(most) + " for it")
                   .str();
    return size <= most;
  };
  const int64_t outRows = s.oh * s.ow * s.oc, windowRows = kernel.combiner ? t.size() : 0;
  if (kernel.weightsInput && s.oh != 1)
    return error("its schedule has " + std::to_string(s.oh) +
                 " images of oh in a tile, whose weights differ");
  if (!kernel.excess.empty() && s.vector && s.slide)
    return error("its schedule has " + std::to_string(s.vector) +
                 " of 16 tiles on VECTOR, whose weights leave int8, and a window that slides");
  const int64_t ofWeights = kernel.isWeighted() ? s.oc * weightTiles(kernel, s) : 0;
  const int64_t whole = std::max<int64_t>(kernel.temporaries - kernel.sumsData - kernel.sumsWeights, 1);
  const bool good =
      check("INP", windowRows + kernel.sumsWeights + pointwiseInputs(kernel) * outRows, half.inp, "rows") &&
      check("ACC", whole * outRows + kernel.rowTemporaries * s.oc, half.acc, "rows") &&
      (!(kernel.sumsData || kernel.sumsWeights) ||
       check("ACC", rowsWithSums(kernel, s, whole, machine), machine.rows(isa::Scope::Acc), "rows")) &&
      check("OUT", outRows * kernel.repeatH * kernel.repeatW * kernel.resultBytes(), half.out, "rows") &&
      check("PARAM", parameterRows(kernel, s), half.param, "rows") &&
      check("WGT",
            ofWeights + sumTiles(kernel, s) +
                std::min(excessTileCount(kernel, s), Excess::Layers * ofWeights),
            half.wgt, "tiles") &&
      check("a LOAD's run",
            std::min<int64_t>(t.blocks * machine.n, reductionOf(kernel, s.fold, machine.n).lanes), 65535,
            "bytes") &&
      check("a STORE's run", std::min<int64_t>(s.oc * machine.n, w.oc) * kernel.resultBytes(), 65535,
            "bytes");
  return good ? foldFits(kernel, s, machine.n) : error(reason);
}

Result<void> fitStream(double instructions) {
  if (instructions <= MostInstructions)
    return {};
  return error("would take about " + std::to_string(static_cast<uint64_t>(instructions)) +
               " instructions; a stream has at most " + std::to_string(MostInstructions));
}

} // namespace daedalus::accelerator
