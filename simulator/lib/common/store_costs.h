// The beats of a store's bursts, in the order of isa::StoreSegments and equal to it (R18): addresses go from
// run to run by one addition. And where all bursts lie, by the store's fields.
#pragma once

#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace daedalus::sim {

/// DRAM bytes from the base register on, and rows of the scope. Every burst lies in them; bytes and rows
/// between bursts may lie in them too.
struct StoreBounds {
  int64_t dramBegin = 0, dramEnd = 0;
  int64_t rowBegin = 0, rowEnd = 0;
};
StoreBounds boundsOf(const isa::Store &store, const isa::Machine &machine);

class StoreCosts {
public:
  /// `baseAddress` is the content of the store's base register.
  StoreCosts(const isa::Store &store, const isa::Machine &machine, uint64_t baseAddress);

  /// The beats of the next burst; 0 when there is none.
  uint32_t next() {
    if (done)
      return 0;
    const uint32_t within = static_cast<uint32_t>(runAddress) + position;
    const uint32_t bytes = std::min(runBytes - position, burstMask + 1 - (within & burstMask));
    position += bytes;
    if (position == runBytes)
      nextRun();
    return (((within & beatMask) + bytes - 1) >> beatShift) + 1;
  }

private:
  void nextRun() {
    position = 0;
    runAddress += innerStride;
    if (++index[2] == innerCount)
      nextRow();
  }
  void nextRow();
  void beginRow();

  const std::array<isa::StoreLoop, 3> loops;
  const uint64_t begin; ///< DRAM address of the first run
  const uint64_t innerStride;
  const uint32_t innerCount, runBytes, burstMask, beatMask, beatShift;

  std::array<uint32_t, 3> index{};
  bool done = false;
  uint64_t runAddress;
  uint32_t position = 0; ///< in the run
};

} // namespace daedalus::sim
