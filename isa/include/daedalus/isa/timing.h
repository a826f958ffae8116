// How long things take, as far as an instruction and the machine alone decide it: the formulas of GEMM and
// VECTOR, and the segments that LOAD and STORE are cut into. Rules R10, R13, R16 and R18 of docs/timing.md.
// The engines, the compiler's cost model and the documentation's tables use these functions.
#pragma once

#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine.h"

#include <cstdint>

namespace daedalus::isa {

/// The product of the counts of an instruction's loops, saturating at 2^64 - 1.
template <class Loops> uint64_t iterationsOf(const Loops &loops) {
  uint64_t product = 1;
  for (const auto &loop : loops)
    if (__builtin_mul_overflow(product, uint64_t(loop.count), &product))
      return UINT64_MAX;
  return product;
}

/// Columns that loop 5 of a GEMM reads with a window: those before its first result, and those from its first
/// to its last.
inline uint64_t columnsOf(const Gemm &gemm) {
  return gemm.lead + 1 + uint64_t(gemm.step) * (gemm.loops[5].count - 1u);
}

/// Cycles in which a GEMM reads rows of INP: its iterations; with a window, its columns.
uint64_t gemmCycles(const Gemm &gemm);

/// Cycles from GEMM's start to its end: those in which it reads, and the drain.
uint64_t gemmDuration(const Gemm &gemm, const Machine &machine);

/// Cycles that VECTOR takes for one row, the same for every row of the instruction: the most reads of one
/// scope that a row needs (a, b, the table, and the old destination in a reducing instruction), at least 1;
/// mov32 writes four rows and takes 4.
unsigned vectorCyclesPerRow(const Vector &vector);

/// Cycles that VECTOR drains after its last row: the machine's, and 2 more of a table behind requantization.
unsigned vectorDrain(VectorOp op, const Machine &machine);

/// Cycles from VECTOR's start to its end: its rows and the drain.
uint64_t vectorDuration(const Vector &vector, const Machine &machine);

/// One step of LOAD (R13). A default segment is the empty one of mark and nop.
struct LoadSegment {
  enum class Kind : uint8_t { Fill, Burst, Empty };
  Kind kind = Kind::Empty;
  bool lastOfRun = false; ///< tail fill, if any, follows it
  uint32_t bytes = 0;
  uint32_t beats = 0;    ///< of a burst
  uint32_t position = 0; ///< of its first byte in the run
  int64_t offset = 0;    ///< of a burst's first byte, from the base register on; may be out of the limit
  uint64_t address = 0;  ///< the same as a DRAM address
  int64_t runDst = 0;    ///< byte address in the scope of the run's first byte; may be out of range
  int64_t dst() const { return runDst + position; } ///< of its own first byte (not in diagonal mode)
};

/// The segments of a load, in the order in which the address generator shows them.
class LoadSegments {
public:
  /// `baseAddress` is the content of the load's base register.
  LoadSegments(const Load &load, const Machine &machine, uint64_t baseAddress);
  /// Writes the next segment; false when there is none.
  bool next(LoadSegment &segment);

private:
  bool beginRun();
  bool advance();

  const Load load;
  const uint32_t busBytes, burstBytes;
  const uint64_t baseAddress;
  std::array<uint32_t, 3> index{};
  bool done = false, inRun = false;
  int64_t runOffset = 0, runDst = 0;
  uint32_t dataBegin = 0, dataEnd = 0, position = 0;
};

/// Cycles that LOAD's writer takes for a segment (R16).
uint64_t loadWriteCycles(const Load &load, const LoadSegment &segment, const Machine &machine);
/// Whether everything that the segment writes lies in the scope.
bool inScope(const Load &load, const LoadSegment &segment, const Machine &machine);

/// One burst of STORE (R18).
struct StoreSegment {
  bool lastOfRun = false;
  uint32_t bytes = 0, beats = 0;
  int64_t offset = 0;   ///< of its first byte, from the base register on; may be out of the limit
  uint64_t address = 0; ///< the same as a DRAM address
  int64_t src = 0;      ///< byte address in OUT of its first byte; may be out of range
};

/// The bursts of a store, in the order in which the address generator shows them.
class StoreSegments {
public:
  StoreSegments(const Store &store, const Machine &machine, uint64_t baseAddress);
  bool next(StoreSegment &segment);

private:
  const Store store;
  const uint32_t n, busBytes, burstBytes;
  const uint64_t baseAddress;
  std::array<uint32_t, 3> index{};
  bool done = false;
  uint32_t position = 0;
};

/// Whether everything that the burst reads lies in OUT.
bool inScope(const StoreSegment &segment, const Machine &machine);

/// Whether `bytes` bytes from `offset` on lie in [0, limit).
inline bool inLimit(int64_t offset, uint32_t bytes, uint32_t limit) {
  return offset >= 0 && offset + bytes <= int64_t(limit);
}

} // namespace daedalus::isa
