// Durations and segments. Runs are walked by index; the address of a run is the exact sum of its strides.
#include "daedalus/isa/timing.h"
#include "daedalus/isa/encoding.h"

#include <algorithm>

namespace daedalus::isa {
namespace {

/// Rounded down; `power` is a power of two, as N and the bytes of beats and bursts are.
template <class T> T floorDivide(T value, uint32_t power) {
  return value >> __builtin_ctz(power);
}

/// Rows of n bytes that [begin, begin + bytes) touches.
uint64_t rowsTouched(int64_t begin, uint32_t bytes, uint32_t n) {
  return static_cast<uint64_t>(floorDivide(begin + bytes - 1, n) - floorDivide(begin, n) + 1);
}

/// Bytes of the burst that begins at `address`, of `left` bytes.
uint32_t burstBytesAt(uint64_t address, uint32_t left, uint32_t burstBytes) {
  return std::min<uint32_t>(left, burstBytes - static_cast<uint32_t>(address & (burstBytes - 1)));
}

uint32_t beatsOf(uint64_t address, uint32_t bytes, uint32_t busBytes) {
  return static_cast<uint32_t>(floorDivide(address + bytes - 1, busBytes) - floorDivide(address, busBytes) +
                               1);
}

/// Steps the innermost index; false after the last run.
template <class Loops> bool advanceIndex(std::array<uint32_t, 3> &index, const Loops &loops) {
  for (int loop = 2; loop >= 0; --loop) {
    if (++index[loop] < loops[loop].count)
      return true;
    index[loop] = 0;
  }
  return false;
}

} // namespace

uint64_t gemmCycles(const Gemm &gemm) {
  if (!gemm.window)
    return iterationsOf(gemm.loops);
  std::array<GemmLoop, 6> outer = gemm.loops;
  outer[5].count = 1;
  uint64_t cycles;
  return __builtin_mul_overflow(iterationsOf(outer), columnsOf(gemm), &cycles) ? UINT64_MAX : cycles;
}

uint64_t gemmDuration(const Gemm &gemm, const Machine &machine) {
  return gemmCycles(gemm) + machine.gemmLatency;
}

unsigned vectorCyclesPerRow(const Vector &vector) {
  if (vector.op == VectorOp::Mov32)
    return 4;
  std::array<unsigned, ScopeCount> reads{};
  ++reads[static_cast<unsigned>(vector.aScope)];
  ++reads[static_cast<unsigned>(vector.bScope)];
  if (looksUp(vector.op))
    ++reads[static_cast<unsigned>(Scope::Lut)];
  if (isReducing(vector))
    ++reads[static_cast<unsigned>(vector.dstScope)];
  reads[static_cast<unsigned>(Scope::None)] = reads[static_cast<unsigned>(Scope::Imm)] = 0;
  return std::max(1u, *std::max_element(reads.begin(), reads.end()));
}

unsigned vectorDrain(VectorOp op, const Machine &machine) {
  return machine.vectorLatency + (op == VectorOp::RequantLut ? 2 : 0);
}

uint64_t vectorDuration(const Vector &vector, const Machine &machine) {
  return iterationsOf(vector.loops) * vectorCyclesPerRow(vector) + vectorDrain(vector.op, machine);
}

LoadSegments::LoadSegments(const Load &load, const Machine &machine, uint64_t baseAddress)
    : load(load), busBytes(machine.busBytes), burstBytes(machine.maxBurstBeats * machine.busBytes),
      baseAddress(baseAddress) {}

/// Places the run of the current index: where it lies, and which of its bytes are data.
bool LoadSegments::beginRun() {
  runOffset = load.offset;
  runDst = load.dst;
  for (unsigned loop = 0; loop < 3; ++loop) {
    runOffset += int64_t(index[loop]) * load.loops[loop].dramStride;
    runDst += int64_t(index[loop]) * load.loops[loop].dstStride;
  }
  const int64_t run = load.runBytes;
  position = dataBegin = 0;
  dataEnd = load.runBytes;
  if (!load.unbounded) {
    const int64_t y = int64_t(load.originY) + index[1];
    const int64_t x = load.originX + int64_t(index[2]) * load.loops[2].dramStride;
    const bool outside = y < 0 || y >= load.extentY;
    dataBegin = static_cast<uint32_t>(outside ? run : std::clamp<int64_t>(-x, 0, run));
    dataEnd = static_cast<uint32_t>(outside ? run : std::clamp<int64_t>(load.extentX - x, dataBegin, run));
    if (dataBegin == dataEnd) // a run without data is one fill segment
      dataBegin = dataEnd = load.runBytes;
  }
  return inRun = true;
}

bool LoadSegments::advance() {
  return !(done = !advanceIndex(index, load.loops));
}

bool LoadSegments::next(LoadSegment &segment) {
  if (done)
    return false;
  if (!inRun)
    beginRun();
  segment = LoadSegment();
  segment.position = position;
  segment.runDst = runDst;
  if (position >= dataBegin && position < dataEnd) {
    segment.kind = LoadSegment::Kind::Burst;
    segment.offset = runOffset + position;
    segment.address = baseAddress + static_cast<uint64_t>(segment.offset);
    segment.bytes = burstBytesAt(segment.address, dataEnd - position, burstBytes);
    segment.beats = beatsOf(segment.address, segment.bytes, busBytes);
  } else {
    segment.kind = LoadSegment::Kind::Fill;
    segment.bytes = (position < dataBegin ? dataBegin : load.runBytes) - position;
  }
  position += segment.bytes;
  segment.lastOfRun = position == load.runBytes;
  if (segment.lastOfRun) {
    inRun = false;
    advance();
  }
  return true;
}

uint64_t loadWriteCycles(const Load &load, const LoadSegment &segment, const Machine &machine) {
  if (segment.kind == LoadSegment::Kind::Empty)
    return 1;
  if (load.diagonal)
    return segment.bytes;
  const uint64_t rows = rowsTouched(segment.dst(), segment.bytes, machine.n);
  if (segment.kind == LoadSegment::Kind::Fill)
    return rows;
  const bool shifted =
      ((static_cast<uint64_t>(segment.dst()) - segment.address) & (machine.busBytes - 1)) != 0;
  return segment.beats + (shifted ? rows - 1 : 0);
}

bool inScope(const Load &load, const LoadSegment &segment, const Machine &machine) {
  if (segment.kind == LoadSegment::Kind::Empty)
    return true;
  const int64_t scale =
      load.diagonal ? machine.n : 1; // in diagonal mode byte k is in the k-th row of the run
  const int64_t begin = segment.runDst + scale * segment.position;
  return begin >= 0 && begin + scale * segment.bytes <= machine.bytes(load.scope);
}

StoreSegments::StoreSegments(const Store &store, const Machine &machine, uint64_t baseAddress)
    : store(store), n(machine.n), busBytes(machine.busBytes),
      burstBytes(machine.maxBurstBeats * machine.busBytes), baseAddress(baseAddress) {}

bool StoreSegments::next(StoreSegment &segment) {
  if (done)
    return false;
  int64_t offset = store.offset, row = store.src;
  for (unsigned loop = 0; loop < 3; ++loop) {
    offset += int64_t(index[loop]) * store.loops[loop].dramStride;
    row += int64_t(index[loop]) * store.loops[loop].srcStride;
  }
  segment.offset = offset + position;
  segment.address = baseAddress + static_cast<uint64_t>(segment.offset);
  segment.src = row * n + position;
  segment.bytes = burstBytesAt(segment.address, store.runBytes - position, burstBytes);
  segment.beats = beatsOf(segment.address, segment.bytes, busBytes);
  position += segment.bytes;
  segment.lastOfRun = position == store.runBytes;
  if (segment.lastOfRun) {
    position = 0;
    done = !advanceIndex(index, store.loops);
  }
  return true;
}

bool inScope(const StoreSegment &segment, const Machine &machine) {
  return segment.src >= 0 && segment.src + segment.bytes <= machine.bytes(Scope::Out);
}

} // namespace daedalus::isa
