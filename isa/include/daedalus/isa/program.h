// A program: instructions, the machine they are for and the limits of the base registers they were proved
// against. As a file: a header of 192 bytes and the words.
//
//   bytes 0-7    "DAEPROG1"          bytes 32-63   machine name, zero-filled
//   bytes 8-11   ISA version         bytes 64-191  16 x (limit, flags: bit 0 read-only)
//   bytes 12-15  instructions        bytes 192-    the words, 64 bytes each
//   bytes 16-23  machine hash        bytes 24-31   FNV-1a, 64 bits, over all other bytes
//
// All numbers are little endian.
#pragma once

#include "daedalus/isa/encoding.h"
#include "daedalus/support/base_limit.h"

#include <array>
#include <string>
#include <vector>

namespace daedalus::isa {

using daedalus::BaseLimit;

struct Program {
  std::string
      machineName; ///< for people; the hash decides. A file keeps 31 bytes at most, none behind a zero
  uint64_t machineHash = 0;
  std::array<BaseLimit, BaseRegisters> bases{};
  std::vector<Instruction> instructions;

  friend bool operator==(const Program &x, const Program &y) {
    return x.machineName == y.machineName && x.machineHash == y.machineHash && x.bases == y.bases &&
           x.instructions == y.instructions;
  }
};

/// The bytes of a program file.
std::vector<uint8_t> writeProgram(const Program &program);

/// The program in a file's bytes. Refuses another magic or version, a truncated or damaged file, and every
/// word that decode refuses.
Result<Program> readProgram(Span<const uint8_t> bytes);

} // namespace daedalus::isa
