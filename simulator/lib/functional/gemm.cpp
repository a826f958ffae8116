// GEMM: in every iteration of six loops, one row of ACC takes the product of a row of INP with a tile of
// WGT. acc[o] = (overwritten ? 0 : acc[o]) + sum over i of inp[i] * wgt[o][i], modulo 2^32.
#include "common/loop_nest.h"
#include "functional/instructions.h"

#include <cstring>

namespace daedalus::sim::functional {
namespace {

void multiplyTile(const int8_t *inp, const int8_t *wgt, uint8_t *acc, int64_t n, bool overwrite) {
  for (int64_t o = 0; o < n; ++o) {
    uint32_t sum = 0;
    if (!overwrite)
      std::memcpy(&sum, acc + 4 * o, 4);
    for (int64_t i = 0; i < n; ++i)
      sum += static_cast<uint32_t>(inp[i] * wgt[o * n + i]);
    std::memcpy(acc + 4 * o, &sum, 4);
  }
}

} // namespace

std::optional<Fault> execute(const isa::Gemm &gemm, CoreState &core) {
  using isa::Scope;
  const int64_t n = core.machine.n;
  const auto *inpRows = reinterpret_cast<const int8_t *>(core.scratchpad(Scope::Inp).data());
  const auto *wgtTiles = reinterpret_cast<const int8_t *>(core.scratchpad(Scope::Wgt).data());
  uint8_t *accRows = core.scratchpad(Scope::Acc).data();
  LoopNest nest(gemm.loops);
  do {
    const int64_t inp = gemm.inp + nest.offset(&isa::GemmLoop::inpStride);
    const int64_t wgt = gemm.wgt + nest.offset(&isa::GemmLoop::wgtStride);
    const int64_t acc = gemm.acc + nest.offset(&isa::GemmLoop::accStride);
    if (auto fault = checkScope(Scope::Inp, "row", inp, inp + 1, core.machine.rows(Scope::Inp)))
      return fault;
    if (auto fault = checkScope(Scope::Wgt, "tile", wgt, wgt + 1, core.machine.rows(Scope::Wgt)))
      return fault;
    if (auto fault = checkScope(Scope::Acc, "row", acc, acc + 1, core.machine.rows(Scope::Acc)))
      return fault;
    const bool overwrite = nest.isFirst(gemm.reduction) && !gemm.accumulate;
    multiplyTile(inpRows + inp * n, wgtTiles + wgt * n * n, accRows + acc * 4 * n, n, overwrite);
    core.wrote(Scope::Acc, acc * 4 * n, accRows + acc * 4 * n, 4 * n);
  } while (nest.next());
  return std::nullopt;
}

} // namespace daedalus::sim::functional
