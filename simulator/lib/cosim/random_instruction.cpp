// An operand's strides are drawn first and its place then, from what is left of the scope. Fields that an instruction
// does not use get any value: strides of loops with one iteration, the row of an absent operand, the table of what is
// no lut.
#include "cosim/random_instruction.h"

#include "daedalus/isa/encoding.h"
#include "daedalus/isa/instruction_fields.h"
#include "daedalus/isa/timing.h"

#include <algorithm>
#include <cstdlib>

namespace daedalus::cosim {

using namespace isa;

std::vector<Window> windowsOf(Scope scope, const Machine &machine) {
  const int64_t rows = machine.rows(scope);
  const int64_t many = scope == Scope::Inp ? 64 : scope == Scope::Wgt ? 6 : scope == Scope::Param ? 3 : 32;
  const int64_t few = scope == Scope::Wgt || scope == Scope::Param ? 1 : 8;
  if (rows <= many + 2 * few)
    return {{0, rows}};
  std::vector<Window> windows = {{0, many}, {rows - few, few}};
  const int64_t border = machine.banks(scope) > 1 ? rows / machine.banks(scope) : 0;
  if (border > many + 8 && border + 8 < rows - few)
    windows.push_back({border - 8, 16});
  return windows;
}

InstructionDraw::InstructionDraw(const Machine &machine, Random &random, InstructionLimits limits)
    : machine(machine), random(random), limits(limits) {
  for (Scope scope : {Scope::Inp, Scope::Wgt, Scope::Acc, Scope::Param, Scope::Lut, Scope::Out})
    windows[static_cast<unsigned>(scope)] = windowsOf(scope, machine);
}

Instruction InstructionDraw::any() {
  const int64_t kind = random.between(0, 99);
  if (kind < 28)
    return load();
  if (kind < 47)
    return gemm();
  if (kind < 74)
    return vector();
  if (kind < 92)
    return store();
  return nothing(static_cast<Module>(random.between(0, ModuleCount - 1)));
}

Instruction InstructionDraw::nothing(Module module) {
  const uint32_t id = static_cast<uint32_t>(random.bits());
  return random.chance(50) ? Instruction(Mark{0, 0, module, id}) : Instruction(Nop{0, 0, module, id});
}

/// Counts of loops: most are 1, some are large, and their product stays within `most`.
template <class Loops> void InstructionDraw::drawCounts(Loops &loops, uint64_t most) {
  for (auto &loop : loops)
    loop.count = random.chance(55) ? 1 : static_cast<uint16_t>(random.between(2, 9));
  if (random.chance(6)) {
    for (auto &loop : loops)
      loop.count = 1;
    auto &one = loops[static_cast<size_t>(random.between(0, int64_t(loops.size()) - 1))];
    one.count = static_cast<uint16_t>(random.between(1, int64_t(most)));
  }
  while (iterationsOf(loops) > most)
    loops[static_cast<size_t>(random.between(0, int64_t(loops.size()) - 1))].count = 1;
}

/// A stride that is never added.
int64_t InstructionDraw::unusedStride(int64_t most, int64_t grain) {
  switch (random.between(0, 3)) {
  case 0:
    return most / grain * grain;
  case 1:
    return -(most + 1) / grain * grain;
  case 2:
    return random.between(-most / grain, most / grain) * grain;
  default:
    return 0;
  }
}

/// Strides of one operand, and a place from which its units lie in [0, units), mostly inside one of the windows.
template <class Loops, class Member>
int64_t InstructionDraw::place(Loops &loops, Member stride, int64_t reach, int64_t extent, int64_t units,
                               Scope scope, int64_t grain) {
  const int64_t most = sizeof(loops[0].*stride) == 2 ? 0x7fff : 0x7fffff;
  const bool wide = random.chance(6); // from one end of the scope to the other
  int64_t low = 0, high = extent;
  for (auto &loop : loops) {
    int64_t value = random.chance(25) ? 0 : random.between(-reach, reach);
    if (loop.count > 1 && wide && random.chance(70))
      value = (random.chance(50) ? 1 : -1) * ((units - high + low) / (loop.count - 1));
    if (high - low + std::abs((loop.count - 1) * value) > units || std::abs(value * grain) > most)
      value = 0;
    (value < 0 ? low : high) += (loop.count - 1) * value;
    loop.*stride = static_cast<std::decay_t<decltype(loop.*stride)>>(loop.count == 1 ? unusedStride(most, grain)
                                                                                   : value * grain);
  }
  const int64_t first = -low, last = units - high;
  const std::vector<Window> &places = windows[static_cast<unsigned>(scope)];
  const Window &window = places[random.chance(60) ? 0 : random.between(0, int64_t(places.size()) - 1)];
  const int64_t kind = random.between(0, 99), room = window.count - (high - low);
  const int64_t at = kind < 84   ? window.first - low + random.between(0, std::max<int64_t>(room, 0))
                     : kind < 90 ? last
                     : kind < 92 ? first
                                 : random.between(std::min(first, last), last);
  return std::clamp(at, std::min(first, last), last);
}

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
  load.runBytes = static_cast<uint16_t>(load.diagonal ? random.between(1, n) : std::min<int64_t>(drawRun(), bytes));
  drawCounts(load.loops, static_cast<uint64_t>(std::clamp<int64_t>(bytesOfOne() / load.runBytes, 1, 60)));
  const int64_t grain = load.diagonal || random.chance(50) ? n : 1; // rows, or bytes anywhere
  const int64_t extent = load.diagonal ? load.runBytes * n : load.runBytes;
  load.dst = static_cast<uint32_t>(
      grain * place(load.loops, &LoadLoop::dstStride, grain == 1 ? 3 * n : 5, (extent + grain - 1) / grain,
                    bytes / grain, load.scope, grain));
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
  load.dst = static_cast<uint32_t>(row * (random.chance(70) ? random.between(0, std::min<int64_t>(3, last))
                                                            : random.between(0, last)));
}

/// Origin and extent: as convolutions use them, at the ends of their fields, or with rows far outside DRAM that are
/// fill and therefore not read.
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
  const int64_t stride = -random.between(1, std::min<int64_t>(int64_t(1) << 31, (int64_t(0xffff0000)) / inside));
  load.offset = static_cast<uint32_t>(load.offset - inside * stride);
  load.loops[1].dramStride = static_cast<int32_t>(stride);
  load.originY = static_cast<int16_t>(-inside);
  load.extentY = 1;
  load.originX = 0;
  load.extentX = 65535;
}

/// The inner loop leaves the tensor with its first step, however far its stride goes.
void InstructionDraw::drawFarRun(Load &load) {
  static const int32_t strides[] = {INT32_MIN, INT32_MAX, -(1 << 30), 1 << 30, 1 << 29, -65536, 65536, 1 << 16};
  load.loops[2].count = static_cast<uint16_t>(random.between(2, 9));
  load.loops[2].dstStride = static_cast<int32_t>(machine.n * random.between(0, 2));
  load.loops[2].dramStride = strides[random.between(0, 7)];
  load.originX = static_cast<int16_t>(random.between(-20, 20));
  load.extentX = static_cast<uint16_t>(random.between(1, 400));
  load.originY = 0;
  load.extentY = 65535;
}

Gemm InstructionDraw::gemm() {
  Gemm gemm;
  drawCounts(gemm.loops, limits.iterations);
  gemm.inp = static_cast<uint16_t>(
      place(gemm.loops, &GemmLoop::inpStride, 6, 1, machine.rows(Scope::Inp), Scope::Inp));
  gemm.wgt = static_cast<uint16_t>(
      place(gemm.loops, &GemmLoop::wgtStride, 2, 1, machine.rows(Scope::Wgt), Scope::Wgt));
  gemm.acc = static_cast<uint16_t>(
      place(gemm.loops, &GemmLoop::accStride, 5, 1, machine.rows(Scope::Acc), Scope::Acc));
  gemm.accumulate = random.chance(25);
  gemm.reduction = static_cast<uint8_t>(random.bits() & 63);
  for (unsigned loop = 0; loop < gemm.loops.size(); ++loop) // as compilers do it, mostly: partial sums stay
    if ((gemm.reduction >> loop & 1) && random.chance(80))
      gemm.loops[loop].accStride = 0;
  return gemm;
}

int32_t InstructionDraw::drawImmediate() {
  static const int32_t values[] = {INT32_MIN, INT32_MAX, -1, 0, 1, 31, 32, 33, -32, 127, 128, -128, -129, 65536};
  const int64_t kind = random.between(0, 2);
  return kind == 0   ? values[random.between(0, 13)]
         : kind == 1 ? static_cast<int32_t>(random.between(-9, 9))
                     : static_cast<int32_t>(random.bits());
}

void InstructionDraw::drawClamp(Vector &vector) {
  vector.lo = static_cast<int8_t>(random.chance(40) ? -128 : random.between(-128, 60));
  vector.hi = static_cast<int8_t>(random.chance(40) ? 127 : random.between(random.chance(8) ? -128 : vector.lo, 127));
  vector.zeroPoint = static_cast<int8_t>(random.chance(50) ? random.between(-20, 20) : random.between(-128, 127));
}

Vector InstructionDraw::vector() {
  const VectorForm &form = VectorForms[static_cast<size_t>(random.between(0, VectorForms.size() - 1))];
  Vector vector;
  vector.op = static_cast<VectorOp>(random.oneOf(form.ops));
  vector.aScope = static_cast<Scope>(random.oneOf(form.a));
  vector.bScope = static_cast<Scope>(random.oneOf(form.b));
  vector.dstScope = static_cast<Scope>(random.oneOf(form.dst));
  vector.rounding = random.chance(50) ? Rounding::HalfEven : Rounding::HalfUp;
  vector.immediate = drawImmediate();
  drawClamp(vector);
  const int64_t tables = vector.op == VectorOp::Lut ? std::min(8u, machine.rows(Scope::Lut)) : 8;
  vector.table = static_cast<uint8_t>(random.between(0, tables - 1));
  drawCounts(vector.loops, limits.iterations);
  vector.a = operand(vector, vector.aScope, &VectorLoop::aStride);
  vector.b = operand(vector, vector.bScope, &VectorLoop::bStride);
  vector.dst = operand(vector, vector.dstScope, &VectorLoop::dstStride);
  if (form.reducing && (!form.plain || random.chance(50)))
    drawReduction(vector);
  if (!isReducing(vector) && random.chance(30))
    makeInPlace(vector);
  return vector;
}

uint16_t InstructionDraw::operand(Vector &vector, Scope scope, int16_t VectorLoop::*stride) {
  if (scope == Scope::None || scope == Scope::Imm) {
    for (VectorLoop &loop : vector.loops)
      loop.*stride = static_cast<int16_t>(unusedStride(0x7fff, 1));
    return static_cast<uint16_t>(random.bits());
  }
  const bool rows = scope == Scope::Param && vector.op == VectorOp::Requant;
  const bool isMov32 = vector.op == VectorOp::Mov32 && stride == &VectorLoop::dstStride;
  const int64_t units = rows ? machine.rows(scope) : machine.slices(scope);
  const int64_t reach = rows ? 1 : isMov32 ? 6 : 4;
  return static_cast<uint16_t>(place(vector.loops, stride, reach, isMov32 ? 4 : 1, units, scope));
}

void InstructionDraw::drawReduction(Vector &vector) {
  vector.reduction = static_cast<uint8_t>(random.bits() & 31);
  vector.accumulate = vector.reduction == 0 || random.chance(25);
  for (unsigned loop = 0; loop < vector.loops.size(); ++loop)
    if ((vector.reduction >> loop & 1) && random.chance(80))
      vector.loops[loop].dstStride = 0;
}

void InstructionDraw::makeInPlace(Vector &vector) {
  if (vector.aScope != vector.dstScope || vector.op == VectorOp::Mov32)
    return;
  vector.dst = vector.a;
  for (VectorLoop &loop : vector.loops)
    loop.dstStride = loop.aStride;
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
