// The window of GEMM, the same on every engine: its sums worked out from isa.yaml's sentence, its cycles from
// R26 of docs/timing.md, and its illegal words and faults by their sentences.
#include "conformance/engine_test.h"

namespace daedalus::testing {
namespace {

using namespace isa;
using Lanes = std::vector<int>;

class Windows : public EngineTest {
protected:
  void SetUp() override {
    uint32_t random = 1;
    for (const Scope scope : {Scope::Inp, Scope::Wgt})
      for (unsigned i = 0; i < state().machine.bytes(scope); ++i)
        scratch(scope)[i] = static_cast<uint8_t>((random = random * 1664525 + 1013904223) >> 24);
  }

  int inp(int64_t row, unsigned lane) { return static_cast<int8_t>(scratch(Scope::Inp)[row * N + lane]); }
  int wgt(int64_t tile, unsigned lane, unsigned tap) {
    return static_cast<int8_t>(scratch(Scope::Wgt)[(tile * N + lane) * N + tap]);
  }

  static Gemm windowOf(unsigned rows, int line, unsigned lead, unsigned step, uint16_t results) {
    Gemm gemm;
    gemm.inp = 200;
    gemm.window = static_cast<uint8_t>(rows);
    gemm.line = static_cast<int16_t>(line);
    gemm.lead = static_cast<uint8_t>(lead);
    gemm.step = static_cast<uint8_t>(step);
    gemm.loops[5] = {results, 1, 0, 1};
    return gemm;
  }

  /// Result j of a run of the innermost loop whose column 0 begins at the row, by a tile.
  Lanes sumOf(const Gemm &gemm, int64_t row, int64_t tile, unsigned j) {
    const int taps = static_cast<int>(N / gemm.window);
    Lanes sums(N);
    for (unsigned o = 0; o < N; ++o)
      for (int r = 0; r < gemm.window; ++r)
        for (int k = 0; k < taps; ++k)
          if (const int m = gemm.lead + gemm.step * int(j) - k; m >= 0)
            sums[o] += inp(row + m * gemm.loops[5].inpStride + r * gemm.line, o) *
                       wgt(tile, o, unsigned(r * taps + k));
    return sums;
  }

  void expectResults(const Gemm &gemm) {
    for (unsigned j = 0; j < gemm.loops[5].count; ++j)
      EXPECT_EQ(acc(gemm.acc + j * unsigned(gemm.loops[5].accStride)), sumOf(gemm, gemm.inp, gemm.wgt, j))
          << disassemble(Instruction(gemm)) << ", result " << j;
  }

  void expectIllegal(DeviceHarness &on, const Gemm &gemm, const std::string &sentence) {
    on.run({Nop{}, gemm, Finish{}});
    EXPECT_EQ(on.cause(), FaultCause::IllegalEncoding);
    EXPECT_EQ(on.faultIndex(), 1u);
    EXPECT_NE(on->faultDetail().find(sentence), std::string::npos) << on->faultDetail();
  }

  void expectRange(const Gemm &gemm, const std::string &sentence) {
    device.run({Nop{}, gemm, Finish{}});
    EXPECT_EQ(device.cause(), FaultCause::ScratchpadRange);
    EXPECT_STREQ(name(device.faultModule()), "gemm");
    EXPECT_NE(device->faultDetail().find(sentence), std::string::npos) << device->faultDetail();
  }
};

TEST_P(Windows, SumTheirTaps) {
  for (unsigned rows = 1; rows <= 4; ++rows)
    for (unsigned step = 1; step <= 3; ++step) {
      std::vector<Instruction> program;
      for (const unsigned lead : {0u, 1u, N / rows - 1, N / rows, 63u})
        for (const int line : {5, -3, 41, -41}) {
          Gemm gemm = windowOf(rows, line, lead, step, 4);
          gemm.wgt = static_cast<uint16_t>(program.size());
          gemm.acc = static_cast<uint16_t>(4 * program.size());
          program.push_back(gemm);
        }
      run(program);
      for (const Instruction &instruction : program)
        expectResults(std::get<Gemm>(instruction));
    }
}

TEST_P(Windows, GoOverColumnsInBothDirectionsAndMayStandStill) {
  std::vector<Instruction> program;
  for (const int16_t stride : {-3, -1, 0, 2, 7}) {
    Gemm gemm = windowOf(2, 9, 3, 2, 5);
    gemm.loops[5].inpStride = stride;
    gemm.acc = static_cast<uint16_t>(5 * program.size());
    program.push_back(gemm);
  }
  run(program);
  for (const Instruction &instruction : program)
    expectResults(std::get<Gemm>(instruction));
}

/// Every run of the innermost loop begins with zeros before its column 0; tiles and rows of ACC may move with
/// j.
TEST_P(Windows, OfSeveralRunsAndPasses) {
  Gemm gemm = windowOf(4, 13, 1, 1, 3);
  gemm.loops[2] = {2, 50, 0, 3};
  gemm.loops[4] = {2, 26, 3, 0}; // passes
  gemm.loops[5].wgtStride = 1;
  gemm.reduction = 1 << 4;
  run({gemm});
  for (unsigned y = 0; y < 2; ++y)
    for (unsigned j = 0; j < 3; ++j) {
      const Lanes first = sumOf(gemm, 200 + 50 * y, j, j), second = sumOf(gemm, 226 + 50 * y, 3 + j, j);
      Lanes both(N);
      for (unsigned o = 0; o < N; ++o)
        both[o] = first[o] + second[o];
      EXPECT_EQ(acc(3 * y + j), both) << "run " << y << ", result " << j;
    }
}

TEST_P(Windows, AccumulateAndOverwrite) {
  Gemm gemm = windowOf(3, -7, 2, 1, 2);
  gemm.loops[5].accStride = 0; // both results in one row: the second overwrites
  setAcc(0, Lanes(N, 1000));
  run({gemm});
  EXPECT_EQ(acc(0), sumOf(gemm, 200, 0, 1));
  gemm.accumulate = true;
  setAcc(0, Lanes(N, 1000));
  run({gemm});
  const Lanes first = sumOf(gemm, 200, 0, 0), second = sumOf(gemm, 200, 0, 1);
  for (unsigned o = 0; o < N; ++o)
    EXPECT_EQ(acc(0)[o], 1000 + first[o] + second[o]);
}

TEST_P(Windows, ThatAreIllegalAreNamed) {
  expectIllegal(device, windowOf(5, 1, 0, 1, 1), "gemm: window is 5; expected 0 to 4");
  expectIllegal(device, windowOf(7, 1, 0, 1, 1), "gemm: window is 7; expected 0 to 4");
  expectIllegal(device, windowOf(2, 4, 0, 1, 1), "line is 4; expected an odd number with a window of 2 rows");
  expectIllegal(device, windowOf(1, 0, 0, 0, 1), "step is 0; expected 1 to 3 with a window");
  expectIllegal(device, windowOf(0, 0, 1, 0, 1), "lead is 1; expected 0 without a window");
  Gemm summed = windowOf(1, 0, 0, 1, 2);
  summed.reduction = 1 << 5;
  expectIllegal(device, summed, "reduction names loop 5");
  DeviceHarness other(GetParam(), builtin("default,inp_interleave=1"));
  expectIllegal(other, windowOf(2, 1, 0, 1, 1), "window is 2; expected at most inp_interleave = 1");
}

TEST_P(Windows, ReportARowATileOrAnAccumulatorOutside) {
  const auto last = static_cast<uint16_t>(state().machine.rows(Scope::Inp) - 1);
  for (unsigned rows = 2; rows <= 4; ++rows) {
    Gemm gemm = windowOf(rows, -1, 0, 1, 1);
    gemm.inp = static_cast<uint16_t>(rows - 2);
    expectRange(gemm, "row -1 of inp, which has 512 rows");
    gemm.line = 1;
    gemm.inp = static_cast<uint16_t>(last - rows + 2);
    expectRange(gemm, "row 512 of inp, which has 512 rows");
  }
  Gemm leading = windowOf(1, 0, 63, 1, 1); // columns that no tap takes are read too
  leading.inp = static_cast<uint16_t>(last - 62);
  expectRange(leading, "row 512 of inp");
  Gemm tile = windowOf(4, 1, 3, 2, 3);
  tile.loops[5].wgtStride = -1;
  expectRange(tile, "tile -1 of wgt");
  Gemm result = windowOf(4, 1, 3, 2, 3);
  result.loops[5].accStride = -1;
  expectRange(result, "row -1 of acc");
}

INSTANTIATE_TEST_SUITE_P(Engines, Windows, ::testing::ValuesIn(sim::engineNames()),
                         [](const auto &info) { return info.param; });

/// The engines that count cycles. An image of 16 x 16 pixels in INP with a pixel of padding around it, in
/// lines of 19 rows, odd: 18 rows are read, and the row behind them belongs to nothing.
class WindowCycles : public Windows {
protected:
  static constexpr unsigned Size = 16, Line = 19;

  void expectDepthwise(int step) {
    for (unsigned y = 0; y < Size / unsigned(step); ++y)
      for (unsigned x = 0; x < Size / unsigned(step); ++x) {
        Lanes sums(N);
        for (unsigned o = 0; o < N; ++o)
          for (unsigned r = 0; r < 3; ++r)
            for (unsigned k = 0; k < 3; ++k) // tap k is column lead - k = 2 - k of the window
              sums[o] += inp((y * unsigned(step) + r) * Line + x * unsigned(step) + 2 - k, o) *
                         wgt(r / 2, o, r % 2 * 4 + k);
        ASSERT_EQ(acc(y * (Size / unsigned(step)) + x), sums) << "pixel " << y << ", " << x;
      }
  }

  /// Taps that the layer does not have weigh nothing: the fourth column of both passes, and row 3.
  void clearOtherTaps() {
    for (unsigned o = 0; o < N; ++o) {
      for (unsigned pass : {0u, 1u})
        for (unsigned row : {0u, 1u})
          scratch(Scope::Wgt)[(pass * N + o) * N + row * 4 + 3] = 0;
      for (unsigned k = 0; k < 4; ++k)
        scratch(Scope::Wgt)[(N + o) * N + 4 + k] = 0;
    }
  }
};

/// With N = 8 a depthwise layer of 3 x 3 taps takes two passes of a window of two rows and four columns.
TEST_P(WindowCycles, ADepthwiseLayerTakesWhatR26Says) {
  clearOtherTaps();
  for (const int step : {1, 2}) {
    SCOPED_TRACE("stride " + std::to_string(step));
    const auto results = static_cast<uint16_t>(Size / unsigned(step));
    Gemm gemm = windowOf(2, Line, 2, unsigned(step), results);
    gemm.inp = 0;
    gemm.loops[3] = {results, static_cast<int16_t>(step * int(Line)), 0, static_cast<int16_t>(results)};
    gemm.loops[4] = {2, 2 * Line, 1, 0};
    gemm.reduction = 1 << 4;
    run({gemm});
    expectDepthwise(step);
    const unsigned perLine = step == 1 ? 2 * 18 : 2 * 17; // columns: 2 + 1 + 15, and 2 + 1 + 2 * 7
    EXPECT_EQ(device.counter(CounterModule::Gemm, CounterClass::Busy), results * perLine + 6 + 1)
        << "from start to end, the drain of 6 cycles with it";
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, WindowCycles, ::testing::Values("systemc", "rtl"),
                         [](const auto &info) { return info.param; });

/// A layer of 56 x 56 pixels and 16 channels at N = 16 is one pass of a window of four rows, in two halves of
/// INP's size: a line of 56 results takes 58 cycles.
TEST(WindowCycles56, ALineTakesTwoCyclesMoreThanItsResults) {
  const Machine machine = builtin("default,inp_interleave=4");
  DeviceHarness device("systemc", machine);
  Gemm gemm;
  gemm.window = 4;
  gemm.line = 59;
  gemm.lead = 2;
  gemm.step = 1;
  gemm.loops[4] = {28, 59, 0, 56};
  gemm.loops[5] = {56, 1, 0, 1};
  device.run({gemm, gemm, Finish{}});
  EXPECT_EQ(device.status(), DeviceStatus::Done) << device->faultDetail();
  EXPECT_EQ(device.counter(CounterModule::Gemm, CounterClass::Busy), 2 * (28 * 58 + 6 + 1));
}

} // namespace
} // namespace daedalus::testing
