// GEMM for speed. A tile is first turned into floats with its output lanes side by side; then one row of ACC
// is N multiply-adds of N lanes. Floats are exact here: a tile's sum stays below 64 * 2^14 = 2^20 < 2^24.
#include "common/loop_nest.h"
#include "common/scratch_range.h"
#include "kernels/host.h"
#include "kernels/kernels.h"

#include <cstring>

namespace daedalus::sim::kernels {
namespace {

/// The tiles that the instruction in progress has used so far, as floats [input lane][output lane].
class Tiles {
public:
  void begin(size_t tiles, size_t tileElements) {
    if (stamps.size() < tiles)
      stamps.resize(tiles);
    if (floats.size() < tiles * tileElements)
      floats.resize(tiles * tileElements);
    ++stamp;
  }

  template <unsigned N> DAEDALUS_ALWAYS_INLINE const float *get(int64_t tile, const int8_t *wgt) {
    float *converted = floats.data() + tile * N * N;
    if (stamps[tile] == stamp)
      return converted;
    stamps[tile] = stamp;
    for (unsigned i = 0; i < N; ++i)
      for (unsigned o = 0; o < N; ++o)
        converted[i * N + o] = wgt[tile * N * N + o * N + i];
    return converted;
  }

private:
  std::vector<uint64_t> stamps; ///< of the instruction that converted the tile
  std::vector<float> floats;
  uint64_t stamp = 0;
};

struct Job {
  const isa::Gemm &gemm;
  Tiles &tiles;
  const int8_t *inp;
  const int8_t *wgt;
  int32_t *acc;
};

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
  const isa::Gemm &gemm = job.gemm;
  const isa::GemmLoop inner = gemm.loops[5];
  std::array<isa::GemmLoop, 6> outerLoops = gemm.loops;
  outerLoops[5].count = 1;
  LoopNest nest(outerLoops);
  do {
    int64_t inp = gemm.inp + nest.offset(&isa::GemmLoop::inpStride);
    int64_t wgt = gemm.wgt + nest.offset(&isa::GemmLoop::wgtStride);
    int64_t acc = gemm.acc + nest.offset(&isa::GemmLoop::accStride);
    const bool outerFirst = nest.isFirst(gemm.reduction) && !gemm.accumulate;
    for (unsigned i = 0; i < inner.count; ++i) {
      const bool overwrite = outerFirst && !(i && (gemm.reduction >> 5 & 1));
      multiply<N>(job.inp + inp * N, job.tiles.get<N>(wgt, job.wgt), job.acc + acc * N, overwrite);
      inp += inner.inpStride;
      wgt += inner.wgtStride;
      acc += inner.accStride;
    }
  } while (nest.next());
}

DAEDALUS_KERNEL_WIDTHS(Job)

} // namespace

bool execute(const isa::Gemm &gemm, CoreState &core) {
  if (firstRowOutside(gemm, core.machine))
    return false;
  static thread_local Tiles tiles;
  const unsigned n = core.machine.n;
  tiles.begin(core.machine.rows(isa::Scope::Wgt), size_t(n) * n);
  const Job job{gemm, tiles, reinterpret_cast<const int8_t *>(core.scratchpad(isa::Scope::Inp).data()),
                reinterpret_cast<const int8_t *>(core.scratchpad(isa::Scope::Wgt).data()),
                reinterpret_cast<int32_t *>(core.scratchpad(isa::Scope::Acc).data())};
  return runRows(n, job);
}

} // namespace daedalus::sim::kernels
