// What a stage is as an instruction of VECTOR.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELS_STAGES_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELS_STAGES_H

#include "Kernels/Kernel.h"

#include "daedalus/isa/timing.h"

namespace daedalus::accelerator {

/// Cycles of VECTOR for a row.
inline unsigned cyclesPerRow(const Stage &stage) {
  const auto scopeOf = [](const Operand &operand) {
    switch (operand.place) {
    case Operand::Place::Input:
      return isa::Scope::Inp;
    case Operand::Place::Temporary:
      return isa::Scope::Acc;
    case Operand::Place::Output:
      return isa::Scope::Out;
    case Operand::Place::Constant:
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
  return isa::vectorCyclesPerRow(vector);
}

} // namespace daedalus::accelerator

#endif
