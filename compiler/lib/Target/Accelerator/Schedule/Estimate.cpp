// The closed form that ranks schedules. It counts what each module has to do for all tiles (runs and beats of
// LOAD and STORE by the timing rules R11 to R20, products of GEMM, row cycles of VECTOR) and takes the
// largest, because the modules overlap. It only has to say which schedules are worth simulating
// (StreamModel.h).

#include "Kernels/Stages.h"
#include "Lowering/Transfers.h"
#include "Transforms/Transforms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace daedalus::accelerator {
namespace {

using llvm::divideCeil;

/// Cycles of `count` runs of `bytes` bytes on a bus with `outstanding` bursts: beats, or the memory's
/// latency.
double runCycles(double count, int64_t bytes, int64_t latency, int64_t outstanding, const isa::Machine &m) {
  int64_t burst = int64_t(m.maxBurstBeats) * m.busBytes;
  double beats = divideCeil(bytes, m.busBytes) + (bytes % m.busBytes ? 1 : 0);
  double bursts = divideCeil(bytes, burst) + (bytes > burst / 4 && bytes % burst ? 0.5 : 0);
  return count * std::max(beats, bursts * double(latency + 10) / outstanding);
}

/// The same, or as fast as the receive buffer lets bursts be open.
double loadCycles(double count, int64_t bytes, const isa::Machine &m) {
  const double beats = divideCeil(bytes, m.busBytes), burst = std::min<double>(beats, m.maxBurstBeats);
  return std::max(runCycles(count, bytes, m.readLatency, m.outstandingReads, m),
                  count * beats * (m.readLatency + 10 + burst) / m.receiveBeats);
}

/// The layout of the first input that is loaded tile by tile.
const std::optional<Layout> &layoutOf(const Kernel &k) {
  size_t input = 0;
  while (input + 1 < k.inputs.size() && isRow(k, input))
    ++input;
  return k.layouts[input];
}

/// LOAD cycles of one input tile, with runs joined as blockize joins them.
double inputLoadCycles(const Kernel &k, const Schedule &s, const isa::Machine &m) {
  const Window &w = k.window;
  TileShape t = inputTile(k, s);
  if (s.fold == dae::Fold::Window)
    return loadCycles(double(s.oh) * s.ow * w.kh, w.kw * w.c, m);
  if (const std::optional<Layout> &layout = layoutOf(k))
    return layout->channel == 1
               ? loadCycles(double(t.rows) * t.cols, std::min<int64_t>(w.c, t.blocks * m.n), m)
               : loadCycles(double(t.rows) * t.cols * std::min<int64_t>(w.c, t.blocks * m.n), 1, m);
  int64_t lanes = s.fold == dae::Fold::Width ? w.kw * w.c : std::min<int64_t>(w.c, t.blocks * m.n);
  bool joined = lanes == t.blocks * m.n && t.colStep * w.c == lanes;
  if (!joined)
    return loadCycles(double(t.rows) * t.cols, lanes, m);
  if (t.cols == w.w && t.rowStep == 1 && t.pitch == t.cols * t.blocks)
    return loadCycles(1, t.rows * t.cols * lanes, m);
  return loadCycles(t.rows, t.cols * lanes, m);
}

/// How often the tile of an input is loaded.
double inputLoads(const Kernel &k, const Schedule &s, const isa::Machine &m) {
  const TileCounts tiles = tileCounts(k, s, m);
  if (!readsOwnChannels(k) && (tiles.reductions == 1 || inputsStay(k, s, m)) &&
      (s.order == dae::Order::Pixels || tiles.pixels == 1))
    return tiles.pixels * tiles.reductions;
  return tiles.pixels * tiles.channels * tiles.reductions;
}

/// How often a contraction loads the weights of a step.
double weightLoads(const Kernel &k, const Schedule &s, const isa::Machine &m) {
  const TileCounts tiles = tileCounts(k, s, m);
  const double images = k.weightsInput ? double(k.window.b) * k.window.oh : 1; // with weights of their own
  const bool once = weightsStay(k, s, m) || (tiles.reductions == 1 && s.order == dae::Order::Channels) ||
                    tiles.channels * tiles.reductions == 1;
  return tiles.channels * tiles.reductions * (once ? images : tiles.pixels);
}

double storeCycles(const Kernel &k, const Schedule &s, const isa::Machine &m, int64_t bytes = 1) {
  const Window &w = k.window;
  int64_t lanes = std::min<int64_t>(w.oc, s.oc * m.n);
  double runs = double(s.oh) * s.ow;
  if (lanes == w.oc && lanes % m.n == 0) {
    lanes *= s.ow == w.ow ? s.oh * s.ow : s.ow;
    runs = s.ow == w.ow ? 1 : s.oh;
  }
  return runCycles(runs, lanes * bytes, m.writeLatency, m.outstandingWrites, m);
}

} // namespace

double estimateCycles(const Kernel &k, const Schedule &s, const isa::Machine &m) {
  const Window &w = k.window;
  TileCounts tiles = tileCounts(k, s, m);
  Reduction r = reductionOf(k, s.fold, m.n);
  double steps = tiles.pixels * tiles.channels * tiles.reductions;
  double outTiles = tiles.pixels * tiles.channels;
  double outRows = double(w.b) * w.oh * w.ow * blocksOf(w.oc, m.n);
  double tileRows = double(s.oh) * s.ow * s.oc;

  const size_t loaded = k.combiner ? 1 : pointwiseInputs(k); // as the window moves, or where there is none
  double input = inputLoadCycles(k, s, m) * loaded;
  double load = input * inputLoads(k, s, m), weight = 0;
  load += (k.inputs.size() - rowInputs(k) - k.weightsInput - loaded) * storeCycles(k, s, m) *
          outTiles; // as it is stored
  if (k.isWeighted()) {
    const int64_t rows = s.oc * weightTiles(k, s) * m.n;
    weight = k.weightsInput ? loadCycles(rows, m.n, m) : loadCycles(1, rows * m.n, m);
    load += weight * weightLoads(k, s, m);
  }
  double instructions = steps * (loaded * (s.fold == dae::Fold::Window ? w.kh : 1) + 1) + 2 * outTiles;
  load += instructions * 64 / m.busBytes;

  const double drain = m.vectorLatency + 3;
  double gemm = 0,
         vector = outRows * cyclesPerRow(k.stages.back()) * k.repeatH * k.repeatW + outTiles * drain;
  for (const Stage &stage : llvm::ArrayRef(k.stages).drop_back())
    vector += (stage.dst.isRow() ? outTiles * s.oc : outRows) * cyclesPerRow(stage) +
              (k.combiner ? outTiles * drain : 0);
  if (!k.combiner && k.stages.size() > 1)
    vector += outTiles * drain;            // of stages that follow each other
  double compute = tileRows * s.kh * s.kw; ///< of one step
  if (k.isWeighted()) {
    compute *= s.ic;
    double share = double(int64_t(outTiles) * s.vector / 16) / outTiles; ///< of VECTOR
    double products = outRows * r.kh * r.kw * r.blocks;
    const double lanes = products; // of VECTOR
    const std::optional<Slide> slide = s.slide ? slideOf(k, s) : std::nullopt;
    if (slide) {
      products = outRows / s.ow * slide->cycles(s.ow);
      compute = tileRows / s.ow * slide->cycles(s.ow);
    } else
      products += k.sumsData * outTiles * s.oh * s.ow * r.kh * r.kw * r.blocks +
                  k.sumsWeights * outTiles * s.oc * r.blocks;
    const double excess = tiles.pixels * excessProducts(k, s), ///< products, and the cycles of one
        ofOne = double(s.oh) * (slide ? slide->cycles(s.ow) : s.ow);
    gemm = excess * (ofOne + m.gemmLatency + 3) + (1 - share) * (products + steps * (m.gemmLatency + 3));
    vector += share * (lanes + steps * drain);
  } else if (k.combiner) {
    vector += outRows * w.kh * w.kw + steps * drain;
  }
  double store = storeCycles(k, s, m, k.resultBytes());
  double exposed =
      input + weight + std::min(compute, tileRows) + tileRows + store + m.readLatency + m.writeLatency;
  return std::max({load, gemm, vector, store * outTiles}) + exposed + 2 * instructions;
}

double estimateInstructions(const Kernel &k, const Schedule &s, const isa::Machine &m) {
  const TileCounts tiles = tileCounts(k, s, m);
  const double outTiles = tiles.pixels * tiles.channels, steps = outTiles * tiles.reductions;
  const size_t loaded = k.combiner ? 1 : pointwiseInputs(k);
  double loads = inputLoads(k, s, m) * loaded * (s.fold == dae::Fold::Window ? k.window.kh : 1);
  loads += (k.inputs.size() - rowInputs(k) - k.weightsInput - loaded) * outTiles + rowInputs(k) * outTiles;
  if (k.isWeighted()) {
    llvm::SmallVector<Transfer, 2> pieces; // one, or what runs of the largest size leave
    planLoads(0, s.oc * weightTiles(k, s) * m.n * m.n, m.n, pieces);
    loads += weightLoads(k, s, m) * (k.weightsInput ? 2 : pieces.size()); // or what whole tiles leave
  }
  for (const StageConstant &constant : k.constants)
    if (!constant.isUniform())
      loads += s.order == dae::Order::Pixels && tiles.channels > 1 ? outTiles : tiles.channels;
  if (const int64_t excess = excessProducts(k, s))
    loads += weightLoads(k, s, m) + tiles.pixels * excess;
  return loads + (k.combiner ? steps * (1 + k.sumsData + k.sumsWeights) : 0) +
         outTiles * (k.stages.size() + 1);
}

} // namespace daedalus::accelerator
