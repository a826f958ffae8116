// See StreamModel.h.

#include "Plan/StreamModel.h"

#include "Kernels/Stages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

namespace daedalus::accelerator {
namespace {

using Kind = TileOp::Kind;

constexpr int64_t Fractions = 64; ///< of a tensor, along its pixels

int64_t divideCeil(int64_t a, int64_t b) {
  return static_cast<int64_t>(llvm::divideCeil(a, b));
}

unsigned indexOf(dae::Scope scope) {
  return static_cast<unsigned>(scope) - 1;
}

int64_t elementsOf(const TileBuffer &buffer) {
  int64_t elements = 1;
  for (int64_t size : buffer.shape)
    elements *= size;
  return elements;
}

/// Whether GEMM or VECTOR runs it.
bool isBlock(Kind kind) {
  return kind == Kind::Contract || kind == Kind::LaneProduct || kind == Kind::Combine || kind == Kind::Stage;
}

/// Tile products of GEMM, or row cycles of VECTOR.
uint64_t rowsOfWork(const TileOp &op, const KernelCall &call, const TileProgram &program, int64_t n) {
  const int64_t rows = elementsOf(program.buffers[op.dst]) / n;
  const int64_t window = op.sizes.kh * op.sizes.kw;
  switch (op.kind) {
  case Kind::Contract: // one block of lanes where the kernel is block diagonal
    return rows * (elementsOf(program.buffers[op.b]) / (n * n) / program.buffers[op.dst].shape[2]);
  case Kind::LaneProduct:
  case Kind::Combine:
    return rows * window;
  case Kind::Stage:
    return rows * cyclesPerRow(call.kernel.stages[op.index]);
  default:
    return rows;
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

/// What a LOAD takes on the bus and in the writer (R13, R16).
struct RunCost {
  double bursts, writes;
};
RunCost costOf(const Transfer &t, const isa::Machine &m) {
  const int64_t bus = m.busBytes, burst = int64_t(m.maxBurstBeats) * bus;
  const int64_t dram = alignmentOf(t.offset, t, &Transfer::Loop::dram, burst);
  const int64_t place = alignmentOf(t.place, t, &Transfer::Loop::place, m.n);
  const double beats = unitsTouched(t.run, dram, bus);
  const double rows = unitsTouched(t.run, place, m.n);
  const bool shifted = dram % bus || place % bus;
  const double runs = t.runs();
  return {runs * unitsTouched(t.run, dram, burst),
          runs * (std::max(beats, rows) + (shifted ? rows - 1 : 0) + (t.bounded ? 1 : 0))};
}

} // namespace

StreamModel::StreamModel(const isa::Machine &m)
    : machine(&m), scopes{
                       Scope{dae::Ring(isa::Scope::Inp, m), {}}, Scope{dae::Ring(isa::Scope::Wgt, m), {}},
                       Scope{dae::Ring(isa::Scope::Acc, m), {}}, Scope{dae::Ring(isa::Scope::Param, m), {}},
                       Scope{dae::Ring(isa::Scope::Lut, m), {}}, Scope{dae::Ring(isa::Scope::Out, m), {}}} {
  dispatched = 4 + m.readLatency + m.fetchBurst * 64 / m.busBytes;
  readChannel = dispatched;
}

double StreamModel::ranked(Cycle end, Cycle gemm, Rank rank) const {
  const double ahead = rank == Rank::End ? 0 : double(gemm) + 0.25 * double(free[Load]);
  return double(end) + ahead;
}

double StreamModel::cost(Rank rank) const {
  return ranked(last, free[Gemm], rank);
}

/// What the cost will be at least: GEMM and VECTOR do one block after the other.
double StreamModel::leastCost(Rank rank) const {
  const Cycle gemm = free[Gemm] + toDo[Gemm];
  return ranked(std::max({last, gemm, free[Vector] + toDo[Vector]}), gemm, rank);
}

bool StreamModel::run(llvm::ArrayRef<Piece> pieces, llvm::ArrayRef<KernelCall> calls, Rank rank,
                      double most) {
  tiles = 0;
  toDo = {};
  size_t count = 0;
  for (const Piece &piece : pieces)
    count = std::max(count, piece.firstBuffer + piece.program->buffers.size());
  std::vector<Buffer> buffers(count);
  int64_t position = 0;
  for (const Piece &piece : pieces)
    for (const TileOp &op : piece.ops()) {
      for (BufferId id : {op.a, op.b, op.dst})
        if (id != NoBuffer)
          buffers[piece.firstBuffer + id].lastUse = position;
      if (isBlock(op.kind))
        toDo[moduleOf(op.kind)] += cyclesOf(op, calls[op.call], *piece.program);
      ++position;
    }
  for (Scope &scope : scopes)
    scope.ring.clear();
  position = 0;
  for (const Piece &piece : pieces)
    for (const TileOp &op : piece.ops())
      if (!step(op, *piece.program, calls, buffers.data() + piece.firstBuffer, position++) ||
          leastCost(rank) >= most)
        return false;
  for (auto it = tensors.begin(); it != tensors.end();) // nothing can wait for these any more
    it = it->second->latest <= dispatched ? tensors.erase(it) : std::next(it);
  return true;
}

/// One operation; false where a buffer finds no room.
bool StreamModel::step(const TileOp &op, const TileProgram &program, llvm::ArrayRef<KernelCall> calls,
                       Buffer *buffers, int64_t position) {
  for (BufferId id : {op.a, op.b, op.dst})
    if (id != NoBuffer && buffers[id].row < 0 && !place(program.buffers[id], buffers[id], position))
      return false;
  const Cycle end = execute(op, calls, buffers, program);
  last = std::max(last, end);
  tiles += op.kind == Kind::Store;
  for (BufferId id : {op.a, op.b, op.dst})
    if (id != NoBuffer) {
      buffers[id].used = std::max(buffers[id].used, end);
      if (buffers[id].lastUse == position)
        release(program.buffers[id], buffers[id]);
    }
  return true;
}

bool StreamModel::place(const TileBuffer &shape, Buffer &buffer, int64_t position) {
  Scope &scope = scopes[indexOf(shape.scope)];
  buffer.rows = rowsOf(shape, *machine);
  buffer.row = scope.ring.place(buffer.rows, position);
  if (buffer.row < 0)
    return false;
  scope.ring.hold(buffer.row, buffer.rows, buffer.lastUse);
  const int64_t end = buffer.row + scope.ring.whole(buffer.rows);
  for (const Left &left : scope.left)
    if (left.begin < end && buffer.row < left.end)
      buffer.free = std::max(buffer.free, left.at);
  llvm::erase_if(scope.left, [&](const Left &left) {
    return left.at <= dispatched || (buffer.row <= left.begin && left.end <= end);
  });
  return true;
}

void StreamModel::release(const TileBuffer &shape, const Buffer &buffer) {
  Scope &scope = scopes[indexOf(shape.scope)];
  scope.left.push_back({buffer.row, buffer.row + scope.ring.whole(buffer.rows), buffer.used});
}

StreamModel::Cycle StreamModel::execute(const TileOp &op, llvm::ArrayRef<KernelCall> calls, Buffer *buffers,
                                        const TileProgram &program) {
  const KernelCall &call = calls[op.call];
  Cycle ready = 0;
  for (BufferId id : {op.a, op.b})
    if (id != NoBuffer)
      ready = std::max(ready, buffers[id].ready);
  if (op.dst != NoBuffer)
    ready = std::max({ready, buffers[op.dst].free, buffers[op.dst].ready});
  Cycle end = 0;
  llvm::SmallVector<Transfer, 2> loads;
  switch (op.kind) {
  case Kind::Fill:
    return 0;
  case Kind::Load:
    planLoads(inputImage(call, op.operand), op.region, op.place, loads);
    ready = std::max(ready, inputReady(call, op));
    break;
  case Kind::LoadConstants:
    planLoads(op.offset, op.bytes, machine->n, loads);
    break;
  case Kind::Store:
    end = store(planStore(outputImage(call), op.region, op.bytes, machine->n), ready);
    outputReady(call, op, end);
    return end;
  default:
    end = compute(moduleOf(op.kind), cyclesOf(op, call, program), ready);
  }
  for (const Transfer &transfer : loads)
    end = load(transfer, ready);
  buffers[op.dst].ready = std::max(buffers[op.dst].ready, end);
  return end;
}

/// FETCH hands out an instruction a cycle, in order, as soon as the queue of its module has room.
StreamModel::Cycle StreamModel::dispatch(Module module) {
  std::vector<Cycle> &queue = starts[module];
  if (queue.size() == machine->queueDepth) {
    dispatched = std::max(dispatched, queue.front() + 1);
    queue.erase(queue.begin());
  }
  readChannel += 64 / machine->busBytes;
  return ++dispatched;
}

StreamModel::Cycle StreamModel::startOf(Module module, Cycle ready) {
  const Cycle seen = dispatch(module) + 1;
  const Cycle start = std::max({seen, free[module] + 1, ready + 1});
  starts[module].push_back(start);
  return start;
}

StreamModel::Cycle StreamModel::load(const Transfer &t, Cycle ready) {
  const RunCost cost = costOf(t, *machine);
  const double latency = machine->readLatency + 10;
  const Cycle service =
      std::llround(std::max(cost.writes, cost.bursts * latency / machine->outstandingReads));
  const Cycle start = startOf(Load, ready);
  const Cycle shown = start + machine->loadIssueLatency;
  const Cycle data = std::max(readChannel, shown + 2 + machine->readLatency);
  readChannel = data + service;
  const Cycle inFlight = std::min<Cycle>(latency, machine->receiveBeats);
  free[Load] =
      std::max<Cycle>(shown + std::llround(cost.bursts), readChannel - std::min(readChannel, inFlight));
  return readChannel + machine->receiveLatency;
}

/// Of a block.
StreamModel::Cycle StreamModel::cyclesOf(const TileOp &op, const KernelCall &call,
                                         const TileProgram &program) const {
  const uint64_t drain = moduleOf(op.kind) == Gemm ? machine->gemmLatency : machine->vectorLatency;
  return rowsOfWork(op, call, program, machine->n) + drain;
}

StreamModel::Cycle StreamModel::compute(Module module, Cycle cycles, Cycle ready) {
  toDo[module] -= cycles;
  return free[module] = startOf(module, ready) + cycles;
}

StreamModel::Cycle StreamModel::store(const Transfer &t, Cycle ready) {
  const int64_t bus = machine->busBytes, burst = int64_t(machine->maxBurstBeats) * bus;
  const int64_t bursts = t.runs() * divideCeil(t.run, burst);
  const int64_t latency = machine->writeLatency + 10;
  const int64_t service =
      std::max(t.runs() * divideCeil(t.run, bus), divideCeil(bursts * latency, machine->outstandingWrites));
  const Cycle start = startOf(Store, ready);
  const Cycle begin = std::max(writeChannel, start + machine->storeIssueLatency + 2);
  writeChannel = begin + service;
  free[Store] = std::max<Cycle>(start + machine->storeIssueLatency + bursts,
                                writeChannel - std::min<Cycle>(writeChannel, latency));
  return writeChannel + machine->storeReadLatency + machine->writeLatency + 2;
}

/// What of the whole tensor a region covers.
StreamModel::Part StreamModel::partOf(const Slot &slot, const Image &image, const Window &w,
                                      const Region &r) const {
  if (!image.plain)
    return {0, Fractions, 0, INT64_MAX};
  auto row = [&](int64_t y) { return std::clamp<int64_t>(y, 0, image.h - 1); };
  auto col = [&](int64_t x) { return std::clamp<int64_t>(x, 0, image.w - 1); };
  const int64_t total = w.b * image.image;
  auto byte = [&](int64_t y, int64_t x) { return image.offset(r.batch, row(y), col(x), 0); };
  const bool single = image.h * image.w == 1; // a pointwise kernel's one long pixel
  const int64_t begin = single ? r.c : byte(r.y, r.x);
  const int64_t end =
      single ? r.c + r.lanes
             : byte(r.y + (r.rows - 1) * r.rowStep, r.x + (r.cols - 1) * r.colStep) + image.column;
  Part part{begin * Fractions / total, divideCeil(end * Fractions, total), 0, INT64_MAX};
  if (!single) {
    part.firstBlock = (slot.channel + r.c) / machine->n;
    part.endBlock = divideCeil(slot.channel + r.c + r.lanes, machine->n);
  }
  return part;
}

StreamModel::Cycle StreamModel::inputReady(const KernelCall &call, const TileOp &op) const {
  const Slot &slot = call.inputs[op.operand];
  auto found = tensors.find(slot.root());
  if (found == tensors.end())
    return 0;
  const Tensor &tensor = *found->second;
  const Part part = partOf(slot, inputImage(call, op.operand), call.kernel.window, op.region);
  Cycle ready = 0;
  for (int64_t f = part.first; f < std::min(part.end, Fractions); ++f)
    for (int64_t b = part.firstBlock; b < std::min(part.endBlock, tensor.blocks); ++b)
      ready = std::max(ready, tensor.ready[f * tensor.blocks + b]);
  return ready;
}

void StreamModel::outputReady(const KernelCall &call, const TileOp &op, Cycle at) {
  const Slot &slot = call.output;
  const Image image = outputImage(call);
  std::shared_ptr<Tensor> &shared = tensors[slot.root()];
  if (!shared) {
    const bool single = image.h * image.w == 1;
    shared = std::make_shared<Tensor>();
    shared->blocks = single ? 1 : divideCeil(image.column, machine->n);
    shared->ready.assign(Fractions * shared->blocks, 0);
  } else if (shared.use_count() > 1) {
    shared = std::make_shared<Tensor>(*shared);
  }
  shared->latest = std::max(shared->latest, at);
  const Part part = partOf(slot, image, call.kernel.window, op.region);
  for (int64_t f = part.first; f < std::min(part.end, Fractions); ++f)
    for (int64_t b = part.firstBlock; b < std::min(part.endBlock, shared->blocks); ++b)
      shared->ready[f * shared->blocks + b] = std::max(shared->ready[f * shared->blocks + b], at);
}

} // namespace daedalus::accelerator
