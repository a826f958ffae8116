// What an access of a warp costs in each memory.
#pragma once

#include "Code.h"

namespace daedalus::cuda {

using Addresses = std::array<uint64_t, warpSize>;

/// Distinct sectors of 32 bytes of global memory that the lanes access, of so many bytes each.
unsigned sectorsOf(const Addresses &addresses, uint32_t lanes, uint32_t bytes);

/// Shared memory has 32 banks of 4 bytes, of each of which one word is accessed in a wavefront.
struct Wavefronts {
  unsigned needed = 0;
  unsigned least =
      0; ///< with no conflict: of 4 bytes one for the warp, of 8 one for each half, of 16 each quarter
};
Wavefronts wavefrontsOf(const Addresses &addresses, uint32_t lanes, uint32_t bytes);

} // namespace daedalus::cuda
