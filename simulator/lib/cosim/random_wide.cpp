// Loops of thousands of iterations, offsets and limits beyond 2^31, tiles that go back: values that short
// programs in a small memory never have.
#include "cosim/random_wide.h"

#include "cosim/pick.h"
#include "cosim/random_loops.h"

namespace daedalus::cosim {

using namespace isa;

namespace {

constexpr uint64_t Boundary = uint64_t(1) << 16; ///< of DRAM, in bytes

/// All addresses go up by so much.
void moveUp(Case &test, uint64_t bytes) {
  test.programAddress += bytes;
  test.parameters += bytes;
  for (uint64_t &base : test.bases)
    base += bytes;
}

/// Whether a base register has a limit, and how far behind it its limit and its transfers' offsets go.
struct Reach {
  bool used = false;
  uint64_t last = 0; ///< the largest offset or limit
};

template <class F> void forEachTransfer(Program &program, F f) {
  for (Instruction &instruction : program.instructions) {
    if (auto *load = std::get_if<Load>(&instruction))
      f(*load);
    if (auto *store = std::get_if<Store>(&instruction))
      f(*store);
  }
}

Reach reachOf(Program &program, unsigned base) {
  Reach reach{program.bases[base].limit != 0, program.bases[base].limit};
  forEachTransfer(program, [&](auto &transfer) {
    if (transfer.base == base)
      reach.last = std::max<uint64_t>(reach.last, transfer.offset);
  });
  return reach;
}

/// A distance by which everything of a base register may move.
uint64_t drawShift(Random &random, uint64_t last) {
  const uint64_t most = UINT32_MAX - last, half = uint64_t(1) << 31;
  switch (random.between(0, 3)) {
  case 0: // up to the last limit that there is
    return most;
  case 1: // 2^31 somewhere in the middle
    return std::min(most,
                    half - static_cast<uint64_t>(random.between(0, std::min<int64_t>(int64_t(last), 20000))));
  case 2: // beyond 2^31
    return std::min(most, half + static_cast<uint64_t>(random.between(0, 1 << 30)));
  default:
    return static_cast<uint64_t>(random.between(0, int64_t(most)));
  }
}

void shiftBase(Case &test, unsigned base, uint64_t shift) {
  test.program.bases[base].limit += static_cast<uint32_t>(shift);
  test.bases[base] -= shift;
  forEachTransfer(test.program, [&](auto &transfer) {
    if (transfer.base == base)
      transfer.offset += static_cast<uint32_t>(shift);
  });
}

/// A count that does not fit 12 bits.
uint16_t drawLong(Random &random, int64_t most) {
  const int64_t kind = random.between(0, 3);
  const int64_t count = kind == 0   ? 4096 + random.between(-1, 1)
                        : kind == 1 ? (int64_t(1) << random.between(12, 15)) + random.between(0, 40)
                                    : random.between(4097, 9000);
  return static_cast<uint16_t>(std::min(count, most));
}

/// One long loop, and perhaps a short one around or in it; all else is 1.
template <class Loops> size_t drawLongLoop(Loops &loops, Random &random, uint16_t count) {
  for (auto &loop : loops)
    loop.count = 1;
  const auto any = [&] { return static_cast<size_t>(random.between(0, int64_t(loops.size()) - 1)); };
  const size_t at = any();
  if (random.chance(30))
    loops[any()].count = static_cast<uint16_t>(random.between(2, 3));
  loops[at].count = count;
  return at;
}

} // namespace

void widen(Case &test, Random &random) {
  for (unsigned base = 0; base < BaseRegisters; ++base) {
    const Reach reach = reachOf(test.program, base);
    if (reach.used && reach.last < UINT32_MAX / 4 && random.chance(70))
      shiftBase(test, base, drawShift(random, reach.last));
  }
  if (random.chance(40))
    return;
  // A boundary lies in the program or in the data.
  const uint64_t part = random.chance(50) ? test.programAddress : test.parameters;
  const uint64_t inside = (part / 64 + static_cast<uint64_t>(random.between(1, 30))) * 64;
  const uint64_t up = Boundary * static_cast<uint64_t>(random.between(1, 3)) - inside % Boundary;
  test.dramBytes += up;
  moveUp(test, up);
  if (random.chance(40)) // the boundary is one of 32 bits, or of more
    return;
  const uint64_t at = uint64_t(1) << (random.chance(55) ? 32 : random.between(31, 63));
  test.memory.origin = at - (inside + up);
  moveUp(test, test.memory.origin);
}

bool farAddressLimit(Case &test, const Machine &, Random &random) {
  const uint32_t at = pick<Load, Store>(test.program.instructions, random);
  if (at == test.program.instructions.size())
    return false;
  const auto spoil = [&](auto &transfer) {
    auto &loop = transfer.loops[random.between(0, 2)];
    const int32_t far[] = {INT32_MIN, INT32_MAX, INT32_MIN + 1, -(1 << 30), 1 << 30, -(1 << 16), 1 << 16};
    loop.count = static_cast<uint16_t>(random.between(2, 5));
    loop.dramStride = far[random.between(0, 6)];
  };
  test.faulty = at;
  test.timed = true; // a run within the limit may lie where no memory is: the first in time counts
  if (auto *load = std::get_if<Load>(&test.program.instructions[at])) {
    spoil(*load);
    if (random.chance(60)) { // the runs between are fill, and only the last is read
      load->unbounded = false;
      load->loops[1].count = static_cast<uint16_t>(random.between(2, 5));
      load->loops[1].dramStride = random.chance(70) ? INT32_MIN : INT32_MAX;
      load->loops[1].dstStride = 0;
      load->originY = static_cast<int16_t>(1 - load->loops[1].count);
      load->extentY = 1;
      load->originX = 0;
      load->extentX = 65535;
    }
  } else {
    spoil(std::get<Store>(test.program.instructions[at]));
  }
  return true;
}

Instruction InstructionDraw::wide() {
  const bool veryLong = random.chance(15); // counters pass 16 bits
  const int64_t kind = random.between(0, 99);
  if (veryLong || kind < 45)
    return kind % 2 ? Instruction(longGemm(veryLong)) : Instruction(longVector(veryLong));
  if (kind < 65)
    return tilesBackwards();
  return kind < 88 ? Instruction(longLoad()) : Instruction(longStore());
}

/// A long sum, so that each iteration shows in the result.
Gemm InstructionDraw::longGemm(bool veryLong) {
  Gemm gemm = this->gemm();
  const size_t at = drawLongLoop(gemm.loops, random, veryLong ? 33'000 : drawLong(random, 20'000));
  if (veryLong)
    gemm.loops[at ? at - 1 : 1].count = 2;
  for (GemmLoop &loop : gemm.loops)
    loop.inpStride = loop.wgtStride = loop.accStride = 0;
  if (gemmCycles(gemm) > 70'000)
    gemm.window = gemm.line = gemm.lead = gemm.step = 0;
  const bool ofColumns = gemm.window && at == 5;
  if (random.chance(80) && !ofColumns)
    gemm.reduction = static_cast<uint8_t>(gemm.reduction | 1u << at);
  return gemm;
}

Vector InstructionDraw::longVector(bool veryLong) {
  Vector vector = this->vector();
  const size_t at = drawLongLoop(vector.loops, random, veryLong ? 22'500 : drawLong(random, 9000));
  if (veryLong)
    vector.loops[at ? at - 1 : 1].count = 3;
  for (VectorLoop &loop : vector.loops)
    loop.dstStride = loop.aStride = loop.bStride = 0;
  return vector;
}

/// GEMM goes through the first tiles from behind, or from the last one back to them.
Gemm InstructionDraw::tilesBackwards() {
  Gemm gemm = this->gemm();
  const int64_t last = std::min<int64_t>(machine.rows(Scope::Wgt) - 1, INT16_MAX);
  const int64_t few = std::min(last, windows[static_cast<unsigned>(Scope::Wgt)].front().count - 1);
  for (GemmLoop &loop : gemm.loops)
    loop.wgtStride = 0;
  const bool far = random.chance(50);
  const int64_t from = far ? last : few, steps = far ? 1 : random.between(1, std::max<int64_t>(few, 1));
  const int64_t stride = far ? last - random.between(0, few) : few / steps;
  GemmLoop &loop = gemm.loops[random.between(0, 5)];
  loop.count = static_cast<uint16_t>(steps + 1);
  loop.wgtStride = static_cast<int16_t>(-stride);
  gemm.wgt = static_cast<uint16_t>(from);
  return gemm;
}

/// Thousands of runs: of a few bytes each, or fill but for the last rows, whose y is far from the first.
Load InstructionDraw::longLoad() {
  Load load = this->load();
  load.diagonal = false;
  load.runBytes = static_cast<uint16_t>(random.between(1, 3));
  drawLongLoop(load.loops, random, drawLong(random, 6000));
  for (LoadLoop &loop : load.loops) {
    loop.dramStride = static_cast<int32_t>(loop.count > 1 ? random.between(-2, 2) : 0);
    loop.dstStride = static_cast<int32_t>(loop.count > 1 && random.chance(50) ? random.between(-1, 1) : 0);
  }
  load.offset = static_cast<uint32_t>(random.between(0, limits.dramBytes - 1));
  load.unbounded = random.chance(40);
  if (load.unbounded)
    return load;
  for (LoadLoop &loop : load.loops)
    loop.count = 1;
  load.loops[1].count =
      static_cast<uint16_t>(random.chance(30) ? random.between(32'768, 34'000) : drawLong(random, 9000));
  load.originY =
      static_cast<int16_t>(-(std::min<int64_t>(load.loops[1].count, 32'769) - random.between(1, 6)));
  load.extentY = static_cast<uint16_t>(random.between(1, 3));
  load.originX = 0;
  load.extentX = 65535;
  load.loops[1].dramStride = 0;
  return load;
}

Store InstructionDraw::longStore() {
  Store store = this->store();
  store.runBytes = static_cast<uint16_t>(random.between(1, 3));
  drawLongLoop(store.loops, random, drawLong(random, 4100));
  for (StoreLoop &loop : store.loops) {
    loop.dramStride = static_cast<int32_t>(loop.count > 1 ? random.between(-3, 3) : 0);
    loop.srcStride = 0;
  }
  store.offset = static_cast<uint32_t>(random.between(0, limits.dramBytes - 1));
  return store;
}

} // namespace daedalus::cosim
