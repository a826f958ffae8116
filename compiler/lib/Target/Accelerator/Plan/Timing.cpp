// See Timing.h. LOAD and STORE are timed by runs, not by single bursts, so it is an estimate; the rules of
// docs/timing.md stand behind its constants.

#include "Plan/Timing.h"

#include "Kernels/Stages.h"
#include "Transforms/Transforms.h"
#include "daedalus/Dialect/Dae/Transforms/Ring.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace daedalus::accelerator {
namespace {

int64_t divideCeil(int64_t a, int64_t b) {
  return static_cast<int64_t>(llvm::divideCeil(a, b));
}

int64_t elementsOf(const TileBuffer &buffer) {
  int64_t elements = 1;
  for (int64_t size : buffer.shape)
    elements *= size;
  return elements;
}

Timing::Kind kindOf(TileOp::Kind kind) {
  switch (kind) {
  case TileOp::Kind::Fill:
    return Timing::Kind::Fill;
  case TileOp::Kind::Load:
  case TileOp::Kind::LoadConstants:
    return Timing::Kind::Load;
  case TileOp::Kind::Contract:
  case TileOp::Kind::ContractExcess:
    return Timing::Kind::Gemm;
  case TileOp::Kind::Store:
    return Timing::Kind::Store;
  default:
    return Timing::Kind::Vector;
  }
}

/// Tile products of GEMM, or row cycles of VECTOR.
uint64_t rowsOfWork(const TileOp &op, const KernelCall &call, const TileProgram &program, int64_t n) {
  const bool isHanded =
      program.buffers[op.dst].scope == dae::Scope::Inp; ///< its tile is a part of the buffer
  const int64_t rows =
      isHanded ? op.sizes.oh * op.sizes.ow * op.sizes.oc : elementsOf(program.buffers[op.dst]) / n;
  switch (op.kind) {
  case TileOp::Kind::Contract: // one block of lanes where the kernel is block diagonal
    if (const std::optional<Slide> slide = slideOf(call.kernel, op.sizes))
      return op.sizes.oh * op.sizes.oc * slide->cycles(op.sizes.ow);
    return rows * (elementsOf(program.buffers[op.b]) / (n * n) / program.buffers[op.dst].shape[2]);
  case TileOp::Kind::ContractExcess: {
    const std::optional<Slide> slide = slideOf(call.kernel, op.sizes);
    return op.sizes.oh * (slide ? slide->cycles(op.sizes.ow) : op.sizes.ow);
  }
  case TileOp::Kind::Stage:
    return rows * cyclesPerRow(call.kernel.stages[op.index]);
  default:
    return rows * op.sizes.kh * op.sizes.kw;
  }
}

/// The power of two that divides all starts of the runs, at most `most`.
int64_t alignmentOf(int64_t first, const Transfer &t, int64_t Transfer::Loop::*stride, int64_t most) {
  int64_t alignment = std::gcd(first, most);
  for (const Transfer::Loop &loop : t.loops)
    if (loop.count > 1)
      alignment = std::gcd(loop.*stride, alignment);
  return alignment;
}

/// Units of `size` bytes that runs touch, on average over the places where they may begin.
double unitsTouched(int64_t run, int64_t alignment, int64_t size) {
  if (alignment >= size)
    return divideCeil(run, size);
  return double(run + size - alignment) / size;
}

BurstTime burstTime(uint32_t issue, uint32_t service, uint32_t beats) {
  return {issue, service, beats, beats / issue};
}

/// Of bursts that the bus has in so many beats and the module in `service` cycles. Each is open for `latency`
/// cycles behind its beats; where that is longer than what may be open lasts, parts of that size wait for
/// each other.
TransferTime timeOf(double bursts, double beats, double service, double latency, double mostOpen) {
  const double each = beats / bursts;
  const auto rounded = [](double value) { return static_cast<uint32_t>(std::llround(std::max(value, 1.0))); };
  const uint32_t issue = rounded(bursts), serviced = rounded(service), asked = rounded(beats);
  if (latency + each <= mostOpen * each || issue == 1)
    return {serviced, 1, {}, burstTime(issue, serviced, asked)};
  const uint32_t parts = std::min(rounded(std::ceil(bursts / mostOpen)), issue);
  const auto part = [&](uint32_t of) { return (of + parts - 1) / parts; };
  const auto last = [&](uint32_t of) {
    const uint32_t others = part(of) * (parts - 1);
    return of > others ? of - others : 1u;
  };
  return {serviced, parts, burstTime(part(issue), part(serviced), part(asked)),
          burstTime(last(issue), last(serviced), last(asked))};
}

/// What of the runs of a LOAD lies in its tensor: so many runs of so many bytes; and rows of fill (R13).
struct Parts {
  int64_t runs, run, fillRows;
};

/// Runs that are partly in the tensor have their average; of a LOAD that is bounded, the two inner loops are
/// y and x.
Parts partsOf(const Transfer &t, int64_t n) {
  if (!t.bounded)
    return {t.runs(), t.run, 0};
  const Transfer::Loop &rows = t.loops[t.loops.size() - 2], &columns = t.loops.back();
  const auto within = [](int64_t first, int64_t end, int64_t extent) {
    return std::max<int64_t>(std::min(end, extent) - std::max<int64_t>(first, 0), 0);
  };
  const int64_t others = t.runs() / (rows.count * columns.count),
                inside = within(t.originY, t.originY + rows.count, t.extentY);
  int64_t runs = 0, bytes = 0, fillRows = 0;
  for (int64_t column = 0; column < columns.count; ++column) {
    const int64_t x = t.originX + column * columns.dram, data = within(x, x + t.run, t.extentX);
    runs += data > 0, bytes += data;
    fillRows += divideCeil(t.run - data, n);
  }
  const int64_t outside = (rows.count - inside) * columns.count * divideCeil(t.run, n);
  return {others * inside * runs, runs ? divideCeil(bytes, runs) : 0, others * (inside * fillRows + outside)};
}

/// Of a LOAD on the bus and in the writer (R13, R16). What it fills has a price of its own where that decides
/// between tiles, as of products lane by lane, whose bound is often LOAD; else it counts as read.
TransferTime timeOfLoad(const Transfer &t, bool pricesFill, const isa::Machine &m) {
  const int64_t bus = m.busBytes, burst = int64_t(m.maxBurstBeats) * bus;
  const int64_t dram = alignmentOf(t.offset, t, &Transfer::Loop::dram, burst);
  const int64_t place = alignmentOf(t.place, t, &Transfer::Loop::place, m.n);
  const Parts parts = pricesFill ? partsOf(t, m.n) : Parts{t.runs(), t.run, t.bounded ? t.runs() : 0};
  if (!parts.runs)
    return timeOf(1, 1, parts.fillRows, m.receiveLatency, m.outstandingReads);
  const double beats = unitsTouched(parts.run, dram, bus);
  const double rows = unitsTouched(parts.run, place, m.n);
  const bool shifted = dram % bus || place % bus;
  const double runs = parts.runs, bursts = runs * unitsTouched(parts.run, dram, burst);
  const double writes = runs * (std::max(beats, rows) + (shifted ? rows - 1 : 0)) + parts.fillRows;
  // A segment is open, and has room in the receive buffer, from its request to its last write (R14 to R16).
  const double mostOpen = std::min<double>(m.outstandingReads, m.receiveBeats * bursts / (runs * beats));
  return timeOf(bursts, runs * beats, writes, m.readLatency + m.receiveLatency + 1, mostOpen);
}

/// Of a STORE on the bus (R18 to R20).
TransferTime timeOfStore(const Transfer &t, const isa::Machine &m) {
  const int64_t bus = m.busBytes, burst = int64_t(m.maxBurstBeats) * bus;
  const double bursts = t.runs() * divideCeil(t.run, burst), beats = t.runs() * divideCeil(t.run, bus);
  return timeOf(bursts, beats, beats, storeLatency(m) + 3, m.outstandingWrites);
}

/// What of the whole tensor a region covers.
Timing::Part partOf(const Slot &slot, const Image &image, const Window &w, const Region &r, int64_t n) {
  constexpr int64_t fractions = Timing::Fractions;
  if (!image.plain)
    return {0, fractions, 0, INT32_MAX};
  auto row = [&](int64_t y) { return std::clamp<int64_t>(y, 0, image.h - 1); };
  auto col = [&](int64_t x) { return std::clamp<int64_t>(x, 0, image.w - 1); };
  auto byte = [&](int64_t y, int64_t x) { return image.offset(r.batch, row(y), col(x), 0); };
  const int64_t total = w.b * image.image;
  const bool single = image.h * image.w == 1; // a pointwise kernel's one long pixel
  const int64_t begin = single ? r.c : byte(r.y, r.x);
  const int64_t end =
      single ? r.c + r.lanes
             : byte(r.y + (r.rows - 1) * r.rowStep, r.x + (r.cols - 1) * r.colStep) + image.column;
  const int32_t first = begin * fractions / total,
                last = std::min(divideCeil(end * fractions, total), fractions);
  if (single)
    return {first, last, 0, INT32_MAX};
  return {first, last, static_cast<int32_t>((slot.channel + r.c) / n),
          static_cast<int32_t>(divideCeil(slot.channel + r.c + r.lanes, n))};
}

/// One operation after the other.
class Timer {
public:
  Timer(Timing &timing, const TileProgram &program, llvm::ArrayRef<KernelCall> calls,
        const isa::Machine &machine)
      : timing(timing), program(program), calls(calls), machine(machine), output(outputImage(calls.back())),
        isUsed(program.buffers.size(), false), last(program.buffers.size()) {
    for (const KernelCall &call : calls) {
      firstInputs.push_back(inputs.size());
      for (unsigned operand = 0; operand < call.inputs.size(); ++operand)
        inputs.push_back(inputImage(call, operand));
    }
  }

  void run() {
    for (const TileBuffer &buffer : program.buffers) {
      const dae::RowsOwned owned = dae::rowsOwned(dae::isaScope(buffer.scope), rowsOf(buffer, machine),
                                                  buffer.isWrittenByVector, machine);
      timing.buffers.push_back({static_cast<uint8_t>(static_cast<unsigned>(buffer.scope) - 1),
                                static_cast<int32_t>(owned.rows), static_cast<int32_t>(owned.alignment)});
    }
    timing.ops.reserve(program.ops.size());
    for (const TileOp &op : program.ops)
      add(op);
    for (const auto &[op, bit] : last)
      if (bit)
        timing.ops[op].lastUse |= bit;
  }

private:
  struct LastUse {
    size_t op = 0;
    uint8_t bit = 0;
  };

  void add(const TileOp &op) {
    Timing::Op timed;
    timed.kind = kindOf(op.kind);
    if (timed.kind != Timing::Kind::Fill) // the operation behind it is the first that needs the buffer
      addBuffers(op, timed);
    timed.firstTransfer = timing.transfers.size();
    if (timed.kind == Timing::Kind::Load)
      addLoads(op, timed);
    else if (timed.kind == Timing::Kind::Store)
      addStore(op, timed);
    else if (timed.kind != Timing::Kind::Fill)
      addBlock(op, timed);
    timed.endTransfer = timing.transfers.size();
    timing.ops.push_back(timed);
  }

  void addBuffers(const TileOp &op, Timing::Op &timed) {
    const BufferId ids[] = {op.a, op.b, op.table, op.dst};
    for (auto [place, id] : llvm::enumerate(ids)) {
      timed.buffers[place] = id;
      if (id == NoBuffer)
        continue;
      const uint8_t bit = 1 << place;
      if (!isUsed[id])
        timed.firstUse |= bit;
      isUsed[id] = true;
      last[id] = {timing.ops.size(), bit};
    }
  }

  void addBlock(const TileOp &op, Timing::Op &timed) {
    const bool isGemm = timed.kind == Timing::Kind::Gemm;
    timed.cycles =
        rowsOfWork(op, calls[op.call], program, machine.n) + (isGemm ? machine.gemmLatency : drainOf(op));
    (isGemm ? timing.work.gemm : timing.work.vector) += timed.cycles;
  }

  unsigned drainOf(const TileOp &op) const {
    const bool isStage = op.kind == TileOp::Kind::Stage;
    return isStage ? isa::vectorDrain(instructionOf(calls[op.call].kernel.stages[op.index]).op, machine)
                   : machine.vectorLatency;
  }

  void addStore(const TileOp &op, Timing::Op &timed) {
    timing.transfers.push_back(timeOfStore(planStore(output, op.region, op.bytes, machine.n), machine));
    timing.work.store += timing.transfers.back().service;
    timed.part = partOf(calls[op.call].output, output, calls[op.call].kernel.window, op.region, machine.n);
  }

  void addLoads(const TileOp &op, Timing::Op &timed) {
    loads.clear();
    const KernelCall &call = calls[op.call];
    if (op.kind == TileOp::Kind::LoadConstants) {
      planLoads(op.offset, op.bytes, machine.n, loads);
    } else {
      const Slot &slot = call.inputs[op.operand];
      const size_t input = firstInputs[op.call] + op.operand;
      planLoads(inputs[input], op.region, op.place, loads);
      timed.input = input;
      timed.part = partOf(slot, inputs[input], call.kernel.window, op.region, machine.n);
    }
    for (const Transfer &load : loads) {
      timing.transfers.push_back(timeOfLoad(load, call.kernel.diagonal, machine));
      timing.work.load += timing.transfers.back().service;
    }
  }

  Timing &timing;
  const TileProgram &program;
  const llvm::ArrayRef<KernelCall> calls;
  const isa::Machine &machine;
  llvm::SmallVector<Image> inputs;
  llvm::SmallVector<size_t, 2> firstInputs; ///< of each call
  const Image output;
  std::vector<bool> isUsed;  ///< of each buffer
  std::vector<LastUse> last; ///< of each buffer
  llvm::SmallVector<Transfer, 2> loads;
};

/// Operations backwards: how long it is at least from what each one waits for to the end of all.
class DrainFinder {
public:
  DrainFinder(const Timing &timing, const isa::Machine &machine)
      : timing(timing), machine(machine), behind(timing.buffers.size()) {}

  Drain run() {
    for (uint32_t op = timing.ops.size(); op-- > 0;)
      visit(op);
    return drain;
  }

private:
  void visit(uint32_t index) {
    const Timing::Op &op = timing.ops[index];
    if (op.kind == Timing::Kind::Store)
      use(op, machine.storeIssueLatency + timing.transfers[op.firstTransfer].service + storeLatency(machine));
    else if (op.kind == Timing::Kind::Load)
      load(op, index);
    else if (op.kind != Timing::Kind::Fill)
      op.kind == Timing::Kind::Gemm ? compute(op, gemm, drain.gemm) : compute(op, vector, drain.vector);
  }

  void load(const Timing::Op &op, uint32_t index) {
    if (!std::exchange(hasLoad, true))
      drain.load = behind[op.dst()], drain.lastLoad = index;
  }

  /// `next`: from where the module is free for the operation behind this one to the end.
  void compute(const Timing::Op &op, std::optional<Cycle> &next, Cycle &ofLast) {
    const Cycle toEnd = std::max(behind[op.dst()], next.value_or(0));
    if (!next)
      ofLast = toEnd;
    next = toEnd + op.cycles;
    use(op, *next);
  }

  void use(const Timing::Op &op, Cycle toEnd) {
    for (const BufferId id : op.buffers)
      if (id != NoBuffer)
        behind[id] = std::max(behind[id], toEnd);
  }

  const Timing &timing;
  const isa::Machine &machine;
  std::vector<Cycle> behind; ///< from the last write of each buffer so far to the end
  bool hasLoad = false;
  std::optional<Cycle> gemm, vector;
  Drain drain;
};

} // namespace

Busy &Busy::operator+=(const Busy &other) {
  load += other.load, gemm += other.gemm, vector += other.vector, store += other.store;
  return *this;
}

Timing::Timing(const TileProgram &program, llvm::ArrayRef<KernelCall> calls, const isa::Machine &machine) {
  Timer(*this, program, calls, machine).run();
  drain = DrainFinder(*this, machine).run();
}

llvm::SmallVector<const Slot *, 8> inputsOf(llvm::ArrayRef<KernelCall> calls) {
  llvm::SmallVector<const Slot *, 8> inputs;
  for (const KernelCall &call : calls)
    for (const Slot &slot : call.inputs)
      inputs.push_back(&slot);
  return inputs;
}

} // namespace daedalus::accelerator
