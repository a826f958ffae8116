// Instructions as bytes: 64 each, laid out by the tables of instruction_fields.h, and the rules that make an
// instruction legal.
#pragma once

#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine.h"
#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <string>
#include <vector>

namespace daedalus::isa {

using InstructionWord = std::array<uint8_t, InstructionBytes>;

/// The bytes of an instruction. Values that do not fit their field lose their upper bits (see illegalReason).
InstructionWord encode(const Instruction &instruction);

/// The instruction in the first 64 bytes. Refuses reserved bits, unknown codes, counts of zero and everything
/// that illegalReason refuses, naming the field, its value and what was expected.
Result<Instruction> decode(Span<const uint8_t> bytes);

/// As above, and what is illegal on this machine alone: the hardware's notion of an illegal encoding.
Result<Instruction> decode(Span<const uint8_t> bytes, const Machine &machine);

/// Why no machine accepts the instruction; empty when it is legal.
std::string illegalReason(const Instruction &instruction);

/// Why `machine` does not accept the instruction; empty when it is legal.
std::string illegalReason(const Instruction &instruction, const Machine &machine);

/// Whether the instruction has loop iterations that combine with the old destination.
inline bool isReducing(const Vector &vector) {
  return vector.accumulate || vector.reduction != 0;
}
/// Whether an operation has a row of 16 N bytes of PARAM as its second operand; else rows there have N bytes.
inline bool requantizes(VectorOp op) {
  return op == VectorOp::Requant || op == VectorOp::RequantLut;
}
/// Whether an operation reads a table.
inline bool looksUp(VectorOp op) {
  return op == VectorOp::Lut || op == VectorOp::RequantLut;
}

/// Instructions one after the other, as they lie in DRAM.
std::vector<uint8_t> encodeWords(Span<const Instruction> instructions);

/// The instructions of a whole number of 64-byte words; errors name the index of the instruction.
Result<std::vector<Instruction>> decodeWords(Span<const uint8_t> bytes);

} // namespace daedalus::isa
