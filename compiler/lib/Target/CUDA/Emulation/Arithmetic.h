// Operations on scalars. Vectors are one after the other.
#pragma once

#include "Code.h"

namespace daedalus::cuda {

enum class IntegerOperation : uint8_t {
  Add,
  Sub,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  And,
  Or,
  Xor,
  Shl,
  LShr,
  AShr,
  SMax,
  SMin,
  UMax,
  UMin,
  Compare,
  Abs,
  CountLeadingZeros,
  CountTrailingZeros,
  PopulationCount,
  ReverseBits,
  SAddOverflows,
  UAddOverflows,
  SSubOverflows,
  USubOverflows,
  SMulOverflows,
  UMulOverflows
};

enum class FloatOperation : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Maximum,
  Minimum,
  MaxNum,
  MinNum,
  CopySign,
  Compare,
  Neg,
  Abs,
  Sqrt,
  ReciprocalSqrt,
  Reciprocal,
  Floor,
  Ceil,
  Round,
  RoundEven,
  Trunc,
  Exp,
  Exp2,
  Log,
  Log2,
  Sin,
  Cos,
  Fma,
  MulAdd
};

enum class Conversion : uint8_t { ZExt, SExt, Trunc, SIToFP, UIToFP, FPToSI, FPToUI, FPToFP };

/// Instructions whose width is that of the operands; a comparison's immediate is LLVM's predicate.
Handler handlerOf(IntegerOperation operation);
Handler handlerOf(FloatOperation operation, Number number);
/// Width is the operand's bits, immediate the result's.
Handler handlerOf(Conversion conversion, Number from, Number to);

void select(Warp &warp, const Instruction &instruction);
void copy(Warp &warp, const Instruction &instruction);
/// a + signed(b of the width) * immediate; a + immediate.
void addIndex(Warp &warp, const Instruction &instruction);
void addImmediate(Warp &warp, const Instruction &instruction);
/// The operand's bits from bit `immediate` on, so many as the width says; and joined with a second operand's,
/// which are shifted by `immediate`.
void takeBits(Warp &warp, const Instruction &instruction);
void joinBits(Warp &warp, const Instruction &instruction);
/// The scalar of a list of slots whose number the operand says.
void pickElement(Warp &warp, const Instruction &instruction);

} // namespace daedalus::cuda
