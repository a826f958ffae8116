// GEMM with a window, for speed: the taps of a lane meet weights of its own, so a tile turned into floats
// with its output lanes side by side gives one multiply-add of N lanes a tap. Sums are exact, as in gemm.cpp.
#include "kernels/gemm_tiles.h"

namespace daedalus::sim::kernels {
namespace {

/// A run of the innermost loop: row 0 of its column 0, the tile and the row of ACC of its first result.
struct Columns {
  int64_t inp, wgt, acc;
  bool overwrites;
};

/// The sum over the window whose newest column is `column`, for a group of lanes, added to `sum`; `inp` is
/// row 0 of column 0.
template <unsigned N>
DAEDALUS_ALWAYS_INLINE void addTaps(const GemmJob &job, int64_t inp, int64_t column, const float *tile,
                                    unsigned group, typename Lanes<N>::Floats &sum) {
  using L = Lanes<N>;
  const isa::Gemm &gemm = job.gemm;
  const unsigned taps = N / gemm.window;
  const unsigned reached = column < taps ? static_cast<unsigned>(column) + 1 : taps;
  typename L::Floats weights;
  for (unsigned r = 0; r < gemm.window; ++r)
    for (unsigned k = 0; k < reached; ++k) {
      const int64_t row = inp + (column - k) * gemm.loops[5].inpStride + int64_t(r) * gemm.line;
      typename L::Bytes bytes;
      std::memcpy(&bytes, job.inp + row * N + group * L::Width, sizeof(bytes));
      std::memcpy(&weights, tile + (r * taps + k) * N + group * L::Width, sizeof(weights));
      sum += __builtin_convertvector(bytes, typename L::Floats) * weights;
    }
}

template <unsigned N> DAEDALUS_ALWAYS_INLINE void runColumns(const TileJob &tiles, Columns at) {
  using L = Lanes<N>;
  const GemmJob &job = tiles.gemm;
  const isa::Gemm &gemm = job.gemm;
  int64_t column = gemm.lead;
  for (unsigned j = 0; j < gemm.loops[5].count; ++j, column += gemm.step) {
    const float *tile = tileOf<N>(tiles, at.wgt);
    for (unsigned group = 0; group < L::Groups; ++group) {
      typename L::Floats sum = {};
      addTaps<N>(job, at.inp, column, tile, group, sum);
      addToLanes<N>(sum, job.acc + at.acc * N + group * L::Width, at.overwrites);
    }
    at.wgt += gemm.loops[5].wgtStride;
    at.acc += gemm.loops[5].accStride;
  }
}

template <unsigned N> DAEDALUS_ALWAYS_INLINE void run(const TileJob &job) {
  GemmRuns runs(job.gemm.gemm);
  do {
    const GemmRun at = runs.run();
    runColumns<N>(job, {at.inp, at.wgt, at.acc, at.firstOverwrites});
  } while (runs.next());
}

DAEDALUS_KERNEL_WIDTHS(TileJob)

} // namespace

bool sumWindows(unsigned n, const TileJob &job) {
  return runRows(n, job);
}

} // namespace daedalus::sim::kernels
