// The closed form that ranks schedules. It counts what each module has to do for all tiles (runs and beats of
// LOAD and STORE by the timing rules R11 to R20, products of GEMM, row cycles of VECTOR) and takes the
// largest, because the modules overlap. It only has to say which schedules are worth simulating
// (StreamModel.h).

#include "Schedule.h"

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

double loadCycles(double count, int64_t bytes, const isa::Machine &m) {
  return runCycles(count, bytes, m.readLatency, m.outstandingReads, m);
}

/// LOAD cycles of one input tile, with runs joined as blockize joins them.
double inputLoadCycles(const Kernel &k, const Schedule &s, const isa::Machine &m) {
  const Window &w = k.window;
  TileShape t = inputTile(k, s);
  if (s.fold == dae::Fold::Window)
    return loadCycles(double(s.oh) * s.ow * w.kh, w.kw * w.c, m);
  int64_t lanes = s.fold == dae::Fold::Width ? w.kw * w.c : std::min<int64_t>(w.c, t.blocks * m.n);
  bool joined = lanes == t.blocks * m.n && t.colStep * w.c == lanes;
  if (!joined)
    return loadCycles(double(t.rows) * t.cols, lanes, m);
  if (t.cols == w.w && t.rowStep == 1)
    return loadCycles(1, t.rows * t.cols * lanes, m);
  return loadCycles(t.rows, t.cols * lanes, m);
}

double storeCycles(const Kernel &k, const Schedule &s, const isa::Machine &m) {
  const Window &w = k.window;
  int64_t lanes = std::min<int64_t>(w.oc, s.oc * m.n);
  double runs = double(s.oh) * s.ow;
  if (lanes == w.oc && lanes % m.n == 0) {
    lanes *= s.ow == w.ow ? s.oh * s.ow : s.ow;
    runs = s.ow == w.ow ? 1 : s.oh;
  }
  return runCycles(runs, lanes, m.writeLatency, m.outstandingWrites, m);
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

  double input = inputLoadCycles(k, s, m) * k.inputs.size();
  double inputLoads = steps;
  if (!readsOwnChannels(k) && (tiles.reductions == 1 || inputsStay(k, s, m)) &&
      (s.order == dae::Order::Pixels || tiles.pixels == 1))
    inputLoads = tiles.pixels * tiles.reductions;
  double load = input * inputLoads, weight = 0, weightLoads = 0;
  if (adds(k)) // read as it is stored
    load += storeCycles(k, s, m) * outTiles;
  if (k.kind == KernelKind::Contraction) {
    weight = loadCycles(1, s.oc * s.kh * s.kw * s.ic * m.n * m.n, m);
    weightLoads = tiles.channels * tiles.reductions;
    bool once = weightsStay(k, s, m) || (tiles.reductions == 1 && s.order == dae::Order::Channels) ||
                tiles.channels * tiles.reductions == 1;
    weightLoads *= once ? 1 : tiles.pixels;
    load += weight * weightLoads;
  }
  double instructions =
      steps * (k.inputs.size() * (s.fold == dae::Fold::Window ? w.kh : 1) + 1) + 2 * outTiles;
  load += instructions * 64 / m.busBytes;

  double gemm = 0, vector = outRows + outTiles * (m.vectorLatency + 3);
  double compute = tileRows * s.kh * s.kw; ///< of one step
  double window = double(w.kh) * w.kw;
  if (k.kind == KernelKind::Contraction) {
    compute *= s.ic;
    double share = double(int64_t(outTiles) * s.vector / 16) / outTiles; ///< of VECTOR
    double products = outRows * r.kh * r.kw * r.blocks;
    gemm = (1 - share) * (products + steps * (m.gemmLatency + 3));
    vector += share * (products + steps * (m.vectorLatency + 3));
    if (k.epilogue)
      vector += (adds(k) ? 3 : 1) * (outRows + outTiles * (m.vectorLatency + 3));
  } else if (k.kind == KernelKind::Move) {
    vector += outRows * (k.repeatH * k.repeatW - 1);
  } else if (k.kind != KernelKind::Requant && k.kind != KernelKind::Lookup) {
    vector += outRows * window *
                  (k.kind == KernelKind::Add   ? 2
                   : k.kind == KernelKind::Mul ? 4
                                               : 1) +
              steps * (m.vectorLatency + 3);
  }
  double store = storeCycles(k, s, m);
  double exposed =
      input + weight + std::min(compute, tileRows) + tileRows + store + m.readLatency + m.writeLatency;
  return std::max({load, gemm, vector, store * outTiles}) + exposed + 2 * instructions;
}

} // namespace daedalus::accelerator
