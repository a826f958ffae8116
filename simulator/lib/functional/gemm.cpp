// GEMM: in every iteration of six loops, one row of ACC takes the product of a row of INP with a tile of
// WGT. acc[o] = (overwritten ? 0 : acc[o]) + sum over i of inp[i] * wgt[o][i], modulo 2^32.
//
// With a window of R rows the innermost loop goes over columns of R rows of INP, and an iteration's sum is
// over the last C = floor(N / R) columns, each lane for itself: row r of the column k before times wgt[o][r *
// C + k].
#include "common/loop_nest.h"
#include "daedalus/isa/timing.h"
#include "functional/instructions.h"

#include <cstring>

namespace daedalus::sim::functional {
namespace {

using isa::Scope;

std::optional<Fault> checkRow(const CoreState &core, Scope scope, const char *unit, int64_t row) {
  return checkScope(scope, unit, row, row + 1, core.machine.rows(scope));
}

std::optional<Fault> checkResult(const CoreState &core, int64_t tile, int64_t acc) {
  if (auto fault = checkRow(core, Scope::Wgt, "tile", tile))
    return fault;
  return checkRow(core, Scope::Acc, "row", acc);
}

/// Lane o of the row of ACC becomes (overwrite ? 0 : its old value) + sum(o), modulo 2^32.
template <class Sum> void addToRow(CoreState &core, int64_t acc, bool overwrite, Sum sum) {
  const int64_t n = core.machine.n;
  uint8_t *row = core.scratchpad(Scope::Acc).data() + acc * 4 * n;
  for (int64_t o = 0; o < n; ++o) {
    uint32_t old = 0;
    if (!overwrite)
      std::memcpy(&old, row + 4 * o, 4);
    const uint32_t lane = old + sum(o);
    std::memcpy(row + 4 * o, &lane, 4);
  }
  core.wrote(Scope::Acc, acc * 4 * n, row, 4 * n);
}

const int8_t *inpRow(CoreState &core, int64_t row) {
  return reinterpret_cast<const int8_t *>(core.scratchpad(Scope::Inp).data()) + row * core.machine.n;
}

const int8_t *wgtTile(CoreState &core, int64_t tile) {
  const int64_t n = core.machine.n;
  return reinterpret_cast<const int8_t *>(core.scratchpad(Scope::Wgt).data()) + tile * n * n;
}

using Nest = LoopNest<isa::GemmLoop, 6>;

/// One row of INP times one tile.
void multiplyTile(const isa::Gemm &gemm, const Nest &nest, int64_t inp, int64_t wgt, int64_t acc,
                  CoreState &core) {
  const int64_t n = core.machine.n;
  const int8_t *row = inpRow(core, inp), *tile = wgtTile(core, wgt);
  addToRow(core, acc, nest.isFirst(gemm.reduction) && !gemm.accumulate, [&](int64_t o) {
    uint32_t sum = 0;
    for (int64_t i = 0; i < n; ++i)
      sum += static_cast<uint32_t>(row[i] * tile[o * n + i]);
    return sum;
  });
}

/// The taps of the columns from `column` back; `inp` is the first row of column 0.
void multiplyWindow(const isa::Gemm &gemm, const Nest &nest, int64_t inp, int64_t column, int64_t wgt,
                    int64_t acc, CoreState &core) {
  const int64_t n = core.machine.n, columns = n / gemm.window;
  const int8_t *tile = wgtTile(core, wgt);
  addToRow(core, acc, nest.isFirst(gemm.reduction) && !gemm.accumulate, [&](int64_t o) {
    uint32_t sum = 0;
    for (int64_t r = 0; r < gemm.window; ++r)
      for (int64_t k = 0; k < columns && k <= column; ++k) { // columns before 0 are zero
        const int64_t row = inp + (column - k) * gemm.loops[5].inpStride + r * gemm.line;
        sum += static_cast<uint32_t>(inpRow(core, row)[o] * tile[o * n + r * columns + k]);
      }
    return sum;
  });
}

std::optional<Fault> multiplyTiles(const isa::Gemm &gemm, CoreState &core) {
  Nest nest(gemm.loops);
  do {
    const int64_t inp = gemm.inp + nest.offset(&isa::GemmLoop::inpStride);
    const int64_t wgt = gemm.wgt + nest.offset(&isa::GemmLoop::wgtStride);
    const int64_t acc = gemm.acc + nest.offset(&isa::GemmLoop::accStride);
    if (auto fault = checkRow(core, Scope::Inp, "row", inp))
      return fault;
    if (auto fault = checkResult(core, wgt, acc))
      return fault;
    multiplyTile(gemm, nest, inp, wgt, acc, core);
  } while (nest.next());
  return std::nullopt;
}

/// The columns of one run of the innermost loop: all are read, and some have a result.
std::optional<Fault> multiplyColumns(const isa::Gemm &gemm, const Nest &nest, CoreState &core) {
  const int64_t inp = gemm.inp + nest.offset(&isa::GemmLoop::inpStride);
  int64_t wgt = gemm.wgt + nest.offset(&isa::GemmLoop::wgtStride);
  int64_t acc = gemm.acc + nest.offset(&isa::GemmLoop::accStride);
  for (int64_t column = 0; column < int64_t(isa::columnsOf(gemm)); ++column) {
    for (int64_t r = 0; r < gemm.window; ++r)
      if (auto fault =
              checkRow(core, Scope::Inp, "row", inp + column * gemm.loops[5].inpStride + r * gemm.line))
        return fault;
    if (column < gemm.lead || (column - gemm.lead) % gemm.step)
      continue;
    if (auto fault = checkResult(core, wgt, acc))
      return fault;
    multiplyWindow(gemm, nest, inp, column, wgt, acc, core);
    wgt += gemm.loops[5].wgtStride;
    acc += gemm.loops[5].accStride;
  }
  return std::nullopt;
}

std::optional<Fault> multiplyWindows(const isa::Gemm &gemm, CoreState &core) {
  std::array<isa::GemmLoop, 6> outer = gemm.loops;
  outer[5].count = 1;
  Nest nest(outer);
  do {
    if (auto fault = multiplyColumns(gemm, nest, core))
      return fault;
  } while (nest.next());
  return std::nullopt;
}

} // namespace

std::optional<Fault> execute(const isa::Gemm &gemm, CoreState &core) {
  return gemm.window ? multiplyWindows(gemm, core) : multiplyTiles(gemm, core);
}

} // namespace daedalus::sim::functional
