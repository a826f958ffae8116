// An operand's strides are drawn first and its place then, from what is left of the scope. Fields that an
// instruction does not use get any value: strides of loops with one iteration, the row of an absent operand,
// the table of what is no lut.
#include "cosim/random_loops.h"

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

/// The distance of a window's lines, odd: of few rows, or to another window of INP's rows.
int64_t InstructionDraw::drawLine(const Gemm &gemm) {
  const std::vector<Window> &places = windows[static_cast<unsigned>(Scope::Inp)];
  int64_t line = random.between(0, 24 / gemm.window);
  if (places.size() > 1 && random.chance(10))
    line = std::min<int64_t>((places.back().first + random.between(0, 40)) / gemm.window, INT16_MAX - 1);
  line |= 1;
  return random.chance(50) ? line : -line;
}

/// A window: loop 5 goes over columns. All heights, leads up to all that the field holds, mostly those that
/// the taps of a window reach.
void InstructionDraw::drawColumns(Gemm &gemm) {
  gemm.window = static_cast<uint8_t>(random.between(1, machine.inpInterleave));
  gemm.line = static_cast<int16_t>(drawLine(gemm));
  const int64_t taps = machine.n / gemm.window, kind = random.between(0, 9);
  gemm.lead = static_cast<uint8_t>(std::min<int64_t>(63, kind < 3   ? taps - 1
                                                         : kind < 9 ? random.between(0, taps + 1)
                                                                    : random.between(0, 63)));
  gemm.step = static_cast<uint8_t>(random.between(1, 3));
  for (size_t loop = 0; loop < 5 && gemmCycles(gemm) > 2 * limits.iterations; ++loop)
    gemm.loops[loop].count = 1;
}

/// Strides and the first row of INP. With a window they are those of its columns, and its lines lie around
/// them.
void InstructionDraw::placeInp(Gemm &gemm) {
  const int64_t rows = machine.rows(Scope::Inp);
  const auto before = gemm.loops;
  if (gemm.window) // what is longer than its field holds does not fit INP either
    gemm.loops[5].count = static_cast<uint16_t>(std::min<uint64_t>(columnsOf(gemm), UINT16_MAX));
  const int64_t lines = (gemm.window > 1 ? gemm.window - 1 : 0) * int64_t(gemm.line);
  const int64_t first = place(gemm.loops, &GemmLoop::inpStride, gemm.window ? 2 : 6,
                              std::min(1 + std::abs(lines), rows), rows, Scope::Inp);
  gemm.inp = static_cast<uint16_t>(first - std::min<int64_t>(lines, 0));
  for (size_t loop = 0; loop < before.size(); ++loop)
    gemm.loops[loop].count = before[loop].count;
}

Gemm InstructionDraw::gemm() {
  Gemm gemm;
  drawCounts(gemm.loops, limits.iterations);
  if (random.chance(machine.inpInterleave > 1 ? 45 : 20))
    drawColumns(gemm);
  placeInp(gemm);
  gemm.wgt = static_cast<uint16_t>(
      place(gemm.loops, &GemmLoop::wgtStride, 2, 1, machine.rows(Scope::Wgt), Scope::Wgt));
  gemm.acc = static_cast<uint16_t>(
      place(gemm.loops, &GemmLoop::accStride, 5, 1, machine.rows(Scope::Acc), Scope::Acc));
  gemm.accumulate = random.chance(25);
  gemm.reduction = static_cast<uint8_t>(random.bits() & (gemm.window ? 31 : 63));
  for (unsigned loop = 0; loop < gemm.loops.size(); ++loop) // as compilers do it, mostly: partial sums stay
    if ((gemm.reduction >> loop & 1) && random.chance(80))
      gemm.loops[loop].accStride = 0;
  return gemm;
}

int32_t InstructionDraw::drawImmediate() {
  static const int32_t values[] = {INT32_MIN, INT32_MAX, -1,  0,   1,    31,   32,
                                   33,        -32,       127, 128, -128, -129, 65536};
  const int64_t kind = random.between(0, 2);
  return kind == 0   ? values[random.between(0, 13)]
         : kind == 1 ? static_cast<int32_t>(random.between(-9, 9))
                     : static_cast<int32_t>(random.bits());
}

void InstructionDraw::drawClamp(Vector &vector) {
  vector.lo = static_cast<int8_t>(random.chance(40) ? -128 : random.between(-128, 60));
  vector.hi = static_cast<int8_t>(
      random.chance(40) ? 127 : random.between(random.chance(25) ? -128 : vector.lo, 127));
  vector.zeroPoint =
      static_cast<int8_t>(random.chance(50) ? random.between(-20, 20) : random.between(-128, 127));
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
  const int64_t tables = isa::looksUp(vector.op) ? std::min(8u, machine.rows(Scope::Lut)) : 8;
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
  const bool rows = scope == Scope::Param && isa::requantizes(vector.op);
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

} // namespace daedalus::cosim
