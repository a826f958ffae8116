// Between which numbers of cycles a program takes lies, where the latencies of the memory vary from burst to
// burst (docs/intervals.md has the proof).
//
//   auto interval = intervalOf(machine, program, {{64, 96}, {64, 80}});
//   interval->lower, interval->upper
#pragma once

#include "daedalus/isa/machine.h"
#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <array>
#include <cstdint>

namespace daedalus::sim {

/// Cycles, at least 1; both ends included.
struct LatencyRange {
  uint32_t least = 1, greatest = 1;
  bool varies() const { return least != greatest; }
};

/// What each burst of a run may take, as it likes: from its read address to its first beat, if the bursts
/// before it are over (R12), and from its last write beat to its response (R19). A burst has no gaps and
/// overtakes none, and the memory takes each address and each beat at once.
struct MemoryLatencies {
  LatencyRange read, write;
  bool vary() const { return read.varies() || write.varies(); }
};

/// A program with what the host sets up for it. Data do not matter.
struct PlacedProgram {
  struct Base {
    uint64_t address = 0; ///< in DRAM
    uint32_t limit = 0;   ///< bytes from there on that may be accessed
  };
  Span<const uint8_t> words; ///< 64 bytes an instruction; FINISH is the last
  uint64_t address = 0;      ///< of the words in DRAM, a multiple of 64
  std::array<Base, isa::BaseRegisters> bases{};
};

/// Cycles from START to the end of FINISH (R25), both ends included.
struct Interval {
  uint64_t lower = 0, upper = 0;
};

/// Every run of the program takes a number of cycles in the interval, whatever the latencies of its bursts
/// are in their ranges. Where none varies both ends are the one number. The latencies of `machine` do not
/// count. The program must be one that isa::verify accepts: no order of its instructions' ends is a fault.
/// Errors: a range that is empty, begins with 0 or reaches the machine's memory_timeout_cycles; a program
/// that cannot be decoded, goes on behind FINISH, has none, or stops with a fault. Costs two runs without
/// results on the engine `systemc`, on whose platform devices take turns.
Result<Interval> intervalOf(const isa::Machine &machine, const PlacedProgram &program,
                            const MemoryLatencies &latencies);

/// The cycles of every run of the program on the machine with its memory, where data do not matter. Errors
/// are those of a program that stops with a fault. Costs a run without results on the engine `systemc`.
Result<uint64_t> cyclesOf(const isa::Machine &machine, const PlacedProgram &program);

/// Whether the ranges are ranges, and the machine waits for the greatest latency; the error is a sentence.
Result<void> checkLatencies(const isa::Machine &machine, const MemoryLatencies &latencies);

} // namespace daedalus::sim
