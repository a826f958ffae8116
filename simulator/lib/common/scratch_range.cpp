// The operands of GEMM and VECTOR as RangeCheck sees them.
#include "common/scratch_range.h"

#include "common/range.h"

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
  const bool bytes = scope == Scope::Param && vector.op != isa::VectorOp::Requant; // rows of N int8
  return operand(row, vector.loops, stride, bytes ? machine.bytes(scope) / machine.n : machine.rows(scope));
}

} // namespace

std::optional<uint64_t> firstRowOutside(const isa::Gemm &gemm, const isa::Machine &machine) {
  const auto counts = countsOf(gemm.loops);
  return RangeCheck<6>(counts).firstOutside<3>(
      {operand(gemm.inp, gemm.loops, &isa::GemmLoop::inpStride, machine.rows(Scope::Inp)),
       operand(gemm.wgt, gemm.loops, &isa::GemmLoop::wgtStride, machine.rows(Scope::Wgt)),
       operand(gemm.acc, gemm.loops, &isa::GemmLoop::accStride, machine.rows(Scope::Acc))});
}

std::optional<uint64_t> firstRowOutside(const isa::Vector &vector, const isa::Machine &machine) {
  if (vector.op == isa::VectorOp::Lut && vector.table >= machine.rows(Scope::Lut))
    return 0;
  const auto counts = countsOf(vector.loops);
  const int64_t width = vector.op == isa::VectorOp::Mov32 ? 4 : 1;
  return RangeCheck<5>(counts).firstOutside<3>(
      {operand(vector.dst, vector.loops, &isa::VectorLoop::dstStride, machine.rows(vector.dstScope), width),
       source(vector, vector.aScope, vector.a, &isa::VectorLoop::aStride, machine),
       source(vector, vector.bScope, vector.b, &isa::VectorLoop::bStride, machine)});
}

} // namespace daedalus::sim
