// R26 and R27: GEMM and VECTOR.
#include "unit/simulator/timing_test.h"

namespace daedalus::testing {
namespace {

using namespace isa;

class ComputeTiming : public TimingTest {
protected:
  static Vector vector(VectorOp op, Scope dst, Scope a, Scope b, unsigned reduction = 0) {
    Vector vector;
    vector.op = op;
    vector.dstScope = dst;
    vector.aScope = a;
    vector.bScope = b;
    vector.reduction = uint8_t(reduction);
    vector.loops[3].count = 5;
    vector.loops[4].count = 4;
    return vector;
  }
};

TEST_F(ComputeTiming, R26TheProductOfTheCountsAndTheDrain) {
  Gemm product = gemm(7);
  product.loops[0].count = 2;
  product.loops[2].count = 3;
  finish({product, gemm(1)});
  expectCycles(0, 73, 73 + 42 + 6);
  expectCycles(1, 122, 122 + 1 + 6);
}

TEST_F(ComputeTiming, R26WithAWindowTheColumnsAndTheDrain) {
  machine.inpInterleave = 4;
  Gemm taps = gemm(14);
  taps.window = 3;
  taps.line = 29;
  taps.lead = 4;
  taps.step = 2;
  taps.loops[1].count = 3;
  taps.loops[5].inpStride = 1;
  finish({taps, gemm(1)});
  const uint64_t columns = 4 + 1 + 2 * 13;
  expectCycles(0, 73, 73 + 3 * columns + 6);
  expectCycles(1, 73 + 3 * columns + 7, 73 + 3 * columns + 7 + 1 + 6);
}

TEST_F(ComputeTiming, R27RowsTakeTheMostReadsOfOneScope) {
  const struct {
    Vector vector;
    uint64_t cyclesPerRow;
    uint64_t drain = 11;
  } cases[] = {
      {vector(VectorOp::Requant, Scope::Out, Scope::Acc, Scope::Param), 1},
      {vector(VectorOp::Mov, Scope::Acc, Scope::Imm, Scope::None), 1},
      {vector(VectorOp::Add, Scope::Out, Scope::Inp, Scope::Acc), 1},
      {vector(VectorOp::Add, Scope::Out, Scope::Inp, Scope::Inp), 2},
      {vector(VectorOp::Max, Scope::Acc, Scope::Inp, Scope::None, 1), 1},
      {vector(VectorOp::Add, Scope::Acc, Scope::Acc, Scope::None, 1), 2},
      {vector(VectorOp::Mac, Scope::Acc, Scope::Inp, Scope::Param, 1), 1},
      {vector(VectorOp::Mac, Scope::Acc, Scope::Acc, Scope::Acc, 1), 3},
      {vector(VectorOp::Mac, Scope::Acc, Scope::Acc, Scope::Acc), 2},
      {vector(VectorOp::Lut, Scope::Inp, Scope::Inp, Scope::None), 1},
      {vector(VectorOp::Mov32, Scope::Out, Scope::Acc, Scope::None), 4},
      {vector(VectorOp::RequantLut, Scope::Out, Scope::Acc, Scope::Param), 1, 13},
      {vector(VectorOp::RequantLut, Scope::Out, Scope::Inp, Scope::Param), 1, 13},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(name(test.vector.op));
    finish({test.vector});
    expectCycles(0, 73, 73 + 20 * test.cyclesPerRow + test.drain);
  }
}

TEST_F(ComputeTiming, R9GemmAndVectorOverlap) {
  Vector rows = vector(VectorOp::Mov, Scope::Acc, Scope::Imm, Scope::None);
  finish({gemm(1000), rows, rows});
  expectCycles(0, 73, 1079);
  expectCycles(1, 77, 108);
  expectCycles(2, 109, 140);
}

} // namespace
} // namespace daedalus::testing
