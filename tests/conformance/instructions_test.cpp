// What each instruction does to rows and bytes, the same on every engine. Expected values are worked out from
// isa.yaml by hand.
#include "conformance/engine_test.h"

namespace daedalus::testing {
namespace {

using namespace isa;
using Lanes = std::vector<int>;

class Instructions : public EngineTest {
protected:
  /// DRAM bytes 0, 1, 2, ... from base register 0 on.
  void countInDram() {
    for (unsigned i = 0; i < 256; ++i)
      device->dram()[DeviceHarness::Base0 + i] = static_cast<uint8_t>(i);
  }
  /// One VECTOR on rows 0: dst = op(a, b).
  Vector vector(VectorOp op, Scope dst, Scope a, Scope b) {
    Vector vector;
    vector.op = op;
    vector.dstScope = dst;
    vector.aScope = a;
    vector.bScope = b;
    vector.lo = -128;
    vector.hi = 127;
    return vector;
  }
  /// The lane of PARAM at row 0: bias, multiplier, shift.
  void setParam(unsigned lane, int32_t bias, int32_t multiplier, uint8_t shift) {
    uint8_t *bytes = scratch(Scope::Param) + 16 * lane;
    std::memcpy(bytes, &bias, 4);
    std::memcpy(bytes + 4, &multiplier, 4);
    bytes[8] = shift;
  }
};

TEST_P(Instructions, GemmMultipliesARowWithATile) {
  setRow(Scope::Inp, 0, {1, 2, 3, 4, 5, 6, 7, -128});
  for (unsigned o = 0; o < N; ++o) // output lane o sums lanes 0 to o, and lane 7 times -128
    for (unsigned i = 0; i < N; ++i)
      scratch(Scope::Wgt)[o * N + i] = i == 7 ? 0x80 : i <= o;
  setAcc(0, {9, 9, 9, 9, 9, 9, 9, 9}); // overwritten
  run({Gemm{}});
  EXPECT_EQ(acc(0), (Lanes{16385, 16387, 16390, 16394, 16399, 16405, 16412, 16412}));
}

TEST_P(Instructions, GemmAccumulatesAndWraps) {
  setRow(Scope::Inp, 0, {1, 0, 0, 0, 0, 0, 0, 0});
  for (unsigned o = 0; o < N; ++o)
    scratch(Scope::Wgt)[o * N] = 1;
  setAcc(0, {0, 5, -1, INT32_MAX, INT32_MIN, 7, 8, 9});
  Gemm gemm;
  gemm.accumulate = true;
  run({gemm});
  EXPECT_EQ(acc(0), (Lanes{1, 6, 0, INT32_MIN, INT32_MIN + 1, 8, 9, 10}));
}

TEST_P(Instructions, GemmOverwritesInTheFirstIterationOfItsReductionLoops) {
  for (unsigned row = 0; row < 6; ++row)
    setRow(Scope::Inp, row, {int(row) + 1});
  for (unsigned o = 0; o < N; ++o)
    scratch(Scope::Wgt)[o * N] = 1;
  setAcc(0, Lanes(N, 1000));
  setAcc(1, Lanes(N, 1000));
  Gemm gemm;
  gemm.loops[2] = {2, 3, 0, 1}; // rows of ACC
  gemm.loops[4] = {3, 1, 0, 0}; // the sum
  gemm.reduction = 1 << 4;
  run({gemm});
  EXPECT_EQ(acc(0), Lanes(N, 1 + 2 + 3));
  EXPECT_EQ(acc(1), Lanes(N, 4 + 5 + 6));
}

TEST_P(Instructions, VectorComputesLaneByLane) {
  const Lanes a = {1, -2, 3, 127, -128, 100, 0, -1}, b = {2, 3, -4, 127, -128, 31, 33, 1};
  struct Case {
    VectorOp op;
    Lanes inAcc, inOut;
  };
  const std::vector<Case> cases = {
      {VectorOp::Add, {3, 1, -1, 254, -256, 131, 33, 0}, {3, 1, -1, 127, -128, 127, 33, 0}},
      {VectorOp::Sub, {-1, -5, 7, 0, 0, 69, -33, -2}, {-1, -5, 7, 0, 0, 69, -33, -2}},
      {VectorOp::Mul, {2, -6, -12, 16129, 16384, 3100, 0, -1}, {2, -6, -12, 127, 127, 127, 0, -1}},
      {VectorOp::Max, {2, 3, 3, 127, -128, 100, 33, 1}, {2, 3, 3, 127, -128, 100, 33, 1}},
      {VectorOp::Min, {1, -2, -4, 127, -128, 31, 0, -1}, {1, -2, -4, 127, -128, 31, 0, -1}},
      // shifts take the low five bits of b: 2, 3, 28, 31, 0, 31, 1, 1
      {VectorOp::Shl, {4, -16, 805306368, INT32_MIN, -128, 0, 0, -2}, {4, -16, 127, -128, -128, 0, 0, -2}},
      {VectorOp::Shr, {0, -1, 0, 0, -128, 0, 0, -1}, {0, -1, 0, 0, -128, 0, 0, -1}},
  };
  for (const Case &test : cases) {
    SCOPED_TRACE(name(test.op));
    setRow(Scope::Inp, 0, a);
    setAcc(0, b);
    Vector toAcc = vector(test.op, Scope::Acc, Scope::Inp, Scope::Acc), toOut = toAcc;
    toAcc.dst = 1;
    toOut.dstScope = Scope::Out;
    run({toAcc, toOut});
    EXPECT_EQ(acc(1), test.inAcc);
    EXPECT_EQ(row(Scope::Out, 0), test.inOut);
  }
}

TEST_P(Instructions, VectorTakesItsOperandsFromEveryScopeAndWraps) {
  setAcc(0, {INT32_MAX, INT32_MIN, 1 << 20, 0, 1, 2, 3, 4});
  Vector addOne = vector(VectorOp::Add, Scope::Acc, Scope::Acc, Scope::Imm);
  addOne.immediate = 1;
  addOne.dst = 1;
  Vector square = vector(VectorOp::Mul, Scope::Acc, Scope::Acc, Scope::Acc);
  square.dst = 2;
  setRow(Scope::Param, 3, {-1, -2, -3, -4, 5, 6, 7, 8}); // a row of int8, in units of N bytes
  Vector fromParam = vector(VectorOp::Mov, Scope::Inp, Scope::Param, Scope::None);
  fromParam.a = 3;
  fromParam.dst = 4;
  fromParam.lo = -3;
  fromParam.hi = 6;
  Vector constant = vector(VectorOp::Sub, Scope::Acc, Scope::Imm, Scope::Acc);
  constant.immediate = -2;
  constant.dst = 3;
  run({addOne, square, fromParam, constant});
  EXPECT_EQ(acc(1), (Lanes{INT32_MIN, INT32_MIN + 1, (1 << 20) + 1, 1, 2, 3, 4, 5}));
  EXPECT_EQ(acc(2), (Lanes{1, 0, 0, 0, 1, 4, 9, 16})); // modulo 2^32
  EXPECT_EQ(row(Scope::Inp, 4), (Lanes{-1, -2, -3, -3, 5, 6, 6, 6}));
  EXPECT_EQ(acc(3), (Lanes{INT32_MAX, INT32_MAX - 1, -2 - (1 << 20), -2, -3, -4, -5, -6}));
}

TEST_P(Instructions, VectorReduces) {
  for (unsigned i = 0; i < 4; ++i)
    setRow(Scope::Inp, i, {int(i), -int(i), 10 - int(i), 0, 0, 0, 0, 127});
  setAcc(0, Lanes(N, 99));
  setAcc(1, Lanes(N, 99));
  setAcc(2, Lanes(N, 3));
  Vector sum = vector(VectorOp::Add, Scope::Acc, Scope::Inp, Scope::None);
  sum.reduction = 1 << 4;
  sum.loops[4] = {4, 0, 1, 0};
  Vector most = sum;
  most.op = VectorOp::Max;
  most.dst = 1;
  Vector least = sum;
  least.op = VectorOp::Min;
  least.dst = 2;
  least.accumulate = true; // the old row counts too
  run({sum, most, least});
  EXPECT_EQ(acc(0), (Lanes{6, -6, 34, 0, 0, 0, 0, 508}));
  EXPECT_EQ(acc(1), (Lanes{3, 0, 10, 0, 0, 0, 0, 127}));
  EXPECT_EQ(acc(2), (Lanes{0, -3, 3, 0, 0, 0, 0, 3}));
}

TEST_P(Instructions, VectorMultipliesAndAccumulates) {
  setRow(Scope::Inp, 0, {1, 2, 3, 4, 5, 6, 7, 8});
  setRow(Scope::Inp, 1, {1, 1, 1, 1, 1, 1, 1, -128});
  setRow(Scope::Param, 0, {10, 10, 10, 10, -1, -1, -1, -128});
  setRow(Scope::Param, 1, {1, 2, 3, 4, 5, 6, 7, 8});
  setAcc(0, Lanes(N, 1000));
  setAcc(1, Lanes(N, 1000));
  setAcc(2, Lanes(N, 1000));
  Vector reducing = vector(VectorOp::Mac, Scope::Acc, Scope::Inp, Scope::Param);
  reducing.reduction = 1 << 4;
  reducing.loops[4] = {2, 0, 1, 1};
  Vector accumulating = reducing;
  accumulating.accumulate = true;
  accumulating.dst = 1;
  Vector plain = vector(VectorOp::Mac, Scope::Acc, Scope::Inp, Scope::Param); // overwrites
  plain.dst = 2;
  run({reducing, accumulating, plain});
  const Lanes sums = {11, 22, 33, 44, 0, 0, 0, -2048};
  EXPECT_EQ(acc(0), sums);
  for (unsigned lane = 0; lane < N; ++lane)
    EXPECT_EQ(acc(1)[lane], 1000 + sums[lane]);
  EXPECT_EQ(acc(2), (Lanes{10, 20, 30, 40, -5, -6, -7, -1024}));
}

TEST_P(Instructions, Mov32WritesFourRows) {
  setAcc(1, {0x03020100, 0x07060504, -1, 0, 0x7fffffff, 1, 2, 3});
  Vector mov = vector(VectorOp::Mov32, Scope::Out, Scope::Acc, Scope::None);
  mov.a = 1;
  mov.dst = 2;
  run({mov});
  EXPECT_EQ(row(Scope::Out, 2), (Lanes{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(row(Scope::Out, 3), (Lanes{-1, -1, -1, -1, 0, 0, 0, 0}));
  EXPECT_EQ(row(Scope::Out, 4), (Lanes{-1, -1, -1, 127, 1, 0, 0, 0}));
  EXPECT_EQ(row(Scope::Out, 5), (Lanes{2, 0, 0, 0, 3, 0, 0, 0}));
}

TEST_P(Instructions, RequantRoundsTies) {
  // multiplier / 2^shift = 1/2; acc + bias = -3, -2, -1, 0, 1, 2, 3, 5: the odd ones are ties
  const Lanes sums = {-3, -2, -1, 0, 1, 2, 3, 5};
  for (unsigned lane = 0; lane < N; ++lane)
    setParam(lane, 100, 1 << 30, 31);
  std::vector<int32_t> accs;
  for (int sum : sums)
    accs.push_back(sum - 100);
  setAcc(0, accs);
  Vector even = vector(VectorOp::Requant, Scope::Out, Scope::Acc, Scope::Param);
  Vector up = even;
  up.rounding = Rounding::HalfUp;
  up.dst = 1;
  Vector shifted = even;
  shifted.zeroPoint = 2;
  shifted.lo = 1;
  shifted.hi = 3;
  shifted.dst = 2;
  run({even, up, shifted});
  EXPECT_EQ(row(Scope::Out, 0), (Lanes{-2, -1, 0, 0, 0, 1, 2, 2}));
  EXPECT_EQ(row(Scope::Out, 1), (Lanes{-1, -1, 0, 0, 1, 1, 2, 3}));
  EXPECT_EQ(row(Scope::Out, 2), (Lanes{1, 1, 2, 2, 2, 3, 3, 3}));
}

TEST_P(Instructions, RequantCutsNothingOffBeforeTheClamp) {
  setAcc(0, {INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX, 0, 1, -1});
  const uint8_t shifts[N] = {1, 1, 62, 62, 55, 62, 1, 1};
  for (unsigned lane = 0; lane < N; ++lane)
    setParam(lane, lane == 4 ? 1 : 0, INT32_MAX, shifts[lane]); // lane 4: acc + bias wraps to INT32_MIN
  run({vector(VectorOp::Requant, Scope::Inp, Scope::Acc, Scope::Param)});
  EXPECT_EQ(row(Scope::Inp, 0), (Lanes{127, -128, 1, -1, -128, 0, 127, -128}));
}

TEST_P(Instructions, LutLooksUpAClampedValue) {
  for (unsigned i = 0; i < 256; ++i)
    scratch(Scope::Lut)[256 + i] = static_cast<uint8_t>(127 - i); // table 1: x becomes -1 - x
  setAcc(0, {-1000, -128, -1, 0, 1, 5, 127, 1000});
  Vector lut = vector(VectorOp::Lut, Scope::Acc, Scope::Acc, Scope::None);
  lut.table = 1;
  lut.dst = 1;
  run({lut});
  EXPECT_EQ(acc(1), (Lanes{127, 127, 0, -1, -2, -6, -128, -128}));
}

TEST_P(Instructions, RequantLutLooksUpWhatRequantGives) {
  for (unsigned i = 0; i < 256; ++i)
    scratch(Scope::Lut)[256 + i] =
        static_cast<uint8_t>(i < 128 ? 100 : i - 28); // table 1: x becomes 100 or 100 + x
  for (unsigned lane = 0; lane < N; ++lane)
    setParam(lane, 100, 1 << 30, 31); // halves acc + 100
  std::vector<int32_t> accs;
  for (int sum : {-300, -3, -1, 0, 1, 3, 20, 300})
    accs.push_back(sum - 100);
  setAcc(0, accs);
  Vector first = vector(VectorOp::RequantLut, Scope::Out, Scope::Acc, Scope::Param);
  first.table = 1;
  first.zeroPoint = -1;
  first.lo = -5;
  first.hi = 9; // of what the table gets; its entries leave [lo, hi]
  Vector up = first;
  up.rounding = Rounding::HalfUp;
  up.dstScope = Scope::Acc;
  up.dst = 1;
  run({first, up});
  EXPECT_EQ(row(Scope::Out, 0), (Lanes{100, 100, 100, 100, 100, 101, 109, 109}));
  EXPECT_EQ(acc(1), (Lanes{100, 100, 100, 100, 100, 101, 109, 109}));
}

TEST_P(Instructions, LoadPlacesRunsAtAnyByte) {
  countInDram();
  Load load;
  load.scope = Scope::Inp;
  load.unbounded = true;
  load.offset = 5;
  load.dst = 3;
  load.runBytes = 4;
  load.loops[2] = {2, 10, 4}; // 5 6 7 8 and 15 16 17 18, one behind the other
  run({load});
  EXPECT_EQ(row(Scope::Inp, 0), (Lanes{0, 0, 0, 5, 6, 7, 8, 15}));
  EXPECT_EQ(row(Scope::Inp, 1), (Lanes{16, 17, 18, 0, 0, 0, 0, 0}));
}

TEST_P(Instructions, LoadPadsATensor) {
  countInDram(); // a tensor of 2 lines of 6 bytes; the tile begins a line above and 2 bytes left of it
  Load load;
  load.scope = Scope::Inp;
  load.offset = 100; // of the tile's first byte; the tensor is at 100 + 6 + 2
  load.runBytes = 8;
  load.loops[1] = {4, 6, 8};
  load.originY = -1;
  load.originX = -2;
  load.extentY = 2;
  load.extentX = 5; // the last byte of a line is no longer the tensor's
  load.fill = -7;
  run({load});
  EXPECT_EQ(row(Scope::Inp, 0), Lanes(N, -7));
  EXPECT_EQ(row(Scope::Inp, 1), (Lanes{-7, -7, 108, 109, 110, 111, 112, -7}));
  EXPECT_EQ(row(Scope::Inp, 2), (Lanes{-7, -7, 114, 115, 116, 117, 118, -7}));
  EXPECT_EQ(row(Scope::Inp, 3), Lanes(N, -7));
}

TEST_P(Instructions, LoadReadsNothingForFill) {
  Load load; // offset and limit would not allow a single byte
  load.scope = Scope::Inp;
  load.base = 5;
  load.runBytes = 8;
  load.extentY = 0;
  load.fill = 3;
  run({load});
  EXPECT_EQ(row(Scope::Inp, 0), Lanes(N, 3));
}

TEST_P(Instructions, LoadFillsTails) {
  countInDram();
  setRow(Scope::Inp, 0, Lanes(N, 99));
  setRow(Scope::Inp, 1, Lanes(N, 99));
  setRow(Scope::Inp, 2, Lanes(N, 99));
  Load load;
  load.scope = Scope::Inp;
  load.unbounded = load.tailFill = true;
  load.offset = 1;
  load.dst = 2;
  load.runBytes = 3;
  load.fill = -1;
  load.loops[2] = {2, 3, 8};
  run({load});
  EXPECT_EQ(row(Scope::Inp, 0), (Lanes{99, 99, 1, 2, 3, -1, -1, -1}));
  EXPECT_EQ(row(Scope::Inp, 1), (Lanes{99, 99, 4, 5, 6, -1, -1, -1}));
  EXPECT_EQ(row(Scope::Inp, 2), Lanes(N, 99));
}

TEST_P(Instructions, LoadMakesUnsignedDataSigned) {
  for (unsigned i = 0; i < 4; ++i)
    device->dram()[DeviceHarness::Base0 + i] = static_cast<uint8_t>(i * 85); // 0 85 170 255
  Load load;
  load.scope = Scope::Inp;
  load.unsignedData = load.tailFill = true;
  load.runBytes = 5;
  load.extentY = 1;
  load.extentX = 4;
  load.fill = 7; // not inverted
  run({load});
  EXPECT_EQ(row(Scope::Inp, 0), (Lanes{-128, -43, 42, 127, 7, 7, 7, 7}));
}

TEST_P(Instructions, LoadWritesDiagonals) {
  countInDram();
  for (unsigned row = 0; row < N; ++row)
    setRow(Scope::Wgt, row, Lanes(N, 99));
  Load load;
  load.scope = Scope::Wgt;
  load.diagonal = true;
  load.dst = N;
  load.offset = 10;
  load.runBytes = 3;
  load.extentY = 1;
  load.extentX = 2;
  load.fill = -5;
  run({load});
  EXPECT_EQ(row(Scope::Wgt, 0), Lanes(N, 99));
  EXPECT_EQ(row(Scope::Wgt, 1), (Lanes{10, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(row(Scope::Wgt, 2), (Lanes{0, 11, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(row(Scope::Wgt, 3), (Lanes{0, 0, -5, 0, 0, 0, 0, 0}));
  EXPECT_EQ(row(Scope::Wgt, 4), Lanes(N, 99));
}

TEST_P(Instructions, StoreWritesRuns) {
  for (unsigned i = 0; i < 4; ++i)
    setRow(Scope::Out, i,
           {int(8 * i), int(8 * i + 1), int(8 * i + 2), int(8 * i + 3), int(8 * i + 4), int(8 * i + 5),
            int(8 * i + 6), int(8 * i + 7)});
  Store store;
  store.base = 1;
  store.offset = 3;
  store.runBytes = 10; // a row and two lanes of the next; the other lanes are dropped
  store.loops[2] = {2, 12, 2};
  Store sign;
  sign.base = 1;
  sign.offset = 100;
  sign.runBytes = 2;
  sign.unsignedData = true;
  run({store, sign});
  EXPECT_EQ(dram(0, 28), (Lanes{0, 0,  0,  0,  1,  2,  3,  4,  5,  6,  7,  8, 9, 0,
                                0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 0, 0, 0}));
  EXPECT_EQ(dram(100, 3), (Lanes{128, 129, 0}));
}

TEST_P(Instructions, TokensOrderModules) {
  countInDram();
  Load load;
  load.scope = Scope::Inp;
  load.unbounded = true;
  load.runBytes = 8;
  load.signal = 1 << unsigned(Module::Vector);
  Vector mov = vector(VectorOp::Mov, Scope::Out, Scope::Inp, Scope::None);
  mov.wait = 1 << unsigned(Module::Load);
  mov.signal = 1 << unsigned(Module::Store);
  Store store;
  store.base = 1;
  store.runBytes = 8;
  store.wait = 1 << unsigned(Module::Vector);
  run({load, mov, store});
  EXPECT_EQ(dram(0, 8), (Lanes{0, 1, 2, 3, 4, 5, 6, 7}));
}

INSTANTIATE_TEST_SUITE_P(Engines, Instructions, ::testing::ValuesIn(sim::engineNames()),
                         [](const auto &info) { return info.param; });

} // namespace
} // namespace daedalus::testing
