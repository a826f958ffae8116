#include "WarpOperations.h"

#include "Numbers.h"
#include "Warp.h"

#include <algorithm>

namespace daedalus::cuda {
namespace {

/// Gathers the lanes that the mask of the first one names; lanes with another mask have their turn later.
bool gatherMasked(Warp &warp, const Instruction &instruction, uint32_t slot) {
  const uint64_t *masks = warp.slot(slot);
  const auto first = static_cast<unsigned>(__builtin_ctz(warp.activeLanes()));
  const auto mask = static_cast<uint32_t>(masks[first]);
  uint32_t same = 0;
  warp.lanes([&](unsigned lane) { same |= uint32_t(masks[lane] == masks[first]) << lane; });
  if (const uint32_t unnamed = same & ~mask) {
    warp.fail(static_cast<unsigned>(__builtin_ctz(unnamed)), instruction,
              "has a mask without the thread's own lane");
    return false;
  }
  warp.postpone(warp.activeLanes() & ~same);
  return warp.gather(instruction, mask & warp.allThreads());
}

/// By the PTX ISA manual's "shfl.sync".
struct Source {
  unsigned lane;
  bool isInRange;
};

Source sourceOf(ShuffleKind kind, unsigned lane, uint64_t offset, uint64_t maskAndClamp) {
  const unsigned b = offset & 31, clamp = maskAndClamp & 31, segments = maskAndClamp >> 8 & 31;
  const int last = static_cast<int>((lane & segments) | (clamp & ~segments)),
            first = static_cast<int>(lane & segments);
  int source = 0;
  switch (kind) {
  case ShuffleKind::Up:
    source = static_cast<int>(lane) - static_cast<int>(b);
    return source >= last ? Source{static_cast<unsigned>(source), true} : Source{lane, false};
  case ShuffleKind::Down:
    source = static_cast<int>(lane + b);
    break;
  case ShuffleKind::Butterfly:
    source = static_cast<int>(lane ^ b);
    break;
  case ShuffleKind::Index:
    source = first | static_cast<int>(b & ~segments);
    break;
  }
  return source <= last ? Source{static_cast<unsigned>(source), true} : Source{lane, false};
}

uint64_t combined(ReductionKind kind, uint64_t a, uint64_t b) {
  const bool less = signedOf(a, 32) < signedOf(b, 32);
  switch (kind) {
  case ReductionKind::Add:
    return lowBits(a + b, 32);
  case ReductionKind::And:
    return a & b;
  case ReductionKind::Or:
    return a | b;
  case ReductionKind::Xor:
    return a ^ b;
  case ReductionKind::Max:
    return less ? b : a;
  case ReductionKind::Min:
    return less ? a : b;
  case ReductionKind::UMax:
    return std::max(a, b);
  case ReductionKind::UMin:
    return std::min(a, b);
  }
  return a;
}

} // namespace

void shuffle(Warp &warp, const Instruction &instruction) {
  const std::vector<uint32_t> &slots = warp.launch.kernel.lists[instruction.extra];
  if (!gatherMasked(warp, instruction, slots[0]))
    return;
  const uint64_t *values = warp.slot(slots[1]), *offsets = warp.slot(slots[2]), *clamps = warp.slot(slots[3]);
  std::array<uint64_t, warpSize> results = {};
  uint64_t *isInRange = warp.slot(slots[4]);
  warp.lanes([&](unsigned lane) {
    const Source source =
        sourceOf(static_cast<ShuffleKind>(instruction.immediate), lane, offsets[lane], clamps[lane]);
    if (!(warp.activeLanes() >> source.lane & 1))
      warp.fail(lane, instruction,
                "takes the value of lane " + std::to_string(source.lane) + ", which takes no part");
    results[lane] = values[source.lane];
    isInRange[lane] = source.isInRange;
  });
  warp.lanes([&](unsigned lane) { warp.slot(instruction.result)[lane] = results[lane]; });
}

void ballot(Warp &warp, const Instruction &instruction) {
  if (!gatherMasked(warp, instruction, instruction.operands[0]))
    return;
  const uint64_t *predicate = warp.slot(instruction.operands[1]);
  uint64_t votes = 0;
  warp.lanes([&](unsigned lane) { votes |= uint64_t(predicate[lane] & 1) << lane; });
  warp.lanes([&](unsigned lane) { warp.slot(instruction.result)[lane] = votes; });
}

void reduce(Warp &warp, const Instruction &instruction) {
  if (!gatherMasked(warp, instruction, instruction.operands[0]))
    return;
  const uint64_t *values = warp.slot(instruction.operands[1]);
  const auto first = static_cast<unsigned>(__builtin_ctz(warp.activeLanes()));
  uint64_t result = values[first];
  warp.lanes([&](unsigned lane) {
    if (lane != first)
      result = combined(static_cast<ReductionKind>(instruction.immediate), result, values[lane]);
  });
  warp.lanes([&](unsigned lane) { warp.slot(instruction.result)[lane] = result; });
}

} // namespace daedalus::cuda
