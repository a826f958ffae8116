// Seeded random programs for the timing comparison: legal encodings, legal addresses and rows, no wait
// without its token in program order. They race on data, which timing does not see.
#pragma once

#include "clocked/core.h"
#include "random_machine.h"

namespace daedalus::timing {

/// Where the programs have their data: STORE writes below Code only.
inline constexpr uint64_t Code = 0x18000, DramBytes = 0x30000;

/// A program with everything that the host sets up; the last base registers are free for injected faults.
struct TestProgram {
  std::vector<isa::Instruction> instructions; ///< FINISH, and seldom some more behind it
  clocked::HostSetup setup;                   ///< setup.program is filled by encodeProgram()
};

/// A program of up to `instructions` instructions and FINISH, seldom with some behind it that never run.
TestProgram randomProgram(Random &random, const isa::Machine &machine, unsigned instructions);

/// One random instruction of the module without tokens: NOP, MARK, or the module's own.
isa::Instruction randomInstruction(Random &random, const clocked::HostSetup &setup, isa::Module module);

/// Encodes the instructions into setup.program.
void encodeProgram(TestProgram &program);

} // namespace daedalus::timing
