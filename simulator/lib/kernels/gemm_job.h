// A GEMM as its kernels see it: the iterations of its innermost loop, once for each of the loops around it.
#pragma once

#include "common/loop_nest.h"
#include "daedalus/isa/instructions.h"

namespace daedalus::sim::kernels {

/// Every row that it names lies in its scratchpad.
struct GemmJob {
  const isa::Gemm &gemm;
  const int8_t *inp;
  const int8_t *wgt;
  int32_t *acc;
  unsigned wgtRows; ///< tiles in WGT
};

/// Rows of the first iteration of the innermost loop, and whether iterations overwrite their row of ACC.
struct GemmRun {
  int64_t inp, wgt, acc;
  bool firstOverwrites, othersOverwrite;
};

class GemmRuns {
public:
  explicit GemmRuns(const isa::Gemm &gemm) : gemm(gemm), loops(outerOf(gemm)), nest(loops) {}

  GemmRun run() const {
    const bool first = nest.isFirst(gemm.reduction) && !gemm.accumulate;
    return {gemm.inp + nest.offset(&isa::GemmLoop::inpStride),
            gemm.wgt + nest.offset(&isa::GemmLoop::wgtStride),
            gemm.acc + nest.offset(&isa::GemmLoop::accStride), first, first && !(gemm.reduction >> 5 & 1)};
  }
  bool next() { return nest.next(); }

private:
  static std::array<isa::GemmLoop, 6> outerOf(const isa::Gemm &gemm) {
    std::array<isa::GemmLoop, 6> outer = gemm.loops;
    outer[5].count = 1;
    return outer;
  }

  const isa::Gemm &gemm;
  const std::array<isa::GemmLoop, 6> loops;
  LoopNest<isa::GemmLoop, 6> nest;
};

/// The same by the dot products of AVX-512 VNNI; false where rows of n are not made of its 16 lanes, or the
/// compiler has no such instructions.
bool multiplyByDotProducts(unsigned n, const GemmJob &job);

} // namespace daedalus::sim::kernels
