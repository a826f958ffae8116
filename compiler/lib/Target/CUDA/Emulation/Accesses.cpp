#include "Accesses.h"

#include "Numbers.h"

#include <algorithm>
#include <cstdio>

namespace daedalus::cuda {
namespace {

std::string hexadecimal(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string bytesAt(const Attempt &attempt) {
  return std::to_string(attempt.bytes) + " bytes at " + hexadecimal(attempt.address);
}

bool isShared(Space space, uint64_t address) {
  return space == Space::Shared || (space == Space::Generic && address >= sharedWindow);
}

void failBounds(Warp &warp, const Attempt &attempt, const char *verb) {
  std::string where = "where nothing is allocated";
  if (isShared(attempt.space, attempt.address))
    where =
        "but the block has " + std::to_string(warp.launch.shared.bytes.size()) + " bytes of shared memory";
  else if (const Region *region = warp.launch.global.before(attempt.address))
    where = "byte " + std::to_string(attempt.address - region->base) + " of an allocation of " +
            std::to_string(region->bytes.size()) + " bytes";
  warp.fail(attempt.lane, attempt.instruction, verb + (" " + bytesAt(attempt)) + ", " + where);
}

std::string nameOfOther(const Warp &warp, Stamp stamp) {
  const Order &order = warp.launch.order;
  return order.isOfThisBlock(stamp) ? "thread " + warp.launch.threadName(order.threadOf(stamp))
                                    : "a thread of block " + nameOf(order.blockOf(stamp));
}

uint64_t loaded(const uint8_t *bytes, unsigned size) {
  uint64_t value = 0;
  switch (size) {
  case 1:
    return *bytes;
  case 4:
    std::memcpy(&value, bytes, 4);
    return value;
  default:
    std::memcpy(&value, bytes, size);
    return value;
  }
}

} // namespace

Accessor accessorOf(const Warp &warp, unsigned lane) {
  return {warp.launch.order, warp.number(), lane, warp.launch.order.stamp(warp.number(), lane)};
}

uint64_t addressIn(const Region &region, uint64_t address) {
  return region.base == 0 && address >= sharedWindow ? address - sharedWindow : address;
}

Region *located(Warp &warp, const Attempt &attempt, const char *verb) {
  Region *region = &warp.launch.shared;
  if (!isShared(attempt.space, attempt.address))
    region = warp.launch.global.find(attempt.address, attempt.bytes);
  else if (!region->contains(addressIn(*region, attempt.address), attempt.bytes))
    region = nullptr;
  if (!region)
    return failBounds(warp, attempt, verb), nullptr;
  if (attempt.address % attempt.alignment) {
    warp.fail(attempt.lane, attempt.instruction,
              verb + (" " + bytesAt(attempt)) + ", which is not a multiple of " +
                  std::to_string(attempt.alignment));
    return nullptr;
  }
  return region;
}

void failFound(Warp &warp, const Attempt &attempt, const Found &found, const char *verb) {
  std::string what = verb + (" " + bytesAt(attempt)) + ", of which that at " + hexadecimal(found.address);
  switch (found.finding) {
  case Finding::None:
    break;
  case Finding::NotWritten:
    what += " was never written";
    break;
  case Finding::InFlight:
    what += " is still to be copied by a cp.async of " + nameOfOther(warp, found.other) +
            ", which has not waited for it";
    break;
  case Finding::OtherWrote:
    what += " is written by " + nameOfOther(warp, found.other) + " with no barrier between: a race";
    break;
  case Finding::OtherRead:
    what += " is read by " + nameOfOther(warp, found.other) + " with no barrier between: a race";
    break;
  }
  warp.fail(attempt.lane, attempt.instruction, what);
}

uint8_t *readable(Warp &warp, const Attempt &attempt) {
  Region *region = located(warp, attempt, "reads");
  if (!region)
    return nullptr;
  const uint64_t address = addressIn(*region, attempt.address);
  const Found found =
      noteRead(*region, address, attempt.bytes, accessorOf(warp, attempt.lane), attempt.isAtomic);
  if (found)
    return failFound(warp, attempt, found, "reads"), nullptr;
  return region->bytes.data() + (address - region->base);
}

uint8_t *writable(Warp &warp, const Attempt &attempt) {
  Region *region = located(warp, attempt, "writes");
  if (!region)
    return nullptr;
  if (region->isConstant)
    return warp.fail(attempt.lane, attempt.instruction, "writes " + bytesAt(attempt) + ", a constant"),
           nullptr;
  const uint64_t address = addressIn(*region, attempt.address);
  const Found found =
      noteWrite(*region, address, attempt.bytes, accessorOf(warp, attempt.lane), attempt.isAtomic);
  if (found)
    return failFound(warp, attempt, found, "writes"), nullptr;
  if (region == &warp.launch.shared)
    noteUnfenced(warp, attempt.lane, address, attempt.bytes);
  return region->bytes.data() + (address - region->base);
}

void countShared(Warp &warp, const Addresses &addresses, uint32_t lanes, uint32_t bytes) {
  const Wavefronts wavefronts = wavefrontsOf(addresses, lanes, bytes);
  warp.launch.counts.sharedAccesses += wavefronts.needed;
  warp.launch.counts.bankConflicts += wavefronts.needed - wavefronts.least;
}

void countAccess(Warp &warp, const Access &access, const uint64_t *addresses, Direction direction) {
  EmulationCounts &counts = warp.launch.counts;
  const uint32_t unit = std::min({access.alignment, access.bytes, uint32_t(16)});
  for (uint32_t offset = 0; offset < access.bytes; offset += unit) {
    Addresses pieces;
    uint32_t shared = 0;
    warp.lanes([&](unsigned lane) {
      pieces[lane] = addresses[lane] + offset;
      shared |= uint32_t(isShared(access.space, addresses[lane])) << lane;
    });
    const uint32_t global = warp.activeLanes() & ~shared, size = std::min(unit, access.bytes - offset);
    if (shared)
      countShared(warp, pieces, shared, size);
    if (!global)
      continue;
    counts.globalSectors += sectorsOf(pieces, global, size);
    (direction == Direction::Load ? counts.globalBytesLoaded : counts.globalBytesStored) +=
        uint64_t(size) * static_cast<unsigned>(__builtin_popcount(global));
  }
}

void load(Warp &warp, const Instruction &instruction) {
  const Access &access = warp.launch.kernel.accesses[instruction.extra];
  const uint64_t *addresses = warp.slot(instruction.operands[0]);
  countAccess(warp, access, addresses, Direction::Load);
  warp.lanes([&](unsigned lane) {
    const uint8_t *bytes = readable(warp, {instruction, lane, access.space, addresses[lane], access.bytes,
                                           access.alignment, access.atomic});
    if (!bytes)
      return;
    for (const Element &element : access.elements)
      warp.slot(element.slot)[lane] = lowBits(loaded(bytes + element.offset, element.bytes), element.bits);
  });
}

void store(Warp &warp, const Instruction &instruction) {
  const Access &access = warp.launch.kernel.accesses[instruction.extra];
  const uint64_t *addresses = warp.slot(instruction.operands[0]);
  countAccess(warp, access, addresses, Direction::Store);
  warp.lanes([&](unsigned lane) {
    uint8_t *bytes = writable(warp, {instruction, lane, access.space, addresses[lane], access.bytes,
                                     access.alignment, access.atomic});
    if (!bytes)
      return;
    for (const Element &element : access.elements)
      std::memcpy(bytes + element.offset, &warp.slot(element.slot)[lane], element.bytes);
  });
}

} // namespace daedalus::cuda
