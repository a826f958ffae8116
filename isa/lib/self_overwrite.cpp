// Whether VECTOR reads what it wrote. Cheap answers first (other scope, disjoint rows, plain in-place);
// otherwise the iterations are walked with a bitmap of written rows, so far as the limits allow.
#include "daedalus/isa/footprint.h"
#include "daedalus/isa/work.h"
#include "ranges.h"

#include <algorithm>

namespace daedalus::isa {
namespace {

constexpr uint64_t MostWalked = uint64_t(1) << 20; // iterations; and rows between the first and the last

struct Loop {
  uint32_t count;
  int64_t dst, source;
};

std::vector<Sweep> sweepsOf(const std::vector<Loop> &loops, int64_t Loop::*stride) {
  std::vector<Sweep> sweeps;
  for (const Loop &loop : loops)
    sweeps.push_back({loop.count, loop.*stride});
  return sweeps;
}

/// The loops that matter: of a loop that moves neither operand, a second iteration shows all there is to see.
std::vector<Loop> relevantLoops(const Vector &vector, bool isA) {
  std::vector<Loop> loops;
  for (const VectorLoop &loop : vector.loops) {
    const int64_t source = isA ? loop.aStride : loop.bStride;
    const bool still = loop.dstStride == 0 && source == 0;
    const uint32_t count = still ? std::min<uint32_t>(loop.count, 2) : loop.count;
    if (count > 1)
      loops.push_back({count, loop.dstStride, source});
  }
  return loops;
}

/// Every iteration reads the row that it writes, and no row comes twice.
bool inPlace(const std::vector<Loop> &loops, const std::vector<Range> &written, bool sameRow) {
  uint64_t iterations = 1, rows = 0;
  for (const Loop &loop : loops) {
    if (loop.dst != loop.source)
      return false;
    iterations *= loop.count;
  }
  for (const Range &range : written)
    rows += static_cast<uint64_t>(range.end - range.begin);
  return sameRow && rows == iterations;
}

/// Walks the iterations until one reads what an earlier one wrote.
void walk(const std::vector<Loop> &loops, int64_t dst, int64_t source, Range written, SelfOverwrite &result) {
  std::vector<bool> done(static_cast<size_t>(written.end - written.begin));
  std::vector<uint32_t> index(loops.size());
  for (uint64_t iteration = 0; iteration < MostWalked; ++iteration) {
    result.work += iteration % IterationsOfUnit == 0;
    if (source >= written.begin && source < written.end &&
        done[static_cast<size_t>(source - written.begin)]) {
      result.row = source;
      return;
    }
    done[static_cast<size_t>(dst - written.begin)] = true;
    size_t loop = loops.size();
    while (loop > 0 && ++index[loop - 1] == loops[loop - 1].count) {
      --loop;
      dst -= (int64_t(loops[loop].count) - 1) * loops[loop].dst;
      source -= (int64_t(loops[loop].count) - 1) * loops[loop].source;
      index[loop] = 0;
    }
    if (loop == 0)
      return;
    dst += loops[loop - 1].dst;
    source += loops[loop - 1].source;
  }
  result.decided = false;
}

} // namespace

SelfOverwrite selfOverwrite(const Vector &vector, char operand) {
  SelfOverwrite result;
  const bool isA = operand == 'a';
  if ((isA ? vector.aScope : vector.bScope) != vector.dstScope)
    return result;
  const std::vector<Loop> loops = relevantLoops(vector, isA);
  const int64_t dst = vector.dst, source = isA ? vector.a : vector.b;
  const std::vector<Sweep> dstLoops = sweepsOf(loops, &Loop::dst),
                           sourceLoops = sweepsOf(loops, &Loop::source);
  const Range written = sweepBounds({dst, dst + 1}, dstLoops);
  const Range read = sweepBounds({source, source + 1}, sourceLoops);
  if (read.end <= written.begin || written.end <= read.begin)
    return result;
  SweepCost cost; // sets that are too large become their bounds, which overlap
  const std::vector<Range> rowsWritten = sweep({{dst, dst + 1}}, dstLoops, cost);
  const bool apart = !overlap(rowsWritten, sweep({{source, source + 1}}, sourceLoops, cost));
  result.work = cost.work;
  if (apart || (cost.exact && inPlace(loops, rowsWritten, dst == source)))
    return result;
  if (written.end - written.begin > int64_t(MostWalked))
    result.decided = false; // no scratchpad has so many rows
  else
    walk(loops, dst, source, written, result);
  return result;
}

} // namespace daedalus::isa
