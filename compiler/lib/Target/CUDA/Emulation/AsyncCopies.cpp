// cp.async: checked when it is issued, and done at the last moment, when its thread waits for it. Until then
// its bytes are in flight, and no one's to read or write.
#include "Accesses.h"
#include "WarpOperations.h"

#include <algorithm>

namespace daedalus::cuda {
namespace {

/// What is asked of both memories; false after a fault.
bool issue(Warp &warp, const Attempt &target, const Attempt &source) {
  if (source.bytes > target.bytes)
    return warp.fail(target.lane, target.instruction,
                     "copies " + std::to_string(source.bytes) + " bytes of " + std::to_string(target.bytes)),
           false;
  if (source.bytes && !readable(warp, source))
    return false;
  if (!writable(warp, target))
    return false;
  uint8_t *flags = warp.launch.shared.flags.data() + target.address;
  std::fill_n(flags, target.bytes, uint8_t(isInFlight));
  return true;
}

void count(Warp &warp, const Instruction &instruction) {
  EmulationCounts &counts = warp.launch.counts;
  const uint64_t *targets = warp.slot(instruction.operands[0]), *sources = warp.slot(instruction.operands[1]),
                 *bytes = warp.slot(instruction.operands[2]);
  Addresses from, to;
  uint32_t reading = 0;
  warp.lanes([&](unsigned lane) {
    to[lane] = targets[lane];
    from[lane] = sources[lane];
    reading |= uint32_t(bytes[lane] != 0) << lane;
    counts.globalBytesLoaded += bytes[lane];
    ++counts.asyncCopies;
  });
  countShared(warp, to, warp.activeLanes(), instruction.width);
  counts.globalSectors += sectorsOf(from, reading, instruction.width);
}

/// The bytes that the copy's thread and, behind a barrier, others may read from now on.
void finish(Warp &warp, unsigned lane, const PendingCopy &copy) {
  Region &shared = warp.launch.shared;
  uint8_t *target = shared.bytes.data() + copy.target;
  if (const Region *source = copy.bytes ? warp.launch.global.find(copy.source, copy.bytes) : nullptr)
    std::copy_n(source->bytes.data() + (copy.source - source->base), copy.bytes, target);
  std::fill_n(target + copy.bytes, copy.zeros, uint8_t(0));
  const uint32_t size = copy.bytes + copy.zeros;
  std::fill_n(shared.flags.data() + copy.target, size, uint8_t(isWritten));
  std::fill_n(shared.cells.data() + copy.target, size, Cell{accessorOf(warp, lane).stamp, 0, 0});
  noteUnfenced(warp, lane, copy.target, size);
}

} // namespace

void copyAsync(Warp &warp, const Instruction &instruction) {
  const uint64_t *targets = warp.slot(instruction.operands[0]), *sources = warp.slot(instruction.operands[1]),
                 *bytes = warp.slot(instruction.operands[2]);
  const uint32_t size = instruction.width;
  count(warp, instruction);
  warp.lanes([&](unsigned lane) {
    const auto copied = static_cast<uint32_t>(bytes[lane]);
    if (issue(warp, {instruction, lane, Space::Shared, targets[lane], size, size},
              {instruction, lane, Space::Global, sources[lane], copied, size}))
      warp.copies[lane].back().push_back({targets[lane], sources[lane], copied, size - copied});
  });
}

void commitCopies(Warp &warp, const Instruction &) {
  warp.lanes([&](unsigned lane) { warp.copies[lane].emplace_back(); });
}

void waitForCopies(Warp &warp, const Instruction &instruction) {
  warp.lanes([&](unsigned lane) {
    auto &groups = warp.copies[lane];
    const size_t committed = groups.size() - 1;
    const size_t done = committed - std::min<size_t>(committed, instruction.immediate);
    for (size_t group = 0; group < done; ++group)
      for (const PendingCopy &copy : groups[group])
        finish(warp, lane, copy);
    groups.erase(groups.begin(), groups.begin() + static_cast<ptrdiff_t>(done));
  });
}

} // namespace daedalus::cuda
