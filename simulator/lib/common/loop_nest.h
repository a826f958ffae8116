// The iterations of an instruction's loops, loop 0 outermost, as isa.yaml describes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace daedalus::sim {

template <class Loop, size_t Rank> class LoopNest {
public:
  explicit LoopNest(const std::array<Loop, Rank> &loops) : loops(loops) {}

  uint32_t index(size_t loop) const { return indices[loop]; }

  /// The sum over the loops of index times stride: LoopNest(gemm.loops).offset(&isa::GemmLoop::inpStride).
  template <class Stride> int64_t offset(Stride Loop::*stride) const {
    int64_t sum = 0;
    for (size_t loop = 0; loop < Rank; ++loop)
      sum += int64_t(indices[loop]) * (loops[loop].*stride);
    return sum;
  }

  /// Whether every loop of the mask is in its first iteration (true of an empty mask).
  bool isFirst(unsigned mask) const {
    for (size_t loop = 0; loop < Rank; ++loop)
      if ((mask >> loop & 1) && indices[loop])
        return false;
    return true;
  }

  /// Goes to the next iteration; false when there is none.
  bool next() {
    for (size_t loop = Rank; loop-- > 0;) {
      if (++indices[loop] < loops[loop].count)
        return true;
      indices[loop] = 0;
    }
    return false;
  }

private:
  const std::array<Loop, Rank> &loops;
  std::array<uint32_t, Rank> indices{};
};

} // namespace daedalus::sim
