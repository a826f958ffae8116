// What the kernels of GEMM share that multiply floats: tiles with their output lanes side by side, and rows
// of ACC. Floats are exact here: a tile's sum stays below 64 * 2^14 = 2^20 < 2^24.
#pragma once

#include "kernels/converted.h"
#include "kernels/gemm_job.h"

#include <cstring>

namespace daedalus::sim::kernels {

struct TileJob {
  const GemmJob &gemm;
  Converted<float> &tiles;
};

/// The tile as floats [input lane][output lane].
template <unsigned N> DAEDALUS_ALWAYS_INLINE const float *tileOf(const TileJob &job, int64_t tile) {
  return job.tiles.get(
      tile, [&](float *converted) __attribute__((always_inline)) {
        for (unsigned i = 0; i < N; ++i)
          for (unsigned o = 0; o < N; ++o)
            converted[i * N + o] = job.gemm.wgt[tile * N * N + o * N + i];
      });
}

/// Lanes side by side in the host's registers, whatever their width: at most 16.
template <unsigned N> struct Lanes {
  static constexpr unsigned Width = N < 16 ? N : 16, Groups = N / Width;
  typedef int8_t Bytes __attribute__((vector_size(Width)));
  typedef uint32_t Words __attribute__((vector_size(4 * Width)));
  typedef int32_t Ints __attribute__((vector_size(4 * Width)));
  typedef float Floats __attribute__((vector_size(4 * Width)));
};

/// acc = (overwrite ? 0 : acc) + sum, modulo 2^32.
template <unsigned N>
DAEDALUS_ALWAYS_INLINE void addToLanes(const typename Lanes<N>::Floats &floats, int32_t *acc,
                                       bool overwrite) {
  using L = Lanes<N>;
  typename L::Words sum =
      reinterpret_cast<typename L::Words>(__builtin_convertvector(floats, typename L::Ints));
  typename L::Words old;
  std::memcpy(&old, acc, sizeof(old));
  if (!overwrite)
    sum += old;
  std::memcpy(acc, &sum, sizeof(sum));
}

/// The GEMM of a job with a window; false where no kernel is compiled for rows of n.
bool sumWindows(unsigned n, const TileJob &job);

} // namespace daedalus::sim::kernels
