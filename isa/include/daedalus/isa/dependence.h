// Dependences between modules, found in one pass in program order: for every instruction and every other
// module, the last earlier instruction of that module that must have ended before this one may start. Modules
// start and retire in order, so with the last one all earlier ones are in order too.
//
// Conflicts: a slice of a scratchpad or a byte of DRAM that both touch and one writes, and a bank's port that
// both use (ACC's, and the write port of INP).
#pragma once

#include "daedalus/isa/footprint.h"
#include "daedalus/isa/range_set.h"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace daedalus::isa {

inline constexpr unsigned Modules = ModuleCount;

/// The last earlier instruction of a module with which an instruction conflicts.
struct Conflict {
  int64_t index = -1;        ///< of that instruction in the program, or -1: none
  Scope scope = Scope::None; ///< none: DRAM
  int64_t place = 0;         ///< slice of the scope, byte offset in DRAM, or bank
  bool write = false;        ///< this instruction writes there (for a port: it is the write port)
};

struct Dependences {
  std::array<Conflict, Modules> data;  ///< by module: on slices and bytes
  std::array<Conflict, Modules> ports; ///< by module: on ports of banks

  /// The index of the last conflicting instruction of the module, or -1.
  int64_t last(Module module) const {
    const unsigned m = static_cast<unsigned>(module);
    return data[m].index > ports[m].index ? data[m].index : ports[m].index;
  }
};

/// What a program does to the memory behind one base register, in offsets from it.
struct MemoryEffects {
  RangeSet reads;  ///< before it wrote them itself: what its results depend on
  RangeSet writes; ///< when it has ended
};

class DependenceTracker {
public:
  /// Bit b of `readOnlyBases`: nothing stores through base register b, so its reads need no record.
  explicit DependenceTracker(const Machine &machine, uint16_t readOnlyBases = 0);

  /// The next instruction of the program; its index is the number of calls before.
  Dependences add(const Instruction &instruction);
  Dependences add(const Instruction &instruction, const Footprint &footprint);

  /// What the calls have taken so far, in the units of work.h; and the ranges of DRAM that are kept.
  uint64_t work() const { return done; }
  uint64_t rangesKept() const;
  /// Of the instructions so far: exact where their footprints are.
  MemoryEffects effects(unsigned base) const { return {exposed[base], dram[base][1].touched()}; }

private:
  /// The last instruction that touched a byte, as disjoint ranges: begin -> (end, index). Sets of ranges are
  /// walked in order, so where the next one lies is mostly known. All return how many ranges they looked at.
  class LastTouch {
  public:
    uint64_t assign(const std::vector<Range> &set, int64_t index);
    /// Adds the parts of the set that nothing touched to `untouched`, unless that is null.
    uint64_t latest(const std::vector<Range> &set, Conflict &conflict, RangeSet *untouched) const;
    size_t size() const { return ranges.size(); }
    RangeSet touched() const;

  private:
    using Map = std::map<int64_t, std::pair<int64_t, int64_t>>;
    template <class M, class Iterator>
    static Iterator firstEndingBehind(M &map, Iterator from, int64_t place);
    Map::iterator assign(Map::iterator at, Range range, int64_t index, uint64_t &looked);
    Map ranges;
  };

  /// By module: the last instruction at each slice, empty for modules that never came.
  using SliceTouches = std::array<std::vector<int32_t>, Modules>;
  using BankTouches = std::array<std::array<int64_t, 32>, Modules>;

  void findScratch(const ScratchAccess &access, unsigned self, Dependences &found) const;
  void findPort(const ScratchAccess &access, unsigned self, Dependences &found) const;
  void findDram(const Footprint &footprint, unsigned self, Dependences &found);
  void record(const Footprint &footprint, unsigned self);

  const Machine machine;
  const uint16_t readOnlyBases;
  int64_t count = 0;
  uint64_t done = 0;
  std::array<std::array<SliceTouches, 2>, ScopeCount> slices; // [scope][write]
  std::array<std::array<BankTouches, 2>, ScopeCount> banks;   // [scope][write]
  std::array<std::array<LastTouch, 2>, BaseRegisters> dram;   // [base][write]: LOAD reads, STORE writes
  std::array<RangeSet, BaseRegisters> exposed;                // bytes that were read and not written before
};

} // namespace daedalus::isa
