// GEMM for speed. A tile is first turned into floats with its output lanes side by side; then one row of ACC
// is N multiply-adds of N lanes. Hosts with AVX-512 VNNI take gemm_vnni.cpp instead; a window is
// gemm_window.cpp's.
#include "common/scratch_range.h"
#include "kernels/gemm_tiles.h"
#include "kernels/kernels.h"

namespace daedalus::sim::kernels {
namespace {

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
    addToLanes<N>(even + odd, acc + group * L::Width, overwrite);
  }
}

template <unsigned N> DAEDALUS_ALWAYS_INLINE void run(const TileJob &job) {
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

DAEDALUS_KERNEL_WIDTHS(TileJob)

} // namespace

bool execute(const isa::Gemm &gemm, CoreState &core) {
  if (firstRowOutside(gemm, core.machine))
    return false;
  const unsigned n = core.machine.n;
  const GemmJob job{gemm, reinterpret_cast<const int8_t *>(core.scratchpad(isa::Scope::Inp).data()),
                    reinterpret_cast<const int8_t *>(core.scratchpad(isa::Scope::Wgt).data()),
                    reinterpret_cast<int32_t *>(core.scratchpad(isa::Scope::Acc).data()),
                    core.machine.rows(isa::Scope::Wgt)};
  if (!gemm.window && levelInUse() == Level::Vnni && multiplyByDotProducts(n, job))
    return true;
  static thread_local Converted<float> tiles;
  tiles.begin(job.wgtRows, size_t(n) * n);
  const TileJob tileJob{job, tiles};
  return gemm.window ? sumWindows(n, tileJob) : runRows(n, tileJob);
}

} // namespace daedalus::sim::kernels
