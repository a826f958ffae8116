// How full of data that are still needed the scratchpads are over a run (docs/profile.md#scratchpads).
#pragma once

#include "Report/Profile/LiveBytes.h"
#include "Report/Profile/ProfileReport.h"

#include <array>
#include <vector>

namespace daedalus::report {

/// Of one scratchpad.
struct ScopeOccupancy {
  isa::Scope scope = isa::Scope::None;
  uint64_t capacity = 0;      ///< bytes
  uint64_t peak = 0;          ///< the most bytes that are live in one cycle
  std::vector<uint64_t> mean; ///< bytes that are live in a cycle: the mean of each part, rounded
};

/// Gathers the programs of a run, one behind the other. A run of C cycles has min(C, mostParts) parts, and
/// part i of P begins in cycle C i / P, rounded down.
class Occupancy {
public:
  static constexpr uint64_t mostParts = 300;

  explicit Occupancy(const isa::Machine &machine) : machine(machine) {}

  /// The program that ran next: its instructions, when each was at work, and how many cycles it took.
  void add(Span<const isa::Instruction> instructions, Span<const sim::InstructionCycles> times,
           uint64_t cycles);

  /// The scratchpads in the order of isa::Scope; none of a run without cycles.
  std::vector<ScopeOccupancy> take();

private:
  void add(const isa::Instruction &instruction, const sim::InstructionCycles &times);

  const isa::Machine &machine;
  uint64_t from = 0; ///< the cycle in which the next program begins
  std::array<LiveBytes, isa::ScopeCount> live;
};

std::vector<ScopeOccupancy> occupancyOf(const ProfiledRun &run);

} // namespace daedalus::report
