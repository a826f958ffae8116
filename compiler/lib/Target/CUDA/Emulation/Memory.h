// The memories of a device, with what is known of each byte: whether it was written, and who accessed it
// last.
#pragma once

#include "Order.h"

#include <memory>

namespace daedalus::cuda {

/// Generic addresses of shared memory begin here.
constexpr uint64_t sharedWindow = uint64_t(0x7f) << 40;

/// Who accessed a byte last.
struct Cell {
  Stamp write = 0, read = 0;
  uint32_t readWarps = 0; ///< since the write
};

/// What else is known of a byte.
enum : uint8_t { isWritten = 1, isInFlight = 2, wroteAtomically = 4, hasSeveralReaders = 8, isUnfenced = 16 };

/// A piece of memory: an allocation, or a block's shared memory.
struct Region {
  Region(uint64_t base, uint64_t size, bool isWatched = true)
      : base(base), bytes(size), flags(isWatched ? size : 0), cells(isWatched ? size : 0) {}

  bool contains(uint64_t address, uint64_t size) const {
    return address >= base && address - base <= bytes.size() && size <= bytes.size() - (address - base);
  }

  bool isWatched() const { return flags.size() == bytes.size(); }

  uint64_t base;
  std::vector<uint8_t> bytes, flags;
  std::vector<Cell> cells;
  bool isConstant = false;
};

class GlobalMemory {
public:
  uint64_t allocate(uint64_t bytes, bool isWatched = true);
  /// The allocation that the range lies in, or null.
  Region *find(uint64_t address, uint64_t size);
  const Region *find(uint64_t address, uint64_t size) const;
  /// The allocation that begins last before an address, or null.
  const Region *before(uint64_t address) const;
  /// Nobody accessed anything.
  void forgetAccesses();

private:
  std::vector<std::unique_ptr<Region>> regions; ///< by their addresses
  Region *last = nullptr;                       ///< what was found last
  uint64_t next = (uint64_t(0x10) << 40) + 256;
};

enum class Finding : uint8_t { None, NotWritten, InFlight, OtherWrote, OtherRead };

/// What is wrong with an access: at which byte, and whose access is in its way.
struct Found {
  Finding finding = Finding::None;
  uint64_t address = 0;
  Stamp other = 0;

  explicit operator bool() const { return finding != Finding::None; }
};

/// The thread that accesses.
struct Accessor {
  const Order &order;
  unsigned warp, lane;
  Stamp stamp;
};

/// Check and note an access of bytes that lie in the region. Atomic ones are no race among themselves.
Found noteRead(Region &region, uint64_t address, uint64_t size, const Accessor &who, bool atomic);
Found noteWrite(Region &region, uint64_t address, uint64_t size, const Accessor &who, bool atomic);

} // namespace daedalus::cuda
