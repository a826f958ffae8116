// Random LOADs and STOREs. A run lies anywhere in DRAM up to the limit; a LOAD's place in its tensor is as
// convolutions use it, at the ends of its fields, or with rows far outside that are never read.
#include "cosim/random_loops.h"

namespace daedalus::cosim {

using namespace isa;

uint32_t InstructionDraw::drawRun() {
  const int64_t n = machine.n, kind = random.between(0, 99);
  if (kind < 25)
    return static_cast<uint32_t>(random.between(1, 8));
  if (kind < 60)
    return static_cast<uint32_t>(random.between(1, 4 * n));
  if (kind < 85)
    return static_cast<uint32_t>(n * random.between(1, 6));
  return static_cast<uint32_t>(random.between(1, random.chance(30) ? 6000 : 20 * n));
}

/// How many bytes one LOAD or STORE moves at most.
int64_t InstructionDraw::bytesOfOne() {
  return random.chance(15) ? 6000 : 1200;
}

/// Strides in DRAM and the offset of the first run, so that all runs of `run` bytes lie within the limit.
template <class Loops> uint32_t InstructionDraw::drawDram(Loops &loops, int64_t run) {
  int64_t low = 0, high = run;
  for (auto &loop : loops) {
    const int64_t kind = random.between(0, 99);
    int64_t value = kind < 30   ? run
                    : kind < 45 ? machine.n * random.between(-4, 8)
                    : kind < 80 ? random.between(-150, 300)
                    : kind < 90 ? 0
                                : random.between(-4096, 4096);
    if (loop.count > 1 && high - low + std::abs((loop.count - 1) * value) > int64_t(limits.dramBytes))
      value = 0;
    (value < 0 ? low : high) += (loop.count - 1) * value;
    loop.dramStride = static_cast<int32_t>(loop.count == 1 ? unusedStride(INT32_MAX, 1) : value);
  }
  const int64_t first = -low, last = int64_t(limits.dramBytes) - high, kind = random.between(0, 99);
  const int64_t at = kind < 8 ? last : kind < 12 ? first : random.between(first, last);
  return static_cast<uint32_t>(kind < 50 ? std::max(first, at / machine.busBytes * machine.busBytes) : at);
}

Load InstructionDraw::load() {
  static const Scope scopes[] = {Scope::Inp, Scope::Inp, Scope::Wgt, Scope::Wgt, Scope::Param, Scope::Lut};
  Load load;
  load.scope = scopes[random.between(0, 5)];
  if (load.scope == Scope::Param && random.chance(60)) {
    drawParameters(load);
    return load;
  }
  load.base = random.chance(50);
  load.diagonal = load.scope == Scope::Wgt && random.chance(40);
  load.unsignedData = random.chance(30);
  load.tailFill = !load.diagonal && random.chance(40);
  load.fill = static_cast<int8_t>(random.bits());
  const int64_t n = machine.n, bytes = machine.bytes(load.scope);
  load.runBytes =
      static_cast<uint16_t>(load.diagonal ? random.between(1, n) : std::min<int64_t>(drawRun(), bytes));
  drawCounts(load.loops, static_cast<uint64_t>(std::clamp<int64_t>(bytesOfOne() / load.runBytes, 1, 60)));
  const int64_t grain = load.diagonal || random.chance(50) ? n : 1; // rows, or bytes anywhere
  const int64_t extent = load.diagonal ? load.runBytes * n : load.runBytes;
  load.dst =
      static_cast<uint32_t>(grain * place(load.loops, &LoadLoop::dstStride, grain == 1 ? 3 * n : 5,
                                          (extent + grain - 1) / grain, bytes / grain, load.scope, grain));
  load.offset = drawDram(load.loops, load.runBytes);
  drawPlaceInTensor(load);
  return load;
}

/// Whole rows of sound parameters.
void InstructionDraw::drawParameters(Load &load) {
  const int64_t row = 16 * machine.n, rows = std::min<int64_t>(4096 / row, machine.rows(Scope::Param));
  load.unbounded = true;
  load.runBytes = static_cast<uint16_t>(row * random.between(1, std::min<int64_t>(rows, 3)));
  load.offset = static_cast<uint32_t>(16 * random.between(0, (4096 - load.runBytes) / 16));
  const int64_t last = machine.rows(Scope::Param) - load.runBytes / row;
  load.dst = static_cast<uint32_t>(
      row * (random.chance(70) ? random.between(0, std::min<int64_t>(3, last)) : random.between(0, last)));
}

/// Origin and extent: as convolutions use them, at the ends of their fields, or with rows far outside DRAM
/// that are fill and therefore not read.
void InstructionDraw::drawPlaceInTensor(Load &load) {
  const int64_t kind = random.between(0, 99);
  load.unbounded = kind < 40;
  if (kind < 85) {
    load.originY = static_cast<int16_t>(random.between(-3, 3));
    load.originX = static_cast<int16_t>(random.between(-60, 40));
    load.extentY = static_cast<uint16_t>(random.between(0, 6));
    load.extentX = static_cast<uint16_t>(random.chance(50) ? random.between(0, 64) : random.between(0, 800));
  } else if (kind < 93) {
    static const int16_t origins[] = {-32768, -32767, -1, 0, 1, 32766, 32767};
    static const uint16_t extents[] = {0, 1, 2, 32767, 32768, 65534, 65535};
    load.originY = origins[random.between(0, 6)];
    load.originX = origins[random.between(0, 6)];
    load.extentY = extents[random.between(0, 6)];
    load.extentX = extents[random.between(0, 6)];
  } else {
    random.chance(50) ? drawFarRow(load) : drawFarRun(load);
  }
}

/// One iteration of the middle loop is inside the tensor; it is in reach of the offset by a large stride.
void InstructionDraw::drawFarRow(Load &load) {
  if (load.loops[1].count == 1)
    load.loops[1].count = 2;
  load.loops[1].dstStride = static_cast<int32_t>(machine.n * random.between(0, 2));
  const int64_t inside = random.between(1, load.loops[1].count - 1);
  const int64_t stride =
      -random.between(1, std::min<int64_t>(int64_t(1) << 31, (int64_t(0xffff0000)) / inside));
  load.offset = static_cast<uint32_t>(load.offset - inside * stride);
  load.loops[1].dramStride = static_cast<int32_t>(stride);
  load.originY = static_cast<int16_t>(-inside);
  load.extentY = 1;
  load.originX = 0;
  load.extentX = 65535;
}

/// The inner loop leaves the tensor with its first step, however far its stride goes.
void InstructionDraw::drawFarRun(Load &load) {
  static const int32_t strides[] = {INT32_MIN, INT32_MAX, -(1 << 30), 1 << 30,
                                    1 << 29,   -65536,    65536,      1 << 16};
  load.loops[2].count = static_cast<uint16_t>(random.between(2, 9));
  load.loops[2].dstStride = static_cast<int32_t>(machine.n * random.between(0, 2));
  load.loops[2].dramStride = strides[random.between(0, 7)];
  load.originX = static_cast<int16_t>(random.between(-20, 20));
  load.extentX = static_cast<uint16_t>(random.between(1, 400));
  load.originY = 0;
  load.extentY = 65535;
}

Store InstructionDraw::store() {
  Store store;
  store.scope = Scope::Out;
  store.base = 1;
  store.unsignedData = random.chance(30);
  const int64_t n = machine.n, rows = machine.rows(Scope::Out);
  store.runBytes = static_cast<uint16_t>(std::min<int64_t>(drawRun(), random.chance(80) ? 32 * n : rows * n));
  drawCounts(store.loops, static_cast<uint64_t>(std::clamp<int64_t>(bytesOfOne() / store.runBytes, 1, 60)));
  store.src = static_cast<uint16_t>(
      place(store.loops, &StoreLoop::srcStride, 3, (store.runBytes + n - 1) / n, rows, Scope::Out));
  store.offset = drawDram(store.loops, store.runBytes);
  return store;
}

} // namespace daedalus::cosim
