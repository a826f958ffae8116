#include "Memory.h"

#include <algorithm>

namespace daedalus::cuda {

uint64_t GlobalMemory::allocate(uint64_t bytes, bool isWatched) {
  constexpr uint64_t gap = uint64_t(1) << 20; // costs nothing but addresses
  const uint64_t base = next;
  regions.push_back(std::make_unique<Region>(base, bytes, isWatched));
  next += (bytes + 2 * gap - 1) / gap * gap; // aligned to 256 bytes and no more, as CUDA's
  return base;
}

const Region *GlobalMemory::before(uint64_t address) const {
  const auto behind = std::upper_bound(regions.begin(), regions.end(), address,
                                       [](uint64_t at, const auto &region) { return at < region->base; });
  return behind == regions.begin() ? nullptr : std::prev(behind)->get();
}

const Region *GlobalMemory::find(uint64_t address, uint64_t size) const {
  const Region *region = before(address);
  return region && region->contains(address, size) ? region : nullptr;
}

Region *GlobalMemory::find(uint64_t address, uint64_t size) {
  if (last && last->contains(address, size))
    return last;
  Region *found = const_cast<Region *>(std::as_const(*this).find(address, size));
  if (found)
    last = found;
  return found;
}

void GlobalMemory::forgetAccesses() {
  for (const auto &region : regions)
    std::fill(region->cells.begin(), region->cells.end(), Cell());
}

namespace {

bool isRaceWithWrite(const Cell &cell, uint8_t flags, const Accessor &who, bool atomic) {
  return cell.write && cell.write != who.stamp && !(atomic && (flags & wroteAtomically)) &&
         !who.order.isBefore(cell.write, who.warp, who.lane);
}

bool readersAreBefore(const Cell &cell, uint8_t flags, const Accessor &who) {
  if (!cell.read || cell.read == who.stamp)
    return true;
  return flags & hasSeveralReaders ? who.order.areBefore(cell.read, cell.readWarps, who.warp)
                                   : who.order.isBefore(cell.read, who.warp, who.lane);
}

/// One reader is known by its stamp, of several the last one's and their warps.
void addReader(Cell &cell, uint8_t &flags, const Accessor &who) {
  if (readersAreBefore(cell, flags, who)) {
    cell.read = who.stamp;
    cell.readWarps = uint32_t(1) << who.warp;
    flags &= static_cast<uint8_t>(~hasSeveralReaders);
    return;
  }
  cell.read = std::max(cell.read, who.stamp);
  cell.readWarps |= uint32_t(1) << who.warp;
  flags |= hasSeveralReaders;
}

} // namespace

Found noteRead(Region &region, uint64_t address, uint64_t size, const Accessor &who, bool atomic) {
  if (!region.isWatched())
    return {};
  const uint64_t begin = address - region.base;
  for (uint64_t at = begin; at < begin + size; ++at) {
    Cell &cell = region.cells[at];
    uint8_t &flags = region.flags[at];
    if (flags & isInFlight)
      return {Finding::InFlight, region.base + at, cell.write};
    if (!(flags & isWritten))
      return {Finding::NotWritten, region.base + at, 0};
    if (isRaceWithWrite(cell, flags, who, atomic))
      return {Finding::OtherWrote, region.base + at, cell.write};
    if (!atomic && (cell.read != who.stamp || (flags & hasSeveralReaders)))
      addReader(cell, flags, who);
  }
  return {};
}

Found noteWrite(Region &region, uint64_t address, uint64_t size, const Accessor &who, bool atomic) {
  if (!region.isWatched())
    return {};
  const uint64_t begin = address - region.base;
  for (uint64_t at = begin; at < begin + size; ++at) {
    Cell &cell = region.cells[at];
    uint8_t &flags = region.flags[at];
    if (flags & isInFlight)
      return {Finding::InFlight, region.base + at, cell.write};
    if (isRaceWithWrite(cell, flags, who, atomic))
      return {Finding::OtherWrote, region.base + at, cell.write};
    if (!readersAreBefore(cell, flags, who))
      return {Finding::OtherRead, region.base + at, cell.read};
    cell = {who.stamp, 0, 0};
    flags = static_cast<uint8_t>(isWritten | (atomic ? wroteAtomically : 0));
  }
  return {};
}

} // namespace daedalus::cuda
