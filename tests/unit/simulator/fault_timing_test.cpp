// R21 to R24 and R28: when faults are reported, which one counts, and when the core stops.
#include "daedalus/isa/timing.h"
#include "unit/simulator/timing_test.h"

#include <utility>

namespace daedalus::testing {
namespace {

using namespace isa;

class FaultTiming : public TimingTest {
protected:
  /// A GEMM whose iteration `first` is the first outside of ACC: its report comes in start + 3 + first.
  Gemm gemmLeavingAcc(uint16_t first) {
    Gemm leaving = gemm(100);
    leaving.acc = static_cast<uint16_t>(machine.rows(Scope::Acc) - first);
    leaving.loops[5].accStride = 1;
    return leaving;
  }
};

TEST_F(FaultTiming, R22IllegalEncodingInTheHeadRegister) {
  std::vector<uint8_t> words = encodeWords(std::vector<Instruction>{gemm(100), Nop{}, Finish{}});
  words[64] = 0xff;
  run({});
  device->write(DeviceHarness::Code, words);
  device->start(DeviceHarness::Code, 3);
  events = device->events();
  expectCycles(0, 73, 179); // R23: started in 73, before the report in 76
  expectFault(FaultCause::IllegalEncoding, 1, 180);
}

TEST_F(FaultTiming, R22MissingFinishBehindTheLastDispatch) {
  run({mark(Module::Gemm)}); // dispatched in 72, reported in 73, set from 74; the mark starts in 73
  expectCycles(0, 73, 74);
  expectFault(FaultCause::MissingFinish, 0, 75);
}

TEST_F(FaultTiming, R22LimitWhenShown) {
  run({load(16, DeviceHarness::Limit), Finish{}}); // reported in 79; the last fetch beat is in 73
  expectFault(FaultCause::AddressLimit, 0, 80);
  EXPECT_TRUE(events.empty());
}

TEST_F(FaultTiming, R23TheRestOfTheInstructionIsDropped) {
  Load runs = load(16, DeviceHarness::Limit - 32);
  runs.loops[2] = {5, 16, 16};
  run({runs, mark(Module::Load), Finish{}});
  // Two bursts leave in 79 and 80 (beats 144 and 145, written in 147 and 148); the third is reported in 81.
  expectFault(FaultCause::AddressLimit, 0, 149);
  EXPECT_TRUE(events.empty()); // R23: the mark, seen in 77, never starts
}

TEST_F(FaultTiming, R22ReadErrorAtTheFirstBeat) {
  Load beyond = load(16);
  beyond.base = 2; // half of the 16 bytes are memory; unaligned by 8: two beats, 144 and 145
  run({beyond, mark(Module::Gemm), Finish{}});
  expectCycles(1, 77, 78);
  expectCycles(0, 73, 148);
  expectFault(FaultCause::BusError, 0, 149); // reported in 144
}

TEST_F(FaultTiming, R22WriteErrorAtItsResponse) {
  Store beyond = store(16);
  beyond.base = 2;
  run({beyond, Finish{}});  // 2 beats: read in 79 and 80, answered in 83 + 64 = 147
  expectCycles(0, 73, 148); // R23: it still ends
  expectFault(FaultCause::BusError, 0, 149);
}

TEST_F(FaultTiming, R22FetchErrorAtTheFirstBeat) {
  run({}, 0);
  const uint64_t last = DeviceHarness::DramBytes - 4 * 64;
  device->write(last, encodeWords(std::vector<Instruction>(4, mark(Module::Gemm))));
  device->start(last, 8); // the second burst, beats 82 to 97, is outside the memory
  events = device->events();
  expectCycles(2, 81, 82); // R23: instruction 3, seen in 85, does not start
  EXPECT_EQ(events.size(), 3u);
  expectFault(FaultCause::BusError, 4, 98);
}

TEST_F(FaultTiming, R22FetchLimitWhereItWouldAsk) {
  run({});
  device->programLimit = 8 * 64 - 1; // the second burst, asked for in 2, is over it
  device->run(std::vector<Instruction>(8, mark(Module::Gemm)));
  events = device->events();
  // The beats of the first are 66 to 81, and nothing is dispatched.
  EXPECT_TRUE(events.empty());
  expectFault(FaultCause::AddressLimit, 4, 82);
}

TEST_F(FaultTiming, R21TheOrderInOneCycle) {
  // GEMM starts in 73 and reports in 76 + first; LOAD starts in 77 and reports in 83.
  const Load bad = load(16, DeviceHarness::Limit);
  run({gemmLeavingAcc(6), bad, Finish{}});
  expectFault(FaultCause::ScratchpadRange, 0, 180); // 82 is before 83; R28: GEMM runs to its end in 179
  run({gemmLeavingAcc(7), bad, Finish{}});
  expectFault(FaultCause::AddressLimit, 1, 180); // both in 83: LOAD comes before GEMM
}

TEST_F(FaultTiming, R28VectorCountsTheCyclesOfItsRows) {
  machine.loadIssueLatency = 7;
  Vector leaving; // 2 cycles a row, of which the seventh is the first outside: 73 + 3 + 12 = 88
  leaving.op = VectorOp::Add;
  leaving.dstScope = Scope::Out;
  leaving.aScope = leaving.bScope = Scope::Inp;
  leaving.a = static_cast<uint16_t>(machine.rows(Scope::Inp) - 6);
  leaving.loops[4] = {8, 0, 1, 0};
  run({leaving, load(16, DeviceHarness::Limit), Finish{}});
  expectFault(FaultCause::AddressLimit, 1, 101); // LOAD starts in 77 and reports in 84
  run({leaving, mark(Module::Gemm), load(16, DeviceHarness::Limit), Finish{}});
  expectFault(FaultCause::AddressLimit, 2, 101); // LOAD starts in 81 and reports in 88 too: before VECTOR
  leaving.a = static_cast<uint16_t>(machine.rows(Scope::Inp) - 5);
  run({leaving, mark(Module::Gemm), load(16, DeviceHarness::Limit), Finish{}});
  expectFault(FaultCause::ScratchpadRange, 0, 101); // 86
}

/// GEMM starts in 73 and reports column c in 76 + c; LOAD reports in 83, and of one cycle comes first (R21).
TEST_F(FaultTiming, R28GemmCountsColumnsWithAWindow) {
  machine.inpInterleave = 4;
  const auto expectReport = [&](const Gemm &leaving, unsigned column) {
    const bool isFirst = column < 7;
    run({leaving, load(16, DeviceHarness::Limit), Finish{}});
    const uint64_t end = 73 + gemmDuration(leaving, machine);
    expectFault(isFirst ? FaultCause::ScratchpadRange : FaultCause::AddressLimit, !isFirst, end + 1);
  };
  const int64_t rows = machine.rows(Scope::Inp);
  for (const unsigned column : {6u, 7u})
    for (uint8_t window = 1; window <= 4; ++window) {
      SCOPED_TRACE("column " + std::to_string(column) + " of " + std::to_string(window) + " rows");
      Gemm leaving = gemm(20);
      leaving.window = window;
      leaving.step = 1;
      leaving.line = 101;
      leaving.loops[5].inpStride = 1;
      leaving.inp = static_cast<uint16_t>(rows - column - 101 * (window - 1)); // the last row leaves
      expectReport(leaving, column);
      leaving.line = -101;
      leaving.inp = static_cast<uint16_t>(rows - column); // the first one does
      expectReport(leaving, column);
      leaving.inp = static_cast<uint16_t>(101 * (window - 1) + column - 1);
      leaving.loops[5].inpStride = -1; // below 0, the last row
      expectReport(leaving, column);
    }
}

TEST_F(FaultTiming, R28AResultOutsideCountsInItsColumn) {
  for (const uint8_t lead : {3, 4}) { // the second result is that of column 6 or 7
    Gemm leaving = gemm(20);
    leaving.window = 1;
    leaving.lead = lead;
    leaving.step = 3;
    leaving.acc = static_cast<uint16_t>(machine.rows(Scope::Acc) - 1);
    leaving.loops[5].accStride = 1;
    run({leaving, load(16, DeviceHarness::Limit), Finish{}});
    const bool isFirst = lead == 3;
    expectFault(isFirst ? FaultCause::ScratchpadRange : FaultCause::AddressLimit, !isFirst,
                73 + lead + 1 + 3 * 19 + 6 + 1);
    leaving.loops[5].accStride = 0;
    leaving.acc = 0;
    leaving.wgt = static_cast<uint16_t>(machine.rows(Scope::Wgt) - 1);
    leaving.loops[5].wgtStride = 1;
    run({leaving, load(16, DeviceHarness::Limit), Finish{}});
    expectFault(isFirst ? FaultCause::ScratchpadRange : FaultCause::AddressLimit, !isFirst,
                73 + lead + 1 + 3 * 19 + 6 + 1);
  }
}

TEST_F(FaultTiming, R24NothingMoves) {
  run({mark(Module::Gemm, bit(Module::Load)), Finish{}});
  // Nothing moves from 74 on, the cycle after the last fetch beat; reported in the 4096th such cycle, 4169.
  expectFault(FaultCause::NoProgress, 0, 4170);
  EXPECT_EQ((*device)->faultDetail(),
            "nothing moved for 4096 cycles: gemm waits at instruction 0 for a token from load");
}

TEST_F(FaultTiming, R24TheDetailNamesWhoWaitsForWhom) {
  machine.queueDepth = 1;
  run({mark(Module::Gemm, bit(Module::Vector), bit(Module::Vector)),
       mark(Module::Vector, bit(Module::Gemm), bit(Module::Gemm)), mark(Module::Gemm), Finish{}});
  EXPECT_EQ(device->cause(), FaultCause::NoProgress);
  EXPECT_EQ(
      (*device)->faultDetail(),
      "nothing moved for 4096 cycles: gemm waits at instruction 0 for a token from vector, vector waits at "
      "instruction 1 for a token from gemm, fetch waits for room in the queue of gemm");
}

TEST_F(FaultTiming, R10AnIncrementAndADecrementInOneCycleCancel) {
  // 255 tokens wait for VECTOR, whose mark also waits for LOAD's: dispatched in d, started in d + 1, ended in
  // d + 9. So VECTOR takes one in d + 10, the cycle in which the GEMM mark of d + 8 ends and gives one.
  std::vector<Instruction> program(255, mark(Module::Gemm, 0, bit(Module::Vector)));
  program.push_back(mark(Module::Vector, uint8_t(bit(Module::Gemm) | bit(Module::Load))));
  program.push_back(mark(Module::Load, 0, bit(Module::Vector)));
  program.push_back(mark(Module::Store));
  program.push_back(mark(Module::Gemm, 0, bit(Module::Vector)));
  finish(program);
  EXPECT_EQ(events[255].start, events[258].end);
  std::swap(program[256], program[258]); // GEMM's mark ends too early by some cycles
  program.push_back(Finish{});
  run(program);
  EXPECT_EQ(device->cause(), FaultCause::CounterOverflow);
  EXPECT_EQ(device->faultIndex(), 256u);
}

} // namespace
} // namespace daedalus::testing
