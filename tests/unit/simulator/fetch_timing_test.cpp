// R1 to R11: time, FETCH, queues, tokens and the read arbiter.
#include "unit/simulator/timing_test.h"

namespace daedalus::testing {
namespace {

using namespace isa;

class FetchTiming : public TimingTest {};

TEST_F(FetchTiming, R5AnInstructionEveryFourCycles) {
  finish({mark(Module::Gemm), mark(Module::Gemm)});
  expectCycles(0, 73, 74); // R10: a mark takes a cycle
  expectCycles(1, 77, 78);
  expectCycles(2, 80, 80); // R8: finish is in the head register in 80; the last fetch beat was in 77
  EXPECT_EQ(device->cycles(), 80u);
}

TEST_F(FetchTiming, R4ABurstEndsAtAMultipleOfItsSize) {
  machine.fetchBuffer = 4;
  // The first burst brings one instruction; the next needs four places, so it waits for the dispatch in 71,
  // is granted in 73, and its first instruction's last beat is in 73 + 1 + 64 + 3 = 141.
  finish(std::vector<Instruction>(5, mark(Module::Gemm)), DeviceHarness::Code + 3 * 64);
  expectCycles(0, 73, 74);
  expectCycles(1, 145, 146);
}

TEST_F(FetchTiming, R4TheBufferLimitsWhatIsReserved) {
  // Four bursts of four are granted in 1 to 4; the fifth when four have been dispatched: 84, seen in 85. Its
  // first instruction's last beat is in 85 + 1 + 64 + 3 = 153.
  finish(std::vector<Instruction>(20, mark(Module::Vector)));
  expectCycles(15, 73 + 4 * 15, 74 + 4 * 15);
  expectCycles(16, 157, 158);
}

TEST_F(FetchTiming, R6R7AFullQueueHoldsTheHead) {
  machine.queueDepth = 1;
  finish({gemm(200), mark(Module::Gemm), mark(Module::Gemm), mark(Module::Gemm)});
  expectCycles(0, 73, 279);  // R26: 200 + 6
  expectCycles(1, 280, 281); // dispatched in 76, R9: free from end + 1
  expectCycles(2, 282, 283); // its slot is free from 280 on, seen in 281, pushed then, seen in 282
  expectCycles(3, 284, 285);
  expectCycles(4, 284, 286); // R8: in the head register after the dispatch in 283; last end + 1
}

TEST_F(FetchTiming, R8FinishWaitsForTheLastFetchBeat) {
  std::vector<Instruction> program(16, mark(Module::Gemm));
  program[0] = Finish{};
  run(program); // all 16 were asked for before finish came: beats 66 to 129
  EXPECT_EQ(events.size(), 1u);
  expectCycles(0, 72, 130);
}

TEST_F(FetchTiming, R9ATokenIsSeenInTheNextCycle) {
  finish({mark(Module::Load, 0, bit(Module::Gemm)), mark(Module::Gemm, bit(Module::Load))});
  expectCycles(0, 73, 81); // R14: shown and left in 79; R16: written in 81
  expectCycles(1, 82, 83);
}

TEST_F(FetchTiming, R9AllTokensAreTakenAtOnce) {
  finish({mark(Module::Load, 0, bit(Module::Store)), gemm(50),
          mark(Module::Store, uint8_t(bit(Module::Load) | bit(Module::Vector))),
          mark(Module::Vector, bit(Module::Gemm), bit(Module::Store)),
          mark(Module::Gemm, 0, bit(Module::Vector))});
  expectCycles(1, 77, 133);
  expectCycles(4, 134, 135);
  expectCycles(3, 136, 137);
  expectCycles(2, 138, 144); // R20: shown and left in 143, complete in 144
}

TEST_F(FetchTiming, R11TheReaderNotGrantedLastWins) {
  machine.fetchBurst = 1;
  machine.fetchBuffer = 256;
  Load threeRuns = load(16);
  threeRuns.loops[2] = {3, 16, 16};
  std::vector<Instruction> program = {threeRuns};
  program.resize(255, mark(Module::Vector));
  finish(program);
  // FETCH asks in every cycle from 1 on and is granted until 78: 78 bursts of 4 beats, 66 to 377. LOAD asks
  // from 79 on and wins 79, 81 and 83, FETCH 80 and 82: beats 378, 379-382, 383, 384-387, 388; written 3
  // later.
  expectCycles(0, 73, 391);
  EXPECT_EQ(device->counter(CounterModule::Load, CounterClass::Bus), 2u);
  EXPECT_EQ(device->counter(CounterModule::Fetch, CounterClass::Bus), 3u); // it dispatches in 80 and 84
}

TEST_F(FetchTiming, R12ABurstFollowsTheOneBefore) {
  finish({load(512), load(16, 1024, 1024)}); // bursts of 16, 16 and 1 beats
  expectCycles(0, 73, 178);                  // granted in 79 and 80: beats 144-159, 160-175
  expectCycles(1, 81, 179); // R9: free in 81; granted in 87: its beat is 176, not 87 + 1 + 64
}

} // namespace
} // namespace daedalus::testing
