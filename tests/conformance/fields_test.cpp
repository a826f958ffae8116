// Every loop of every instruction in both directions, the places of LOAD and the limits of int8, and tokens
// from and to every module: what the other tests leave out of the fields of isa.yaml.
#include "conformance/engine_test.h"

namespace daedalus::testing {
namespace {

using namespace isa;
using Lanes = std::vector<int32_t>;

class LoopTest : public EngineTest {
protected:
  /// Row r of INP holds r in every lane; row r of ACC too.
  void countRows() {
    for (unsigned r = 0; r < 100; ++r) {
      setRow(Scope::Inp, r, Lanes(N, int(r)));
      setRow(Scope::Out, r, Lanes(N, int(r)));
    }
  }
  void countBytes() {
    for (unsigned i = 0; i < 256; ++i)
      device->dram()[DeviceHarness::Base0 + i] = static_cast<uint8_t>(i);
  }
};

TEST_P(LoopTest, GemmWalksEveryLoopBothWays) {
  countRows();
  for (unsigned t = 0; t < 9; ++t) // tile t: t times the sum of the row
    for (unsigned i = 0; i < N * N; ++i)
      scratch(Scope::Wgt)[t * N * N + i] = static_cast<uint8_t>(t);
  std::vector<Instruction> program;
  for (int16_t way : {int16_t(1), int16_t(-1)})
    for (unsigned loop = 0; loop < Gemm().loops.size(); ++loop) {
      Gemm gemm;
      gemm.inp = 20;
      gemm.wgt = 4;
      gemm.acc = static_cast<uint16_t>(40 + 16 * loop + (way > 0 ? 0 : 5));
      gemm.loops[loop] = {3, int16_t(7 * way), int16_t(2 * way), way};
      program.push_back(gemm);
      gemm.loops[loop].accStride = 0; // and their sum
      gemm.reduction = static_cast<uint8_t>(1u << loop);
      gemm.acc = static_cast<uint16_t>(40 + 16 * loop + (way > 0 ? 8 : 9));
      program.push_back(gemm);
    }
  run(program);
  for (int way : {1, -1})
    for (unsigned loop = 0; loop < Gemm().loops.size(); ++loop) {
      int sum = 0;
      for (int i = 0; i < 3; ++i) {
        const int product = int(N) * (20 + 7 * way * i) * (4 + 2 * way * i);
        sum += product;
        EXPECT_EQ(acc(40 + 16 * loop + (way > 0 ? i : 5 - i)), Lanes(N, product)) << "loop " << loop;
      }
      EXPECT_EQ(acc(40 + 16 * loop + (way > 0 ? 8 : 9)), Lanes(N, sum)) << "loop " << loop;
    }
}

TEST_P(LoopTest, VectorWalksEveryLoopBothWays) {
  countRows();
  std::vector<Instruction> program;
  for (int16_t way : {int16_t(1), int16_t(-1)})
    for (unsigned loop = 0; loop < Vector().loops.size(); ++loop) {
      Vector add;
      add.op = VectorOp::Add;
      add.dstScope = Scope::Acc;
      add.aScope = add.bScope = Scope::Inp;
      add.a = 20;
      add.b = 50;
      add.dst = static_cast<uint16_t>(40 + 16 * loop + (way > 0 ? 0 : 5));
      add.loops[loop] = {3, way, int16_t(3 * way), int16_t(10 * way)};
      program.push_back(add);
      add.bScope = Scope::None;
      add.reduction = static_cast<uint8_t>(1u << loop);
      add.loops[loop].dstStride = 0;
      add.dst = static_cast<uint16_t>(40 + 16 * loop + (way > 0 ? 8 : 9));
      program.push_back(add);
    }
  run(program);
  for (int way : {1, -1})
    for (unsigned loop = 0; loop < Vector().loops.size(); ++loop) {
      for (int i = 0; i < 3; ++i)
        EXPECT_EQ(acc(40 + 16 * loop + (way > 0 ? i : 5 - i)), Lanes(N, 70 + 13 * way * i))
            << "loop " << loop;
      EXPECT_EQ(acc(40 + 16 * loop + (way > 0 ? 8 : 9)), Lanes(N, 60 + 9 * way)) << "loop " << loop;
    }
}

TEST_P(LoopTest, LoadWalksEveryLoopBothWays) {
  countBytes();
  for (int way : {1, -1})
    for (unsigned loop = 0; loop < Load().loops.size(); ++loop) {
      Load load;
      load.scope = Scope::Inp;
      load.unbounded = true;
      load.offset = 100;
      load.dst = 200;
      load.runBytes = 2;
      load.loops[loop] = {3, 40 * way, 9 * way};
      run({load});
      const uint8_t *inp = scratch(Scope::Inp);
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 2; ++k)
          EXPECT_EQ(inp[200 + 9 * way * i + k], 100 + 40 * way * i + k) << "loop " << loop;
    }
}

TEST_P(LoopTest, StoreWalksEveryLoopBothWays) {
  countRows();
  for (int way : {1, -1})
    for (unsigned loop = 0; loop < Store().loops.size(); ++loop) {
      Store store;
      store.base = 1;
      store.offset = 100;
      store.src = 50;
      store.runBytes = 3;
      store.loops[loop] = {3, 25 * way, int16_t(20 * way)};
      run({store});
      for (int i = 0; i < 3; ++i)
        EXPECT_EQ(dram(static_cast<uint32_t>(100 + 25 * way * i), 3), Lanes(3, 50 + 20 * way * i))
            << "loop " << loop;
    }
}

class PlaceTest : public EngineTest {};

TEST_P(PlaceTest, LoadWritesEveryScopeThatItMay) {
  for (unsigned i = 0; i < N; ++i)
    device->dram()[DeviceHarness::Base1 + 8 + i] = static_cast<uint8_t>(0x10 + i);
  for (Scope scope : {Scope::Inp, Scope::Wgt, Scope::Param, Scope::Lut}) {
    Load load;
    load.scope = scope;
    load.base = 1;
    load.unbounded = true;
    load.offset = 8;
    load.dst = 3 * N;
    load.runBytes = N;
    run({load});
    EXPECT_EQ(row(scope, 3), (Lanes{16, 17, 18, 19, 20, 21, 22, 23})) << isa::name(scope);
  }
}

TEST_P(PlaceTest, LoadBeginsInsideItsTensor) {
  for (unsigned i = 0; i < 64; ++i)
    device->dram()[DeviceHarness::Base0 + i] = static_cast<uint8_t>(i);
  Load load;
  load.scope = Scope::Inp;
  load.runBytes = 8;
  load.loops[1] = {3, 8, 8}; // y = 1, 2, 3 of 3
  load.originY = 1;
  load.originX = 2; // x = 2 to 9 of 7
  load.extentY = 3;
  load.extentX = 7;
  load.fill = 9;
  run({load});
  EXPECT_EQ(row(Scope::Inp, 0), (Lanes{0, 1, 2, 3, 4, 9, 9, 9}));
  EXPECT_EQ(row(Scope::Inp, 1), (Lanes{8, 9, 10, 11, 12, 9, 9, 9}));
  EXPECT_EQ(row(Scope::Inp, 2), Lanes(N, 9));
}

TEST_P(PlaceTest, LimitsOfInt8AreWhereTheyAreSet) {
  Vector mov;
  mov.op = VectorOp::Mov;
  mov.dstScope = Scope::Out;
  mov.aScope = Scope::Acc;
  mov.lo = 5;
  mov.hi = 9;
  Vector below = mov;
  below.lo = -9;
  below.hi = -5;
  below.dst = 1;
  Vector constant = mov; // an immediate above zero
  constant.aScope = Scope::Imm;
  constant.immediate = 7;
  constant.dst = 2;
  setAcc(0, {-100, -9, -7, 0, 4, 5, 7, 1000});
  run({mov, below, constant});
  EXPECT_EQ(row(Scope::Out, 0), (Lanes{5, 5, 5, 5, 5, 5, 7, 9}));
  EXPECT_EQ(row(Scope::Out, 1), (Lanes{-9, -9, -7, -5, -5, -5, -5, -5}));
  EXPECT_EQ(row(Scope::Out, 2), Lanes(N, 7));
}

TEST_P(PlaceTest, RequantAddsItsZeroPoint) {
  const int32_t multiplier = 1 << 30;
  for (unsigned lane = 0; lane < N; ++lane) {
    std::memcpy(scratch(Scope::Param) + 16 * lane + 4, &multiplier, 4);
    scratch(Scope::Param)[16 * lane + 8] = 30;
  }
  setAcc(0, {0, 1, -1, 100, -100, 50, 7, 3});
  Vector requant;
  requant.op = VectorOp::Requant;
  requant.dstScope = Scope::Out;
  requant.aScope = Scope::Acc;
  requant.bScope = Scope::Param;
  requant.zeroPoint = -60;
  run({requant});
  EXPECT_EQ(row(Scope::Out, 0), (Lanes{-60, -59, -61, 40, -128, -10, -53, -57}));
}

class TokenTest : public EngineTest {
protected:
  static uint8_t bit(Module module) { return static_cast<uint8_t>(1u << static_cast<unsigned>(module)); }

  /// One of every instruction with tokens, MARK and NOP of every module.
  static std::vector<Instruction> one() {
    Load load;
    load.runBytes = 1;
    Vector mov;
    mov.op = VectorOp::Mov;
    mov.dstScope = mov.aScope = Scope::Acc;
    std::vector<Instruction> list = {load, Gemm{}, mov, Store{}};
    for (unsigned m = 0; m < ModuleCount; ++m) {
      list.push_back(Mark{0, 0, static_cast<Module>(m), 17});
      list.push_back(Nop{0, 0, static_cast<Module>(m), 18});
    }
    return list;
  }
};

TEST_P(TokenTest, EveryInstructionTakesAndGivesThem) {
  for (Instruction instruction : one()) {
    const Module own = *moduleOf(instruction);
    const unsigned others = 15u & ~bit(own);
    setWaitMask(instruction, others);
    setSignalMask(instruction, others);
    std::vector<Instruction> given, takenAgain, program;
    for (unsigned m = 0; m < ModuleCount; ++m) {
      if (!(others >> m & 1))
        continue;
      given.push_back(Nop{0, bit(own), static_cast<Module>(m), 0});
      takenAgain.push_back(Nop{bit(own), 0, static_cast<Module>(m), 0});
    }
    program = given;
    program.push_back(instruction);
    program.insert(program.end(), takenAgain.begin(), takenAgain.end());
    SCOPED_TRACE(disassemble(instruction));
    run(program);
    for (unsigned m = 0; m < ModuleCount; ++m) { // what was taken is gone
      if (!(others >> m & 1))
        continue;
      program = given;
      program.push_back(instruction);
      program.push_back(Nop{uint8_t(1u << m), 0, own, 0});
      program.push_back(Finish{});
      device.run(program);
      EXPECT_EQ(device.cause(), FaultCause::NoProgress);
      EXPECT_EQ(device.faultIndex(), program.size() - 2);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, LoopTest, ::testing::ValuesIn(sim::engineNames()),
                         [](const auto &info) { return info.param; });

INSTANTIATE_TEST_SUITE_P(Engines, PlaceTest, ::testing::ValuesIn(sim::engineNames()),
                         [](const auto &info) { return info.param; });

INSTANTIATE_TEST_SUITE_P(Engines, TokenTest, ::testing::ValuesIn(sim::engineNames()),
                         [](const auto &info) { return info.param; });

} // namespace
} // namespace daedalus::testing
