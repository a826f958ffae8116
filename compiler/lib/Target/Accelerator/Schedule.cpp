// The cost model. It counts what each module has to do for all tiles (runs and beats of LOAD and STORE by the
// timing rules R11 to R20, products of GEMM, row cycles of VECTOR) and takes the largest, because the modules
// overlap. Exact cycles are the simulator's business; this only has to rank tile sizes.

#include "Schedule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace daedalus::accelerator {
namespace {

using llvm::divideCeil;

bool isContraction(const Kernel &kernel) {
  return kernel.kind == KernelKind::Contraction;
}
int64_t blocksOf(int64_t channels, int64_t n) {
  return divideCeil(channels, n);
}

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

/// Distinct tile sizes that split `size` evenly, thinned to steps of an eighth.
std::vector<int64_t> tileSizes(int64_t size) {
  std::vector<int64_t> sizes{size};
  for (int64_t parts = 2; sizes.back() > 1; parts = std::max(parts + 1, parts * 17 / 16)) {
    int64_t next = divideCeil(size, std::min(parts, size));
    if (next < sizes.back() && (next * 8 <= sizes.back() * 7 || next <= 8))
      sizes.push_back(next);
  }
  return sizes;
}

/// Whether the epilogue reads a tile of another tensor.
bool adds(const Kernel &kernel) {
  return kernel.epilogue && kernel.epilogue->kind == KernelKind::Add;
}

/// Rows of PARAM that a tile reads: of requantization, of the epilogue's, lane weights of VECTOR.
int64_t parameterRows(const Kernel &kernel, const Schedule &s) {
  bool uniform = !kernel.requant || kernel.requant->isUniform();
  int64_t laneWeights = s.vector ? divideCeil(s.oc * s.kh * s.kw, 16) : 0;
  return (uniform ? 1 : s.oc) + (adds(kernel) ? 1 : 0) + laneWeights;
}

struct Counts {
  double pixels, channels, reductions; ///< tiles along each
};

Counts tileCounts(const Kernel &k, const Schedule &s, const isa::Machine &m) {
  Reduction r = reductionOf(k, s.fold, m.n);
  Counts c;
  c.pixels = double(k.window.b) * divideCeil(k.window.oh, s.oh) * divideCeil(k.window.ow, s.ow);
  c.channels = divideCeil(blocksOf(k.window.oc, m.n), s.oc);
  c.reductions = double(divideCeil(r.kh, s.kh)) * divideCeil(r.kw, s.kw);
  if (isContraction(k))
    c.reductions *= divideCeil(r.blocks, s.ic);
  return c;
}

} // namespace

Reduction reductionOf(const Kernel &kernel, dae::Fold fold, int64_t n) {
  const Window &w = kernel.window;
  Reduction r{w.kh, w.kw, kernel.blockDiagonal ? n : w.c, 0};
  if (fold != dae::Fold::None)
    r.lanes *= std::exchange(r.kw, 1);
  if (fold == dae::Fold::Window)
    r.lanes *= std::exchange(r.kh, 1);
  r.blocks = blocksOf(r.lanes, n);
  return r;
}

Span1D inputSpan(int64_t out, int64_t s, int64_t k, int64_t d) {
  int64_t step = std::gcd(out > 1 ? s : 0, k > 1 ? d : 0);
  step = std::max<int64_t>(step, 1);
  return {((out - 1) * s + (k - 1) * d) / step + 1, step};
}

TileShape inputTile(const Kernel &kernel, const Schedule &tile) {
  const Window &w = kernel.window;
  int64_t blocks = readsOwnChannels(kernel) ? tile.oc : tile.ic;
  Span1D rows = inputSpan(tile.oh, w.sh, tile.kh, w.dh), cols = inputSpan(tile.ow, w.sw, tile.kw, w.dw);
  if (tile.fold != dae::Fold::None)
    cols = {tile.ow, w.sw};
  if (tile.fold == dae::Fold::Window)
    rows = {tile.oh, w.sh};
  return {rows.count, rows.step, cols.count, cols.step, blocks};
}

Halves::Halves(const isa::Machine &machine) {
  inp = machine.rows(isa::Scope::Inp) / 2;
  wgt = machine.rows(isa::Scope::Wgt) / 2;
  acc = machine.rows(isa::Scope::Acc) / 2;
  param = machine.rows(isa::Scope::Param) / 2;
  out = machine.rows(isa::Scope::Out) / 2;
}

bool weightsStay(const Kernel &kernel, const Schedule &schedule, const isa::Machine &machine) {
  Reduction r = reductionOf(kernel, schedule.fold, machine.n);
  return blocksOf(kernel.window.oc, machine.n) * r.kh * r.kw * r.blocks <= Halves(machine).wgt;
}

bool inputsStay(const Kernel &kernel, const Schedule &schedule, const isa::Machine &machine) {
  TileShape t = inputTile(kernel, schedule);
  Counts counts = tileCounts(kernel, schedule, machine);
  return t.rows * t.cols * t.blocks * counts.reductions <= Halves(machine).inp;
}

/// Folded positions are one run in DRAM, and lanes that are not loaded whole have no place of their own.
static bool foldFits(const Kernel &kernel, const Schedule &s, int64_t n, std::string &reason) {
  if (s.fold == dae::Fold::None)
    return true;
  if (readsOwnChannels(kernel) || !kernel.dense || (kernel.window.dw != 1 && kernel.window.kw != 1)) {
    reason = "its schedule folds kernel positions that do not lie side by side";
    return false;
  }
  int64_t blocks = reductionOf(kernel, s.fold, n).blocks;
  if (s.ic == blocks)
    return true;
  reason = ("its schedule folds kernel positions and has ic = " + llvm::Twine(s.ic) + " where all " +
            llvm::Twine(blocks) + " blocks are needed")
               .str();
  return false;
}

bool fits(const Kernel &kernel, const Schedule &s, const isa::Machine &machine, std::string &reason) {
  Halves half(machine);
  const Window &w = kernel.window;
  TileShape t = inputTile(kernel, s);
  auto check = [&](const char *what, int64_t size, int64_t most, const char *unit) {
    if (size > most && reason.empty())
      reason = (llvm::Twine("a tile needs ") + llvm::Twine(size) + " " + unit + " of " + what + ", machine " +
                machine.name + " has " + llvm::Twine(most) + " for it")
                   .str();
    return size <= most;
  };
  int64_t inputs = kernel.inputs.size();
  int64_t pixels = s.oh * s.ow, outRows = pixels * s.oc, residual = adds(kernel) ? outRows : 0;
  return check("INP", inputs * t.rows * t.cols * t.blocks + residual, half.inp, "rows") &&
         check("ACC", outRows, half.acc, "rows") &&
         check("OUT", outRows * kernel.repeatH * kernel.repeatW, half.out, "rows") &&
         check("PARAM", parameterRows(kernel, s), half.param, "rows") &&
         (!isContraction(kernel) || check("WGT", s.oc * s.kh * s.kw * s.ic, half.wgt, "tiles")) &&
         check("a LOAD's run",
               std::min<int64_t>(t.blocks * machine.n, reductionOf(kernel, s.fold, machine.n).lanes), 65535,
               "bytes") &&
         check("a STORE's run", std::min<int64_t>(s.oc * machine.n, w.oc), 65535, "bytes") &&
         foldFits(kernel, s, machine.n, reason);
}

double estimateCycles(const Kernel &k, const Schedule &s, const isa::Machine &m) {
  const Window &w = k.window;
  Counts tiles = tileCounts(k, s, m);
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
  if (isContraction(k)) {
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
  if (isContraction(k)) {
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

namespace {

/// Everything that fits, tile by tile.
class Enumeration {
public:
  Enumeration(const Kernel &kernel, const isa::Machine &machine) : kernel(kernel), machine(machine) {
    const Window &w = kernel.window;
    if (!readsOwnChannels(kernel) && kernel.dense && w.c % machine.n && w.kw > 1 && w.dw == 1)
      folds = {dae::Fold::None, dae::Fold::Width, dae::Fold::Window};
    if (isContraction(kernel))
      orders.push_back(dae::Order::Channels);
    if (kernel.depthwise)
      shares = {0, 4, 5, 6, 7, 8, 11, 16};
  }

  std::vector<RankedSchedule> run() {
    const Window &w = kernel.window;
    const std::vector<int64_t> rows = tileSizes(w.oh), cols = tileSizes(w.ow),
                               channels = tileSizes(blocksOf(w.oc, machine.n));
    for (dae::Fold fold : folds)
      for (int64_t oc : channels)
        for (int64_t oh : rows)
          for (int64_t ow : cols) {
            Schedule s;
            s.oh = oh, s.ow = ow, s.oc = oc, s.fold = fold;
            splitReductions(s);
          }
    return std::move(all);
  }

  std::string reason; ///< of the last that did not fit

private:
  /// Kernel positions and input lanes are split only where they have to be: each split costs a pass over ACC.
  void splitReductions(Schedule s) {
    const Reduction r = reductionOf(kernel, s.fold, machine.n);
    std::vector<int64_t> lanes{1};
    if (isContraction(kernel))
      lanes = s.fold == dae::Fold::None ? tileSizes(r.blocks) : std::vector<int64_t>{r.blocks};
    bool any = false;
    for (int64_t kh : tileSizes(r.kh))
      for (int64_t kw : tileSizes(r.kw)) {
        for (int64_t ic : lanes) {
          s.kh = kh, s.kw = kw, s.ic = ic;
          any |= add(s);
        }
        if (any)
          return;
      }
  }

  bool add(Schedule s) {
    std::string why;
    if (!fits(kernel, s, machine, why)) {
      reason = why;
      return false;
    }
    const Counts tiles = tileCounts(kernel, s, machine);
    for (dae::Order order : orders)
      for (int64_t vector : shares) {
        if (order != dae::Order::Pixels && (tiles.channels == 1 || tiles.pixels == 1))
          continue; // the same tiles in the same order
        s.order = order, s.vector = vector;
        if (!vector || fits(kernel, s, machine, why))
          all.push_back({estimateCycles(kernel, s, machine), s});
      }
    return true;
  }

  const Kernel &kernel;
  const isa::Machine &machine;
  std::vector<dae::Fold> folds{dae::Fold::None};
  std::vector<dae::Order> orders{dae::Order::Pixels};
  std::vector<int64_t> shares{0};
  std::vector<RankedSchedule> all;
};

} // namespace

std::vector<RankedSchedule> rankSchedules(const Kernel &kernel, const isa::Machine &machine,
                                          std::string &reason) {
  Enumeration enumeration(kernel, machine);
  std::vector<RankedSchedule> all = enumeration.run();
  if (all.empty())
    reason = enumeration.reason;
  llvm::stable_sort(all,
                    [](const RankedSchedule &a, const RankedSchedule &b) { return a.cycles < b.cycles; });
  return all;
}

dae::ScheduleAttr toAttribute(mlir::MLIRContext *context, const Schedule &s) {
  return dae::ScheduleAttr::get(context, s.oh, s.ow, s.oc, s.kh, s.kw, s.ic, s.fold, s.order, s.vector);
}

Schedule fromAttribute(dae::ScheduleAttr a) {
  return {a.getOh(), a.getOw(),   a.getOc(),    a.getKh(),    a.getKw(),
          a.getIc(), a.getFold(), a.getOrder(), a.getVector()};
}

} // namespace daedalus::accelerator
