// The operands of GEMM and VECTOR as RangeCheck sees them. With a window GEMM has two nests: its columns, and
// its results.
#include "common/scratch_range.h"

#include "common/range.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/isa/timing.h"

#include <algorithm>

namespace daedalus::sim {

using isa::Scope;

namespace {

template <class Loop, size_t Rank> std::array<uint64_t, Rank> countsOf(const std::array<Loop, Rank> &loops) {
  std::array<uint64_t, Rank> counts;
  for (size_t loop = 0; loop < Rank; ++loop)
    counts[loop] = loops[loop].count;
  return counts;
}

template <class Loop, size_t Rank>
RowOperand<Rank> operand(int64_t row, const std::array<Loop, Rank> &loops, int16_t Loop::*stride,
                         int64_t rows, int64_t width = 1) {
  RowOperand<Rank> result{row, {}, width, rows};
  for (size_t loop = 0; loop < Rank; ++loop)
    result.strides[loop] = loops[loop].*stride;
  return result;
}

/// A source of VECTOR; one that is no scratchpad stands still in a scope of one row.
RowOperand<5> source(const isa::Vector &vector, Scope scope, int64_t row, int16_t isa::VectorLoop::*stride,
                     const isa::Machine &machine) {
  if (scope == Scope::None || scope == Scope::Imm)
    return {0, {}, 1, 1};
  const bool bytes = scope == Scope::Param && !isa::requantizes(vector.op); // rows of N int8
  return operand(row, vector.loops, stride, bytes ? machine.bytes(scope) / machine.n : machine.rows(scope));
}

/// Cycles before the first column of which one of R rows is outside: an operand a row, with a count of
/// columns.
std::optional<uint64_t> firstColumnOutside(const isa::Gemm &gemm, const isa::Machine &machine) {
  auto counts = countsOf(gemm.loops);
  counts[5] = isa::columnsOf(gemm);
  std::array<RowOperand<6>, 4> rows;
  for (unsigned r = 0; r < rows.size(); ++r)
    rows[r] = operand(gemm.inp + int64_t(r < gemm.window ? r : 0) * gemm.line, gemm.loops,
                      &isa::GemmLoop::inpStride, machine.rows(Scope::Inp));
  return RangeCheck<6>(counts).firstOutside<4>(rows);
}

std::optional<uint64_t> firstOutsideOfWindows(const isa::Gemm &gemm, const isa::Machine &machine) {
  const std::optional<uint64_t> column = firstColumnOutside(gemm, machine);
  const auto counts = countsOf(gemm.loops);
  const std::optional<uint64_t> result = RangeCheck<6>(counts).firstOutside<2>(
      {operand(gemm.wgt, gemm.loops, &isa::GemmLoop::wgtStride, machine.rows(Scope::Wgt)),
       operand(gemm.acc, gemm.loops, &isa::GemmLoop::accStride, machine.rows(Scope::Acc))});
  if (!result)
    return column;
  const uint64_t cycle =
      *result / counts[5] * isa::columnsOf(gemm) + gemm.lead + *result % counts[5] * gemm.step;
  return std::min(cycle, column.value_or(cycle));
}

} // namespace

std::optional<uint64_t> firstRowOutside(const isa::Gemm &gemm, const isa::Machine &machine) {
  if (gemm.window)
    return firstOutsideOfWindows(gemm, machine);
  const auto counts = countsOf(gemm.loops);
  return RangeCheck<6>(counts).firstOutside<3>(
      {operand(gemm.inp, gemm.loops, &isa::GemmLoop::inpStride, machine.rows(Scope::Inp)),
       operand(gemm.wgt, gemm.loops, &isa::GemmLoop::wgtStride, machine.rows(Scope::Wgt)),
       operand(gemm.acc, gemm.loops, &isa::GemmLoop::accStride, machine.rows(Scope::Acc))});
}

std::optional<uint64_t> firstRowOutside(const isa::Vector &vector, const isa::Machine &machine) {
  if (isa::looksUp(vector.op) && vector.table >= machine.rows(Scope::Lut))
    return 0;
  const auto counts = countsOf(vector.loops);
  const int64_t width = vector.op == isa::VectorOp::Mov32 ? 4 : 1;
  return RangeCheck<5>(counts).firstOutside<3>(
      {operand(vector.dst, vector.loops, &isa::VectorLoop::dstStride, machine.rows(vector.dstScope), width),
       source(vector, vector.aScope, vector.a, &isa::VectorLoop::aStride, machine),
       source(vector, vector.bScope, vector.b, &isa::VectorLoop::bStride, machine)});
}

} // namespace daedalus::sim
