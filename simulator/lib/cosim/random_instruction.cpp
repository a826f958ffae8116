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

} // namespace daedalus::cosim
