// What an instruction touches, without running it: slices of scratchpads, ports of banks, bytes of DRAM. Sets
// are computed loop by loop as sorted ranges, so a stride of zero costs nothing and a dense sweep is one
// range.
//
// A slice is what Machine::sliceBytes says: a row of n bytes, or a row of ACC. A GEMM touches the n slices of
// a tile, a requantization the 16 slices of its row of PARAM, what looks up its whole table.
#pragma once

#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace daedalus::isa {

/// [begin, end).
struct Range {
  int64_t begin = 0, end = 0;

  friend bool operator==(const Range &x, const Range &y) { return x.begin == y.begin && x.end == y.end; }
};

/// One access of an instruction to a scratchpad.
struct ScratchAccess {
  Scope scope = Scope::None;
  bool write = false;
  /// Reads of what this very instruction wrote before (partial sums): they need no earlier write.
  bool ownRows = false;
  const char *operand = "";  ///< the field that addresses it, for messages
  Range bounds;              ///< the smallest range around all slices; may leave the scratchpad
  std::vector<Range> slices; ///< sorted, disjoint, not adjacent; clipped to the scratchpad
  /// What a LOAD writes, in bytes, where that is not all of its slices; may leave the scratchpad.
  std::vector<Range> bytes;
};

struct Footprint {
  std::vector<ScratchAccess> scratch;
  uint8_t base = 0; ///< the base register of `dram`
  bool dramWrite = false;
  std::vector<Range>
      dram; ///< byte offsets from the base register on; sorted, disjoint; only bytes really moved
  /// Every set holds what is touched and nothing else. Where that took too much work some hold more: enough
  /// to say what conflicts, not what was written.
  bool exact = true;
  uint64_t work = 0; ///< what it took, in the units of work.h
};

/// The footprint of a legal instruction, in work and memory that no instruction exceeds
/// (docs/verification.md).
Footprint footprintOf(const Instruction &instruction, const Machine &machine);

/// Bank `b` of a scope is the b-th contiguous fraction of its rows. Bit b of the result: slices lie in bank
/// b.
uint32_t banksOf(const ScratchAccess &access, const Machine &machine);

/// Whether the port that an access uses in each bank serves two modules: ACC's read and write ports (GEMM and
/// VECTOR) and INP's write port (LOAD and VECTOR).
inline bool usesSharedPort(Scope scope, bool write) {
  return scope == Scope::Acc || (scope == Scope::Inp && write);
}

/// Whether an iteration of a VECTOR instruction reads a row through an operand after an earlier iteration of
/// the same instruction wrote it (the pipeline would read the old value).
struct SelfOverwrite {
  std::optional<int64_t> row; ///< the first such row
  bool decided = true;        ///< false: too many iterations to tell
  uint64_t work = 0;          ///< what it took, in the units of work.h

  bool never() const { return decided && !row; }
};

/// Of operand 'a' or 'b'.
SelfOverwrite selfOverwrite(const Vector &vector, char operand);

/// Calls f(scope, slice, isWrite) for every slice touched, once for each access.
template <class F> void forEachScratchRow(const Instruction &instruction, const Machine &machine, F &&f) {
  for (const ScratchAccess &access : footprintOf(instruction, machine).scratch)
    for (const Range &range : access.slices)
      for (int64_t slice = range.begin; slice < range.end; ++slice)
        f(access.scope, static_cast<uint32_t>(slice), access.write);
}

/// Calls f(base register, begin, end, isWrite) for every run of bytes really read or written in DRAM.
template <class F> void forEachDramRun(const Instruction &instruction, const Machine &machine, F &&f) {
  const Footprint footprint = footprintOf(instruction, machine);
  for (const Range &range : footprint.dram)
    f(footprint.base, range.begin, range.end, footprint.dramWrite);
}

} // namespace daedalus::isa
