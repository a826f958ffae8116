// What an upper bound knows of each burst of FETCH before the run (docs/intervals.md).
#pragma once

#include "daedalus/simulator/interval.h"

#include "daedalus/isa/instructions.h"

#include <vector>

namespace daedalus::sim::systemc {

struct FetchBursts {
  /// By burst, the beats of LOAD that may stand before it in the read channel at most; does not fall. 0: it
  /// is granted before LOAD asks for any.
  std::vector<uint64_t> beatsAhead;
  /// The beats of those that may come between bursts of LOAD.
  uint64_t between = 0;
};

/// `leastLatency` is that of reads. The words of the program are these instructions.
FetchBursts fetchBursts(const std::vector<isa::Instruction> &instructions, const PlacedProgram &program,
                        const isa::Machine &machine, uint64_t leastLatency);

} // namespace daedalus::sim::systemc
