// Whether VECTOR reads what it wrote. Cheap answers first (other scope, disjoint rows, plain in-place);
// otherwise the iterations are walked with a bitmap of written rows.
#include "daedalus/isa/footprint.h"
#include "ranges.h"

#include <algorithm>

namespace daedalus::isa {
namespace {

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
bool inPlace(const std::vector<Loop> &loops, int64_t dst, int64_t source) {
  uint64_t iterations = 1, rows = 0;
  for (const Loop &loop : loops) {
    if (loop.dst != loop.source)
      return false;
    iterations *= loop.count;
  }
  for (const Range &range : sweep({{dst, dst + 1}}, sweepsOf(loops, &Loop::dst)))
    rows += static_cast<uint64_t>(range.end - range.begin);
  return dst == source && rows == iterations;
}

std::optional<int64_t> walk(const std::vector<Loop> &loops, int64_t dst, int64_t source, Range written) {
  std::vector<bool> done(static_cast<size_t>(written.end - written.begin));
  std::vector<uint32_t> index(loops.size());
  for (;;) {
    if (source >= written.begin && source < written.end && done[static_cast<size_t>(source - written.begin)])
      return source;
    done[static_cast<size_t>(dst - written.begin)] = true;
    size_t loop = loops.size();
    while (loop > 0 && ++index[loop - 1] == loops[loop - 1].count) {
      --loop;
      dst -= (int64_t(loops[loop].count) - 1) * loops[loop].dst;
      source -= (int64_t(loops[loop].count) - 1) * loops[loop].source;
      index[loop] = 0;
    }
    if (loop == 0)
      return std::nullopt;
    dst += loops[loop - 1].dst;
    source += loops[loop - 1].source;
  }
}

} // namespace

std::optional<int64_t> selfOverwrite(const Vector &vector, char operand) {
  const bool isA = operand == 'a';
  if ((isA ? vector.aScope : vector.bScope) != vector.dstScope)
    return std::nullopt;
  const std::vector<Loop> loops = relevantLoops(vector, isA);
  const int64_t dst = vector.dst, source = isA ? vector.a : vector.b;
  const Range written = sweepBounds({dst, dst + 1}, sweepsOf(loops, &Loop::dst));
  const Range read = sweepBounds({source, source + 1}, sweepsOf(loops, &Loop::source));
  if (read.end <= written.begin || written.end <= read.begin || inPlace(loops, dst, source))
    return std::nullopt;
  return walk(loops, dst, source, written);
}

} // namespace daedalus::isa
