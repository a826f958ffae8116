// R13 and R18: runs become fill and bursts.
#include "clocked/segments.h"

#include <algorithm>

namespace daedalus::clocked {
namespace {

bool outsideLimit(const Segment &segment, const Base &base) {
  return segment.offset < 0 || segment.offset + segment.bytes > int64_t(base.limit);
}

bool outside(int64_t first, int64_t end, uint32_t size) {
  return first < 0 || end > int64_t(size);
}

/// Whether this is the last iteration of all loops.
template <class Loops> bool atLastRun(const Loops &loops, const std::array<uint32_t, 3> &index) {
  for (unsigned loop = 0; loop < 3; ++loop)
    if (index[loop] + 1 < loops[loop].count)
      return false;
  return true;
}

} // namespace

Segment cutBurst(const isa::Machine &machine, uint64_t address, uint32_t bytes) {
  const uint64_t width = machine.busBytes, longest = machine.maxBurstBeats * width;
  Segment burst;
  burst.kind = Segment::Kind::Burst;
  burst.address = address;
  burst.bytes = std::min<uint64_t>(bytes, longest - address % longest);
  burst.beats = (address % longest + burst.bytes - 1) / width - address % longest / width + 1;
  return burst;
}

LoadCursor::LoadCursor(const isa::Load &load, const isa::Machine &machine, const Base &base)
    : load(&load), machine(&machine), base(base) {
  beginRun();
}

void LoadCursor::beginRun() {
  runOffset = load->offset;
  runDst = load->dst;
  for (unsigned loop = 0; loop < 3; ++loop) {
    runOffset += int64_t(index[loop]) * load->loops[loop].dramStride;
    runDst += int64_t(index[loop]) * load->loops[loop].dstStride;
  }
  at = 0;
  before = 0;
  data = load->runBytes;
  if (!load->unbounded) {
    const int64_t y = load->originY + int64_t(index[1]);
    const int64_t x = load->originX + int64_t(index[2]) * load->loops[2].dramStride;
    // The run's bytes k with 0 <= x + k < extent_x.
    const int64_t first = std::max<int64_t>(0, -x);
    const int64_t end = std::min<int64_t>(load->runBytes, int64_t(load->extentX) - x);
    const bool some = y >= 0 && y < load->extentY && first < end;
    before = some ? first : load->runBytes;
    data = some ? end - first : 0;
  }
  cut();
}

void LoadCursor::cut() {
  const uint32_t dataEnd = before + data;
  if (at >= before && at < dataEnd) {
    current = cutBurst(*machine, base.address + uint64_t(runOffset + at), dataEnd - at);
  } else {
    current = Segment();
    current.kind = Segment::Kind::Fill;
    current.bytes = (at < before ? before : load->runBytes) - at;
  }
  current.offset = runOffset + at;
  current.scratch = load->diagonal ? runDst + int64_t(at) * machine->n : runDst + at;
  current.last = at + current.bytes == load->runBytes && atLastRun(load->loops, index);
}

void LoadCursor::next() {
  at += current.bytes;
  if (at < load->runBytes)
    return cut();
  stepLoops(load->loops, index);
  beginRun();
}

FaultCause LoadCursor::fault() const {
  if (current.kind == Segment::Kind::Burst && outsideLimit(current, base))
    return FaultCause::AddressLimit;
  const int64_t bytes = load->diagonal ? int64_t(current.bytes) * machine->n : current.bytes;
  if (outside(current.scratch, current.scratch + bytes, machine->bytes(load->scope)))
    return FaultCause::ScratchpadRange;
  return FaultCause::None;
}

StoreCursor::StoreCursor(const isa::Store &store, const isa::Machine &machine, const Base &base)
    : store(&store), machine(&machine), base(base) {
  cut();
}

void StoreCursor::cut() {
  int64_t offset = int64_t(store->offset) + at, row = store->src;
  for (unsigned loop = 0; loop < 3; ++loop) {
    offset += int64_t(index[loop]) * store->loops[loop].dramStride;
    row += int64_t(index[loop]) * store->loops[loop].srcStride;
  }
  current = cutBurst(*machine, base.address + uint64_t(offset), store->runBytes - at);
  current.offset = offset;
  current.scratch = row * int64_t(machine->n) + at;
  current.last = at + current.bytes == store->runBytes && atLastRun(store->loops, index);
}

void StoreCursor::next() {
  at += current.bytes;
  if (at == store->runBytes) {
    at = 0;
    stepLoops(store->loops, index);
  }
  cut();
}

FaultCause StoreCursor::fault() const {
  if (outsideLimit(current, base))
    return FaultCause::AddressLimit;
  if (outside(current.scratch, current.scratch + current.bytes, machine->bytes(isa::Scope::Out)))
    return FaultCause::ScratchpadRange;
  return FaultCause::None;
}

} // namespace daedalus::clocked
