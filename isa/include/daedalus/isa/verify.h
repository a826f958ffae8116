// The verifier: proves, before anything runs, that a program is legal and that its result does not depend on
// timing. One pass in program order, with token counters and a vector clock for each module.
#pragma once

#include "daedalus/isa/dependence.h"
#include "daedalus/isa/program.h"

#include <string>
#include <vector>

namespace daedalus::isa {

/// One reason to refuse a program. Causes:
///   machine            the program is for another machine
///   illegal            an instruction that the machine does not have
///   missing_finish     the last instruction is not finish
///   after_finish       an instruction behind finish
///   iterations         2^32 iterations or more
///   scratchpad_range   a row outside its scratchpad
///   address_limit      DRAM outside [0, limit) of a base register
///   read_only          a store through a base register that is only read
///   unwritten_row      a read of a slice of which nothing wrote some byte before
///   self_overwrite     an iteration reads, as a source, what an earlier one of the same instruction wrote
///   token_never_comes  a wait for which no earlier instruction signals
///   token_left_over    a signal that nobody takes
///   counter_overflow   a counter that can pass its maximum
///   race               two unordered instructions of different modules on the same slice or byte
///   bank_port          two unordered instructions of different modules on the same port of a bank
///   too_costly         the proof takes more work or memory than that of a program of this length may
struct Finding {
  static constexpr size_t WholeProgram = SIZE_MAX;
  size_t instruction = WholeProgram; ///< its index
  std::string cause;
  std::string message; ///< one sentence with the instruction's index and text
};

struct Proof {
  std::vector<Finding> findings;                      ///< empty: the program is proved
  std::array<MemoryEffects, BaseRegisters> effects{}; ///< of a proved program, by base register: exact
  uint64_t work = 0;                                  ///< what it took
};

/// Everything that is wrong, in program order, and what the program does to memory. At most `most` findings.
Proof prove(const Program &program, const Machine &machine, size_t most = 20);

/// The findings alone.
std::vector<Finding> verify(const Program &program, const Machine &machine, size_t most = 20);

/// The work that a proof may take, in the units of work.h, and the ranges of DRAM that it may keep in memory:
/// so much for any program, and so much more for each instruction (docs/verification.md).
uint64_t mostRanges(size_t instructions);
uint64_t mostWork(size_t instructions, const Machine &machine);

} // namespace daedalus::isa
