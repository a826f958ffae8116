// GEMM for speed. A tile is first turned into floats with its output lanes side by side; then one row of ACC
// is N multiply-adds of N lanes. Floats are exact here: a tile's sum stays below 64 * 2^14 = 2^20 < 2^24.
// Hosts with AVX-512 VNNI take gemm_vnni.cpp instead.
#include "common/scratch_range.h"
#include "kernels/converted.h"
#include "kernels/gemm_job.h"
#include "kernels/kernels.h"

#include <cstring>

namespace daedalus::sim::kernels {
namespace {

struct Job {
  const GemmJob &gemm;
  Converted<float> &tiles;
};

/// The tile as floats [input lane][output lane].
template <unsigned N> DAEDALUS_ALWAYS_INLINE const float *tileOf(const Job &job, int64_t tile) {
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

/// acc = (overwrite ? 0 : acc) + inp * tile.
template <unsigned N>
DAEDALUS_ALWAYS_INLINE void multiply(const int8_t *inp, const float *tile, int32_t *acc, bool overwrite) {
  using L = Lanes<N>;
  float x[N];
  for (unsigned group = 0; group < L::Groups; ++group) {
    typename L::Bytes bytes;
    std::memcpy(&bytes, inp + group * L::Width, sizeof(bytes));
    const typename L::Floats floats = __builtin_convertvector(bytes, typename L::Floats);
    std::memcpy(x + group * L::Width, &floats, sizeof(floats));
  }
  for (unsigned group = 0; group < L::Groups; ++group) {
    typename L::Floats even = {}, odd = {}, lanes; // two chains, so that one hides the other's latency
    for (unsigned i = 0; i < N; i += 2) {
      std::memcpy(&lanes, tile + i * N + group * L::Width, sizeof(lanes));
      even += x[i] * lanes;
      std::memcpy(&lanes, tile + (i + 1) * N + group * L::Width, sizeof(lanes));
      odd += x[i + 1] * lanes;
    }
    typename L::Words sum =
        reinterpret_cast<typename L::Words>(__builtin_convertvector(even + odd, typename L::Ints));
    typename L::Words old;
    std::memcpy(&old, acc + group * L::Width, sizeof(old));
    if (!overwrite)
      sum += old;
    std::memcpy(acc + group * L::Width, &sum, sizeof(sum));
  }
}

template <unsigned N> DAEDALUS_ALWAYS_INLINE void run(const Job &job) {
  const isa::GemmLoop inner = job.gemm.gemm.loops[5];
  GemmRuns runs(job.gemm.gemm);
  do {
    GemmRun at = runs.run();
    for (unsigned i = 0; i < inner.count; ++i) {
      multiply<N>(job.gemm.inp + at.inp * N, tileOf<N>(job, at.wgt), job.gemm.acc + at.acc * N,
                  i ? at.othersOverwrite : at.firstOverwrites);
      at.inp += inner.inpStride;
      at.wgt += inner.wgtStride;
      at.acc += inner.accStride;
    }
  } while (runs.next());
}

DAEDALUS_KERNEL_WIDTHS(Job)

} // namespace

bool execute(const isa::Gemm &gemm, CoreState &core) {
  if (firstRowOutside(gemm, core.machine))
    return false;
  const unsigned n = core.machine.n;
  const GemmJob job{gemm, reinterpret_cast<const int8_t *>(core.scratchpad(isa::Scope::Inp).data()),
                    reinterpret_cast<const int8_t *>(core.scratchpad(isa::Scope::Wgt).data()),
                    reinterpret_cast<int32_t *>(core.scratchpad(isa::Scope::Acc).data()),
                    core.machine.rows(isa::Scope::Wgt)};
  if (levelInUse() == Level::Vnni && multiplyByDotProducts(n, job))
    return true;
  static thread_local Converted<float> tiles;
  tiles.begin(job.wgtRows, size_t(n) * n);
  return runRows(n, {job, tiles});
}

} // namespace daedalus::sim::kernels
