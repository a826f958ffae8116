// Footprints: each operand is a start, an extent and the strides of the loops, in slices (LOAD: in bytes).
#include "daedalus/isa/footprint.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/isa/timing.h"
#include "daedalus/isa/work.h"
#include "ranges.h"

#include <algorithm>

namespace daedalus::isa {
namespace {

constexpr uint64_t MostSimulated = uint64_t(1) << 16;

void clip(std::vector<Range> &set, int64_t end) {
  for (Range &range : set)
    range = {std::clamp<int64_t>(range.begin, 0, end), std::clamp<int64_t>(range.end, 0, end)};
  normalize(set);
}

/// A sweep whose cost is the footprint's.
std::vector<Range> sweep(Footprint &footprint, std::vector<Range> set, const std::vector<Sweep> &loops) {
  SweepCost cost;
  std::vector<Range> result = sweep(std::move(set), loops, cost);
  footprint.work += cost.work;
  footprint.exact = footprint.exact && cost.exact;
  return result;
}

/// Adds an operand that touches the slices `first`, moved by the loops.
ScratchAccess &add(Footprint &footprint, const Machine &machine, Scope scope, bool write, const char *operand,
                   Range first, const std::vector<Sweep> &loops) {
  ScratchAccess result;
  result.scope = scope;
  result.write = write;
  result.operand = operand;
  result.bounds = sweepBounds(first, loops);
  const int64_t slices = machine.slices(scope);
  if (result.bounds.begin < slices && result.bounds.end > 0)
    result.slices = sweep(footprint, {first}, loops);
  clip(result.slices, slices);
  footprint.scratch.push_back(std::move(result));
  return footprint.scratch.back();
}

/// The loops of an instruction with one of their strides, in units of `scale`.
template <class Loops, class Member>
std::vector<Sweep> sweepsOf(const Loops &loops, Member stride, int64_t scale = 1) {
  std::vector<Sweep> sweeps;
  for (const auto &loop : loops)
    sweeps.push_back({loop.count, loop.*stride * scale});
  return sweeps;
}

/// Which iterations of the destination read what was there before.
struct OldDestination {
  bool read = false;     // some iteration does
  bool external = false; // some iteration does where no earlier one of the instruction wrote
};

/// Runs the loops and looks for an iteration that reads a row of the destination which none wrote before.
/// `bounds`: of the rows, from the first one on.
bool readsUnwritten(const std::vector<Sweep> &loops, unsigned reduction, Range bounds) {
  std::vector<bool> written(static_cast<size_t>(bounds.end - bounds.begin));
  std::vector<uint32_t> index(loops.size());
  int64_t row = -bounds.begin;
  for (;;) {
    bool first = true;
    for (size_t loop = 0; loop < loops.size(); ++loop)
      first = first && !((reduction >> loop & 1) && index[loop]);
    if (!first && !written[static_cast<size_t>(row)])
      return true;
    written[static_cast<size_t>(row)] = true;
    size_t loop = loops.size();
    while (loop > 0 && ++index[loop - 1] == loops[loop - 1].count) {
      --loop;
      row -= (int64_t(loops[loop].count) - 1) * loops[loop].stride;
      index[loop] = 0;
    }
    if (loop == 0)
      return false;
    row += loops[loop - 1].stride;
  }
}

/// Where telling takes too many iterations, some read from outside: then all rows have to be written before.
OldDestination oldDestination(const std::vector<Sweep> &loops, unsigned reduction, bool accumulate,
                              uint64_t &work) {
  OldDestination old;
  old.read = old.external = accumulate;
  bool moves = false; // a reduction loop moves the destination: unusual, and only a simulation tells
  uint64_t iterations = 1;
  for (size_t loop = 0; loop < loops.size(); ++loop) {
    iterations *= loops[loop].count;
    if (!(reduction >> loop & 1) || loops[loop].count == 1)
      continue;
    old.read = true;
    moves = moves || loops[loop].stride != 0;
  }
  if (accumulate || !moves)
    return old;
  const Range bounds = sweepBounds({0, 1}, loops);
  old.external = iterations > MostSimulated || bounds.end - bounds.begin > int64_t(MostSimulated);
  if (!old.external) {
    old.external = readsUnwritten(loops, reduction, bounds);
    work += iterations / IterationsOfUnit;
  }
  return old;
}

/// The destination of GEMM or VECTOR: its writes, and the reads of its old content.
void addDestination(Footprint &footprint, const Machine &machine, Scope scope, const char *operand,
                    Range first, const std::vector<Sweep> &loops, unsigned reduction, bool accumulate) {
  ScratchAccess read = add(footprint, machine, scope, true, operand, first, loops);
  const OldDestination old = oldDestination(loops, reduction, accumulate, footprint.work);
  if (!old.read)
    return;
  read.write = false;
  read.ownRows = !old.external;
  footprint.scratch.push_back(std::move(read));
}

/// With a window loop 5 reads columns of several rows, among them some before the first result and between
/// two.
std::vector<Sweep> rowsOfInp(const Gemm &gemm) {
  std::vector<Sweep> sweeps = sweepsOf(gemm.loops, &GemmLoop::inpStride);
  if (gemm.window) {
    sweeps.back().count = static_cast<uint32_t>(columnsOf(gemm));
    sweeps.push_back({gemm.window, gemm.line});
  }
  return sweeps;
}

void add(Footprint &footprint, const Machine &machine, const Gemm &gemm) {
  const int64_t n = machine.n;
  add(footprint, machine, Scope::Inp, false, "inp", {gemm.inp, gemm.inp + 1}, rowsOfInp(gemm));
  add(footprint, machine, Scope::Wgt, false, "wgt", {gemm.wgt * n, (gemm.wgt + 1) * n},
      sweepsOf(gemm.loops, &GemmLoop::wgtStride, n));
  addDestination(footprint, machine, Scope::Acc, "acc", {gemm.acc, gemm.acc + 1},
                 sweepsOf(gemm.loops, &GemmLoop::accStride), gemm.reduction, gemm.accumulate);
}

void addSource(Footprint &footprint, const Machine &machine, const Vector &vector, Scope scope,
               const char *operand, int64_t row, const std::vector<Sweep> &rows) {
  if (scope == Scope::None || scope == Scope::Imm)
    return;
  const bool whole = requantizes(vector.op) && scope == Scope::Param;
  const int64_t scale = whole ? machine.slicesPerRow(Scope::Param) : 1;
  std::vector<Sweep> slices = rows;
  for (Sweep &loop : slices)
    loop.stride *= scale;
  add(footprint, machine, scope, false, operand, {row * scale, (row + 1) * scale}, slices);
}

void add(Footprint &footprint, const Machine &machine, const Vector &vector) {
  addSource(footprint, machine, vector, vector.aScope, "a", vector.a,
            sweepsOf(vector.loops, &VectorLoop::aStride));
  addSource(footprint, machine, vector, vector.bScope, "b", vector.b,
            sweepsOf(vector.loops, &VectorLoop::bStride));
  if (looksUp(vector.op)) {
    const int64_t slices = machine.slicesPerRow(Scope::Lut);
    add(footprint, machine, Scope::Lut, false, "table", {vector.table * slices, (vector.table + 1) * slices},
        {});
  }
  const int64_t extent = vector.op == VectorOp::Mov32 ? 4 : 1;
  addDestination(footprint, machine, vector.dstScope, "dst", {vector.dst, vector.dst + extent},
                 sweepsOf(vector.loops, &VectorLoop::dstStride), vector.reduction, vector.accumulate);
}

/// Byte offsets that a bounded load reads: the inner loop with its clipped runs, then the rows inside, then
/// the outer.
std::vector<Range> bytesInside(Footprint &footprint, const Load &load) {
  const int64_t middle = load.loops[1].count;
  const int64_t first = std::clamp<int64_t>(-int64_t(load.originY), 0, middle);
  const int64_t rows = std::clamp<int64_t>(int64_t(load.extentY) - load.originY, first, middle) - first;
  if (rows == 0)
    return {};
  const LoadLoop &inner = load.loops[2];
  const int64_t start = load.offset + first * load.loops[1].dramStride;
  std::vector<Range> runs;
  for (int64_t i = 0; i < inner.count; ++i) {
    const int64_t x = load.originX + i * inner.dramStride, run = load.runBytes;
    const int64_t begin = std::clamp<int64_t>(-x, 0, run);
    const int64_t end = std::clamp<int64_t>(load.extentX - x, begin, run);
    runs.push_back({start + i * inner.dramStride + begin, start + i * inner.dramStride + end});
  }
  footprint.work += runs.size();
  normalize(runs);
  return sweep(footprint, std::move(runs),
               {{static_cast<uint32_t>(rows), load.loops[1].dramStride},
                {load.loops[0].count, load.loops[0].dramStride}});
}

std::vector<Range> bytesRead(Footprint &footprint, const Load &load) {
  return load.unbounded ? sweep(footprint, {{load.offset, int64_t(load.offset) + load.runBytes}},
                                sweepsOf(load.loops, &LoadLoop::dramStride))
                        : bytesInside(footprint, load);
}

int64_t roundDown(int64_t value, int64_t unit) {
  return value >= 0 ? value / unit * unit : -((unit - 1 - value) / unit * unit);
}

int64_t roundUp(int64_t value, int64_t unit) {
  return -roundDown(-value, unit);
}

/// LOAD writes bytes; of the rows that it writes to in part the other lanes stay as they are.
void addLoaded(Footprint &footprint, const Machine &machine, const Load &load) {
  const int64_t n = machine.n, dst = load.dst, slices = machine.slices(load.scope);
  ScratchAccess written;
  written.scope = load.scope;
  written.write = true;
  written.operand = "dst";
  const Range run{dst, dst + load.runBytes * (load.diagonal ? n : 1)}; // diagonal: all lanes of its rows
  const std::vector<Sweep> loops = sweepsOf(load.loops, &LoadLoop::dstStride);
  const Range bounds = sweepBounds(run, loops);
  written.bounds = {roundDown(bounds.begin, n) / n, roundUp(bounds.end, n) / n};
  if (written.bounds.begin < slices && written.bounds.end > 0)
    written.bytes = sweep(footprint, {run}, loops);
  bool whole = true;
  for (Range &range : written.bytes) {
    if (load.tailFill) // of runs that touch, the last one's tail is behind all of them
      range.end = roundUp(range.end, n);
    whole = whole && range.begin % n == 0 && range.end % n == 0;
    written.slices.push_back({roundDown(range.begin, n) / n, roundUp(range.end, n) / n});
  }
  if (whole)
    written.bytes.clear();
  clip(written.slices, slices);
  footprint.scratch.push_back(std::move(written));
}

void add(Footprint &footprint, const Machine &machine, const Load &load) {
  addLoaded(footprint, machine, load);
  footprint.base = load.base;
  footprint.dram = bytesRead(footprint, load);
}

void add(Footprint &footprint, const Machine &machine, const Store &store) {
  const int64_t n = machine.n, rows = (store.runBytes + n - 1) / n;
  add(footprint, machine, Scope::Out, false, "src", {store.src, store.src + rows},
      sweepsOf(store.loops, &StoreLoop::srcStride));
  footprint.base = store.base;
  footprint.dramWrite = true;
  footprint.dram = sweep(footprint, {{store.offset, int64_t(store.offset) + store.runBytes}},
                         sweepsOf(store.loops, &StoreLoop::dramStride));
}

template <class I> void add(Footprint &, const Machine &, const I &) {} // nop, mark and finish touch nothing

} // namespace

Footprint footprintOf(const Instruction &instruction, const Machine &machine) {
  Footprint footprint;
  std::visit([&](const auto &i) { add(footprint, machine, i); }, instruction);
  return footprint;
}

uint32_t banksOf(const ScratchAccess &access, const Machine &machine) {
  const int64_t perBank = machine.slices(access.scope) / machine.banks(access.scope);
  uint32_t banks = 0;
  for (const Range &range : access.slices)
    for (int64_t bank = range.begin / perBank; bank <= (range.end - 1) / perBank; ++bank)
      banks |= 1u << bank;
  return banks;
}

} // namespace daedalus::isa
