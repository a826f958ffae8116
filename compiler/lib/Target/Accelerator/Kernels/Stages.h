// What a stage is as an instruction of VECTOR.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELS_STAGES_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELS_STAGES_H

#include "Kernels/Kernel.h"

#include "daedalus/isa/encoding.h"
#include "daedalus/isa/timing.h"

namespace daedalus::accelerator {

/// As far as its legality and its duration depend on the stage.
inline isa::Vector instructionOf(const Stage &stage) {
  const auto scopeOf = [](const Operand &operand) {
    switch (operand.place) {
    case Operand::Place::Input:
      return isa::Scope::Inp;
    case Operand::Place::Temporary:
    case Operand::Place::RowTemporary:
      return isa::Scope::Acc;
    case Operand::Place::Output:
      return isa::Scope::Out;
    case Operand::Place::Constant:
    case Operand::Place::Row:
      return isa::Scope::Param;
    case Operand::Place::Immediate:
      return isa::Scope::Imm;
    case Operand::Place::None:
      break;
    }
    return isa::Scope::None;
  };
  isa::Vector vector;
  vector.op = static_cast<isa::VectorOp>(stage.op);
  vector.accumulate = stage.accumulate;
  vector.dstScope = scopeOf(stage.dst), vector.aScope = scopeOf(stage.a);
  vector.bScope = stage.op == dae::VectorKind::Lut ? isa::Scope::None : scopeOf(stage.b);
  return vector;
}

/// Whether it has the parameters of a requantization.
inline bool requantizes(const Stage &stage) {
  return isa::requantizes(static_cast<isa::VectorOp>(stage.op));
}

/// Cycles of VECTOR for a row.
inline unsigned cyclesPerRow(const Stage &stage) {
  return isa::vectorCyclesPerRow(instructionOf(stage));
}

} // namespace daedalus::accelerator

#endif
