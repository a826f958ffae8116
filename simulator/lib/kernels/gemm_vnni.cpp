// GEMM by the dot products of AVX-512 VNNI, which multiply four unsigned bytes with four signed ones and add
// the products to an int32 lane, wrapping. INP is signed, so x + 128 stands for x, and every lane starts from
// -128 times the sum of its weights: sum((x + 128) * w) - 128 * sum(w) = sum(x * w), exactly and modulo 2^32.
// A tile is first turned so that the four bytes that meet a lane's four inputs lie side by side.
#include "kernels/converted.h"
#include "kernels/gemm_job.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include <cstring>
#include <immintrin.h>

#define DAEDALUS_VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))

namespace daedalus::sim::kernels {
namespace {

constexpr unsigned Lanes = 16;

/// Words of a turned tile: for each group of 16 lanes its starting values, then N / 4 times a word of each
/// lane.
template <unsigned N> constexpr size_t GroupWords = Lanes *(1 + N / 4);

template <unsigned N> DAEDALUS_VNNI void turn(const int8_t *tile, int32_t *turned) {
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i rows = _mm512_mullo_epi32(lanes, _mm512_set1_epi32(N));
  for (unsigned group = 0; group < N / Lanes; ++group) {
    int32_t *words = turned + group * GroupWords<N>;
    __m512i sums = _mm512_setzero_si512();
    for (unsigned word = 0; word < N / 4; ++word) {
      const __m512i weights = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xffff, rows,
                                                          tile + group * Lanes * N + 4 * word, 1);
      sums = _mm512_dpbusd_epi32(sums, _mm512_set1_epi8(1), weights);
      _mm512_storeu_si512(words + Lanes * (1 + word), weights);
    }
    _mm512_storeu_si512(words, _mm512_mullo_epi32(sums, _mm512_set1_epi32(-128)));
  }
}

/// sums += inp * tile, for 16 lanes: four sums that add up to one, so that each hides the others' latency.
template <unsigned N>
DAEDALUS_VNNI DAEDALUS_ALWAYS_INLINE void multiply(const int8_t *inp, const int32_t *group, __m512i sums[4]) {
  const __m512i flip = _mm512_set1_epi8(char(0x80));
  sums[0] = _mm512_add_epi32(sums[0], _mm512_loadu_si512(group));
  for (unsigned word = 0; word < N / 4; ++word) {
    int32_t inputs;
    std::memcpy(&inputs, inp + 4 * word, 4);
    sums[word % 4] = _mm512_dpbusd_epi32(sums[word % 4], _mm512_xor_si512(_mm512_set1_epi32(inputs), flip),
                                         _mm512_loadu_si512(group + Lanes * (1 + word)));
  }
}

/// acc = (overwrite ? 0 : acc) + the sums.
DAEDALUS_VNNI DAEDALUS_ALWAYS_INLINE void store(const __m512i sums[4], int32_t *acc, bool overwrite) {
  __m512i sum = _mm512_add_epi32(_mm512_add_epi32(sums[0], sums[1]), _mm512_add_epi32(sums[2], sums[3]));
  if (!overwrite)
    sum = _mm512_add_epi32(sum, _mm512_loadu_si512(acc));
  _mm512_storeu_si512(acc, sum);
}

template <unsigned N>
DAEDALUS_ALWAYS_INLINE const int32_t *turnedTile(Converted<int32_t> &tiles, const GemmJob &job,
                                                 int64_t tile) {
  return tiles.get(tile, [&](int32_t *turned) { turn<N>(job.wgt + tile * N * N, turned); });
}

/// A run whose iterations all add to one row of ACC, which stays in registers.
template <unsigned N>
DAEDALUS_VNNI void reduce(const GemmJob &job, Converted<int32_t> &tiles, const GemmRun &at) {
  const isa::GemmLoop inner = job.gemm.loops[5];
  for (unsigned i = 0; i < inner.count; ++i) // beforehand: no call comes between the sums
    turnedTile<N>(tiles, job, at.wgt + int64_t(i) * inner.wgtStride);
  for (unsigned group = 0; group < N / Lanes; ++group) {
    __m512i sums[4] = {};
    int64_t inp = at.inp, wgt = at.wgt;
    for (unsigned i = 0; i < inner.count; ++i) {
      multiply<N>(job.inp + inp * N, tiles.converted(wgt) + group * GroupWords<N>, sums);
      inp += inner.inpStride;
      wgt += inner.wgtStride;
    }
    store(sums, job.acc + at.acc * N + group * Lanes, at.firstOverwrites);
  }
}

/// Any other.
template <unsigned N> DAEDALUS_VNNI void iterate(const GemmJob &job, Converted<int32_t> &tiles, GemmRun at) {
  const isa::GemmLoop inner = job.gemm.loops[5];
  for (unsigned i = 0; i < inner.count; ++i) {
    const int32_t *tile = turnedTile<N>(tiles, job, at.wgt);
    for (unsigned group = 0; group < N / Lanes; ++group) {
      __m512i sums[4] = {};
      multiply<N>(job.inp + at.inp * N, tile + group * GroupWords<N>, sums);
      store(sums, job.acc + at.acc * N + group * Lanes, i ? at.othersOverwrite : at.firstOverwrites);
    }
    at.inp += inner.inpStride;
    at.wgt += inner.wgtStride;
    at.acc += inner.accStride;
  }
}

template <unsigned N> void run(const GemmJob &job) {
  static thread_local Converted<int32_t> tiles;
  tiles.begin(job.wgtRows, N / Lanes * GroupWords<N>);
  GemmRuns runs(job.gemm);
  do {
    const GemmRun at = runs.run();
    if (job.gemm.loops[5].accStride == 0 && !at.othersOverwrite)
      reduce<N>(job, tiles, at);
    else
      iterate<N>(job, tiles, at);
  } while (runs.next());
}

} // namespace

bool multiplyByDotProducts(unsigned n, const GemmJob &job) {
  switch (n) {
  case 16:
    return run<16>(job), true;
  case 32:
    return run<32>(job), true;
  case 64:
    return run<64>(job), true;
  default:
    return false;
  }
}

} // namespace daedalus::sim::kernels

#else

namespace daedalus::sim::kernels {

bool multiplyByDotProducts(unsigned, const GemmJob &) {
  return false;
}

} // namespace daedalus::sim::kernels

#endif
