// R1 to R11: time, FETCH, queues, tokens and the read arbiter.
#include "unit/simulator/timing_test.h"

namespace daedalus::testing {
namespace {

using namespace isa;

class FetchTiming : public TimingTest {};

TEST_F(FetchTiming, R5AnInstructionEveryFourCycles) {
  finish({mark(Module::Gemm), mark(Module::Gemm)});
  expectCycles(0, 72, 73); // R10: a mark takes a cycle
  expectCycles(1, 76, 77);
  expectCycles(2, 79, 79); // R8: finish is in the head register in 79; the last fetch beat was in 77
  EXPECT_EQ(device->cycles(), 79u);
}

TEST_F(FetchTiming, R4ABurstEndsAtAMultipleOfItsSize) {
  machine.fetchBuffer = 4;
  // The first burst brings one instruction; the next needs four places, so it waits for the dispatch in 71,
  // is granted in 72, and its first instruction's last beat is in 72 + 1 + 64 + 3 = 140.
  finish(std::vector<Instruction>(5, mark(Module::Gemm)), DeviceHarness::Code + 3 * 64);
  expectCycles(0, 72, 73);
  expectCycles(1, 143, 144);
}

TEST_F(FetchTiming, R4TheBufferLimitsWhatIsReserved) {
  // Four bursts of four are granted in 1 to 4; the fifth when four have been dispatched: 83, seen in 84. Its
  // first instruction's last beat is in 84 + 1 + 64 + 3 = 152.
  finish(std::vector<Instruction>(20, mark(Module::Vector)));
  expectCycles(15, 72 + 4 * 15, 73 + 4 * 15);
  expectCycles(16, 155, 156);
}

TEST_F(FetchTiming, R6R7AFullQueueHoldsTheHead) {
  machine.queueDepth = 1;
  finish({gemm(200), mark(Module::Gemm), mark(Module::Gemm), mark(Module::Gemm)});
  expectCycles(0, 72, 278);  // R26: 200 + 6
  expectCycles(1, 279, 280); // dispatched in 75, R9: free from end + 1
  expectCycles(2, 281, 282); // its slot is free from 279 on, seen in 280, pushed then, seen in 281
  expectCycles(3, 283, 284);
  expectCycles(4, 283, 285); // R8: in the head register after the dispatch in 282; last end + 1
}

TEST_F(FetchTiming, R8FinishWaitsForTheLastFetchBeat) {
  std::vector<Instruction> program(16, mark(Module::Gemm));
  program[0] = Finish{};
  run(program); // all 16 were asked for before finish came: beats 66 to 129
  EXPECT_EQ(events.size(), 1u);
  expectCycles(0, 71, 130);
}

TEST_F(FetchTiming, R9ATokenIsSeenInTheNextCycle) {
  finish({mark(Module::Load, 0, bit(Module::Gemm)), mark(Module::Gemm, bit(Module::Load))});
  expectCycles(0, 72, 76); // R14: shown and left in 75; R16: written in 76
  expectCycles(1, 77, 78);
}

TEST_F(FetchTiming, R9AllTokensAreTakenAtOnce) {
  finish({mark(Module::Load, 0, bit(Module::Store)), gemm(50),
          mark(Module::Store, uint8_t(bit(Module::Load) | bit(Module::Vector))),
          mark(Module::Vector, bit(Module::Gemm), bit(Module::Store)),
          mark(Module::Gemm, 0, bit(Module::Vector))});
  expectCycles(1, 76, 132);
  expectCycles(4, 133, 134);
  expectCycles(3, 135, 136);
  expectCycles(2, 137, 141); // R20: shown and left in 140, complete in 141
}

TEST_F(FetchTiming, R11TheReaderNotGrantedLastWins) {
  machine.fetchBurst = 1;
  machine.fetchBuffer = 256;
  Load threeRuns = load(16);
  threeRuns.loops[2] = {3, 16, 16};
  std::vector<Instruction> program = {threeRuns};
  program.resize(255, mark(Module::Vector));
  finish(program);
  // FETCH asks in every cycle from 1 on and is granted until 74: 74 bursts of 4 beats, 66 to 361. LOAD asks
  // from 75 on and wins 75, 77 and 79, FETCH 76 and 78: beats 362, 363-366, 367, 368-371, 372; written 2
  // later.
  expectCycles(0, 72, 374);
  EXPECT_EQ(device->counter(CounterModule::Load, CounterClass::Bus), 2u);
  EXPECT_EQ(device->counter(CounterModule::Fetch, CounterClass::Bus), 1u); // 77; it dispatches in 75 and 79
}

TEST_F(FetchTiming, R12ABurstFollowsTheOneBefore) {
  finish({load(512), load(16, 1024, 1024)}); // bursts of 16, 16 and 1 beats
  expectCycles(0, 72, 173);                  // granted in 75 and 76: beats 140-155, 156-171
  expectCycles(1, 77, 174); // R9: free in 77; granted in 80: its beat is 172, not 80 + 1 + 64
}

} // namespace
} // namespace daedalus::testing
