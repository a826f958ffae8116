// Loads, stores and atomic operations: checked, then counted, then done.
#pragma once

#include "Traffic.h"
#include "Warp.h"

namespace daedalus::cuda {

/// What a thread does with memory, for its checks and its messages.
struct Attempt {
  const Instruction &instruction;
  unsigned lane;
  Space space;
  uint64_t address;
  uint32_t bytes;
  uint32_t alignment;
  bool isAtomic = false;
};

/// The bytes that a thread may read or write, noted as done; null after a fault.
uint8_t *readable(Warp &warp, const Attempt &attempt);
uint8_t *writable(Warp &warp, const Attempt &attempt);
/// The same without a look at what others did: bounds and alignment.
Region *located(Warp &warp, const Attempt &attempt, const char *verb);
/// The fault that was found, in words.
void failFound(Warp &warp, const Attempt &attempt, const Found &found, const char *verb);
Accessor accessorOf(const Warp &warp, unsigned lane);
/// Where it is in its region's addresses: shared memory's begin at 0.
uint64_t addressIn(const Region &region, uint64_t address);

enum class Direction : uint8_t { Load, Store };
/// Counts an access of the active lanes, in pieces of at most 16 bytes as the hardware does it.
void countAccess(Warp &warp, const Access &access, const uint64_t *addresses, Direction direction);
void countShared(Warp &warp, const Addresses &addresses, uint32_t lanes, uint32_t bytes);

void load(Warp &warp, const Instruction &instruction);
void store(Warp &warp, const Instruction &instruction); ///< the elements' slots are the value's

} // namespace daedalus::cuda
