// See StreamModel.h.

#include "Plan/StreamModel.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <limits>

namespace daedalus::accelerator {
namespace {

using Kind = Timing::Kind;

constexpr Cycle Unbounded = std::numeric_limits<Cycle>::max() / 2;

constexpr uint32_t Steady = 4; ///< parts of a transfer that are simulated one by one

} // namespace

StreamModel::StreamModel(const isa::Machine &m)
    : machine(&m), scopes{Scope{dae::Ring(isa::Scope::Inp, m), {}},
                          Scope{dae::Ring(isa::Scope::Wgt, m), {}},
                          Scope{dae::Ring(isa::Scope::Acc, m), {}},
                          Scope{dae::Ring(isa::Scope::Param, m), {}},
                          Scope{dae::Ring(isa::Scope::Lut, m), {}},
                          Scope{dae::Ring(isa::Scope::Out, m), {}}},
      fetch(m), reads(m.outstandingReads, m.receiveBeats), writes(m.outstandingWrites, Unbounded) {}

double StreamModel::ranked(Cycle end, Cycle gemm, Cycle load, Rank rank) const {
  const double ahead = rank == Rank::End ? 0 : double(gemm) + 0.25 * double(load);
  return double(end) + ahead;
}

double StreamModel::cost(Rank rank) const {
  return ranked(last, free[Gemm], free[Load], rank);
}

/// Each module does one operation after the other.
double StreamModel::leastCost(const Busy &work, Rank rank, const Ending &ending) const {
  const Cycle gemm = free[Gemm] + work.gemm, vector = free[Vector] + work.vector;
  Cycle end = std::max({last, gemm + ending.drain.gemm, vector + ending.drain.vector});
  if (work.load)
    end = std::max(end, readChannel + work.load - 1 + machine->receiveLatency + ending.drain.load);
  if (work.store)
    end = std::max(end, writeChannel + work.store + storeLatency(*machine));
  return ranked(end, gemm, leastLoad(gemm, vector, work, ending), rank);
}

/// When LOAD is free at the end: what may be ahead of its data, nothing bounds but the order of dispatches.
Cycle StreamModel::leastLoad(Cycle gemm, Cycle vector, const Busy &work, const Ending &ending) const {
  Cycle least = free[Load];
  if (work.gemm >= ending.gemmFromLoad)
    least = std::max(least, gemm - ending.gemmFromLoad);
  if (work.vector >= ending.vectorFromLoad)
    least = std::max(least, vector - ending.vectorFromLoad);
  return least;
}

bool StreamModel::run(llvm::ArrayRef<const Script *> scripts, llvm::ArrayRef<KernelCall> calls,
                      llvm::ArrayRef<Piece> pieces, Rank rank, double most) {
  toDo = {};
  for (Scope &scope : scopes)
    scope.ring.releaseAll();
  llvm::SmallVector<Running, 3> running;
  for (auto [place, script] : llvm::enumerate(scripts))
    running.push_back(begin(script, calls.drop_front(place)));
  for (auto [place, script] : llvm::enumerate(scripts))
    for (const Slot *input : inputsOf(callsOf(script, calls.drop_front(place)))) {
      const auto found = tensors.find(input->root());
      running[place].inputs.push_back(found == tensors.end() ? nullptr : found->second.get());
    }
  const Ending ending = std::isinf(most) ? Ending() : endingOf(scripts, pieces, *machine);
  for (const Piece &piece : pieces) {
    Running &script = running[piece.script];
    for (uint32_t number = piece.first; number < piece.end; ++number)
      if (const Timing::Op &op = script.timing->ops[number]; op.kind != Kind::Fill && !step(op, script))
        return false;
    if (leastCost(toDo, rank, ending) >= most)
      return false;
  }
  for (auto it = tensors.begin(); it != tensors.end();) // nothing can wait for these any more
    it = it->second->empty() || it->second->back().at <= dispatched ? tensors.erase(it) : std::next(it);
  return true;
}

StreamModel::Running StreamModel::begin(const Script *script, llvm::ArrayRef<KernelCall> calls) {
  if (!script)
    return {};
  const Timing &timing = script->timing();
  toDo += timing.work;
  Writes *const output = outputOf(callsOf(script, calls).back());
  output->reserve(output->size() + script->tiles().size());
  return {&timing, std::unique_ptr<Buffer[]>(new Buffer[timing.buffers.size()]), {}, output};
}

/// For this model alone.
StreamModel::Writes *StreamModel::outputOf(const KernelCall &call) {
  std::shared_ptr<Writes> &shared = tensors[call.output.root()];
  if (!shared)
    shared = std::make_shared<Writes>();
  else if (shared.use_count() > 1)
    shared = std::make_shared<Writes>(*shared);
  return shared.get();
}

/// One operation; false where a buffer finds no room.
bool StreamModel::step(const Timing::Op &op, Running &script) {
  Buffer *const buffers = script.buffers.get();
  for (int place = 0; place < Timing::Op::Operands; ++place)
    if (const BufferId id = op.buffers[place];
        op.firstUse >> place & 1 && !this->place(script.timing->buffers[id], buffers[id]))
      return false;
  const Cycle end = execute(op, script);
  last = std::max(last, end);
  for (BufferId id : op.buffers)
    if (id != NoBuffer)
      buffers[id].used = std::max(buffers[id].used, end);
  for (int place = 0; place < Timing::Op::Operands; ++place)
    if (const BufferId id = op.buffers[place]; op.lastUse >> place & 1)
      release(script.timing->buffers[id], buffers[id]);
  return true;
}

/// A cycle in which whatever writes the scope next has not started.
Cycle StreamModel::writableFrom(uint8_t scope) const {
  switch (static_cast<dae::Scope>(scope + 1)) {
  case dae::Scope::Acc:
    return std::max(dispatched, std::min(free[Gemm], free[Vector]));
  case dae::Scope::Out:
    return std::max(dispatched, free[Vector]);
  case dae::Scope::Inp:
    return std::max(dispatched, std::min(free[Load], free[Vector]));
  case dae::Scope::Wgt:
  case dae::Scope::Param:
  case dae::Scope::Lut:
    return std::max(dispatched, free[Load]);
  }
  return dispatched;
}

bool StreamModel::place(const Timing::Buffer &shape, Buffer &buffer) {
  Scope &scope = scopes[shape.scope];
  buffer = {};
  buffer.row = scope.ring.place({shape.rows, shape.alignment});
  if (buffer.row < 0)
    return false;
  const int64_t begin = buffer.row, end = begin + shape.rows;
  const Cycle from = writableFrom(shape.scope);
  size_t kept = 0;
  for (const Left left : scope.left) { // without branches, which nobody could foresee
    const bool overlaps = bool(left.begin < end) & bool(begin < left.end);
    const bool isCovered = bool(begin <= left.begin) & bool(left.end <= end);
    buffer.free = std::max(buffer.free, overlaps ? left.at : 0);
    scope.left[kept] = left;
    kept += bool(left.at > from) & !isCovered;
  }
  scope.left.truncate(kept);
  return true;
}

void StreamModel::release(const Timing::Buffer &shape, const Buffer &buffer) {
  Scope &scope = scopes[shape.scope];
  scope.ring.release(buffer.row);
  scope.left.push_back({buffer.row, buffer.row + shape.rows, buffer.used});
}

Cycle StreamModel::execute(const Timing::Op &op, Running &script) {
  Buffer *const buffers = script.buffers.get();
  Cycle ready = 0;
  for (BufferId id : op.buffers) // LOADs to one buffer follow each other in LOAD's writer
    if (id != NoBuffer && op.kind != Kind::Load)
      ready = std::max(ready, buffers[id].ready);
  if (op.kind == Kind::Store) {
    const Cycle end = store(script.timing->transfers[op.firstTransfer], ready);
    script.output->push_back({op.part, end});
    return end;
  }
  ready = std::max(ready, buffers[op.dst()].free);
  Cycle end = 0;
  if (op.kind == Kind::Load) {
    if (op.input != Timing::Op::NoInput && script.inputs[op.input])
      ready = std::max(ready, readyOf(*script.inputs[op.input], op.part));
    for (uint32_t i = op.firstTransfer; i < op.endTransfer; ++i)
      end = load(script.timing->transfers[i], ready);
  } else {
    end = op.kind == Kind::Gemm ? compute(Gemm, toDo.gemm, op.cycles, ready)
                                : compute(Vector, toDo.vector, op.cycles, ready);
  }
  buffers[op.dst()].ready = std::max(buffers[op.dst()].ready, end);
  return end;
}

/// FETCH hands out an instruction a cycle, in order, as soon as the queue of its module has room.
Cycle StreamModel::dispatch(Module module) {
  dispatched = std::max(dispatched + 1, fetch.headAt());
  if (starts[module].size() == machine->queueDepth)
    dispatched = std::max(dispatched, starts[module][oldest[module]] + 1);
  fetch.dispatch(dispatched, readChannel);
  readChannel += 64 / machine->busBytes;
  return dispatched;
}

Cycle StreamModel::startOf(Module module, Cycle ready) {
  const Cycle seen = dispatch(module) + 1;
  const Cycle start = std::max({seen, free[module] + 1, ready + 1});
  llvm::SmallVectorImpl<Cycle> &queue = starts[module];
  if (queue.size() < machine->queueDepth) {
    queue.push_back(start);
  } else {
    queue[oldest[module]] = start;
    oldest[module] = oldest[module] + 1 == queue.size() ? 0 : oldest[module] + 1;
  }
  return start;
}

Cycle StreamModel::load(const TransferTime &whole, Cycle ready) {
  toDo.load -= whole.service;
  free[Load] = startOf(Load, ready) + machine->loadIssueLatency - 1;
  if (whole.parts > 1)
    readParts(whole);
  read(whole.last);
  return readChannel - 1 + machine->receiveLatency;
}

/// All but the last; behind some of them each one takes as long as the one before.
void StreamModel::readParts(const TransferTime &whole) {
  Cycle before = 0;
  for (uint32_t i = 1; i < std::min(whole.parts, Steady); ++i) {
    before = readChannel;
    read(whole.part);
  }
  if (whole.parts > Steady) {
    const Cycle delay = (whole.parts - Steady) * (readChannel - before);
    reads.delay(delay);
    free[Load] += delay, readChannel += delay;
  }
}

/// Segments that all have room, once the first of them has.
void StreamModel::read(const BurstTime &t) {
  const Cycle toData = machine->readLatency + 1;
  const Cycle firstLeaves = reads.roomFrom(free[Load] + 1, t.each, 1);
  free[Load] = reads.roomFrom(firstLeaves + t.issue - 1, t.beats, t.issue);
  const Cycle data = std::max(readChannel, firstLeaves + toData);
  readChannel = std::max(data + t.service, free[Load] + toData + t.each);
  reads.add(t, data + machine->receiveLatency + 1, readChannel + machine->receiveLatency + 1);
}

Cycle StreamModel::compute(Module module, Cycle &toDo, Cycle cycles, Cycle ready) {
  toDo -= cycles;
  return free[module] = startOf(module, ready) + cycles;
}

Cycle StreamModel::store(const TransferTime &whole, Cycle ready) {
  toDo.store -= whole.service;
  free[Store] = startOf(Store, ready) + machine->storeIssueLatency - 1;
  for (uint32_t i = 1; i < whole.parts; ++i)
    write(whole.part);
  write(whole.last);
  return writeChannel + storeLatency(*machine);
}

/// As read().
void StreamModel::write(const BurstTime &t) {
  const Cycle firstLeaves = writes.roomFrom(free[Store] + 1, 0, 1);
  free[Store] = writes.roomFrom(firstLeaves + t.issue - 1, 0, t.issue);
  const Cycle begin = std::max(writeChannel, firstLeaves + 1);
  writeChannel = std::max(begin + t.service, free[Store] + 1 + t.each);
  writes.add(t, begin + storeLatency(*machine) + 1, writeChannel + storeLatency(*machine) + 1);
}

/// When a part of a tensor is there; any cycle up to the last dispatch where nobody has to wait for it.
Cycle StreamModel::readyOf(const Writes &writes, const Timing::Part &part) const {
  for (const Write &write : llvm::reverse(writes))
    if (write.at <= dispatched || write.part.overlaps(part))
      return write.at;
  return 0;
}

} // namespace daedalus::accelerator
