// Cycles of the clocked model worked out by hand from docs/timing.md, so that it is not only compared with
// the engine that it has to judge. The machine is `default` unless a test says otherwise: a bus of 16 bytes,
// bursts of 4 instructions, memory latency 64.
#include "clocked/core.h"

#include <gtest/gtest.h>

#include <map>

namespace daedalus::clocked {
namespace {

constexpr uint64_t ProgramAddress = 0x8000;

HostSetup makeSetup(const std::vector<isa::Instruction> &instructions) {
  HostSetup setup;
  auto machine = isa::loadMachine("default");
  EXPECT_TRUE(machine) << (machine ? "" : machine.error());
  setup.machine = *machine;
  setup.programAddress = ProgramAddress;
  setup.dramBytes = 0x10000;
  setup.bases[0] = {0, 0x8000};
  for (const isa::Instruction &instruction : instructions)
    setup.program.push_back(isa::encode(instruction));
  return setup;
}

/// start and end of the instruction.
std::pair<Cycle, Cycle> at(const Outcome &outcome, uint32_t index) {
  for (const Event &event : outcome.events)
    if (event.index == index)
      return {event.start, event.end};
  ADD_FAILURE() << "instruction " << index << " did not end";
  return {};
}

using Cycles = std::pair<Cycle, Cycle>;
isa::Nop nop(isa::Module module, uint8_t wait = 0, uint8_t signal = 0) {
  return {wait, signal, module, 0};
}

isa::Load load(uint32_t offset, uint32_t dst, uint16_t bytes) {
  isa::Load result;
  result.offset = offset;
  result.dst = dst;
  result.runBytes = bytes;
  result.unbounded = true;
  return result;
}

// Asked and granted in 1, AR in 2, first beat in 2 + 64, an instruction has 4 beats: 66 to 69 (R4, R12).
// In the head register from 69 + 3 (R5), ended there (R8).
TEST(ClockedRules, R5R8FinishAlone) {
  const Outcome outcome = Core(makeSetup({isa::Finish()})).run();
  EXPECT_EQ(at(outcome, 0), Cycles(72, 72));
  EXPECT_EQ(outcome.cycles, 72u);
}

// Dispatched in 72, seen and started in 73, ended in 74 (R6, R9, R10); FINISH's last beat is 73, head 76.
TEST(ClockedRules, R6R9R10NopOfGemm) {
  const Outcome outcome = Core(makeSetup({nop(isa::Module::Gemm), isa::Finish()})).run();
  EXPECT_EQ(at(outcome, 0), Cycles(73, 74));
  EXPECT_EQ(at(outcome, 1), Cycles(76, 76));
}

// Started in 73, shown in 73 + A = 79, leaves and is taken by the writer in 81, which is its end (R14, R16).
TEST(ClockedRules, R14R16NopOfLoad) {
  const Outcome outcome = Core(makeSetup({nop(isa::Module::Load), isa::Finish()})).run();
  EXPECT_EQ(at(outcome, 0), Cycles(73, 81));
  EXPECT_EQ(at(outcome, 1), Cycles(76, 82));
}

// NOP of STORE: shown in 78, leaves, completes in 79 (R20).
TEST(ClockedRules, R20NopOfStore) {
  const Outcome outcome = Core(makeSetup({nop(isa::Module::Store), isa::Finish()})).run();
  EXPECT_EQ(at(outcome, 0), Cycles(73, 79));
}

// 40 bytes from 0x10 to byte 8 of INP: shown and granted in 79, f = 80 + 64 = 144, written from 147 on. Beats
// of 16, 16, 8 bytes go to [8,24), [24,40), [40,48): two cycles for the first two, one for the third (R16):
// ends in 151.
TEST(ClockedRules, R12R16UnalignedLoad) {
  const Outcome outcome = Core(makeSetup({load(0x10, 8, 40), isa::Finish()})).run();
  EXPECT_EQ(at(outcome, 0), Cycles(73, 151));
  EXPECT_EQ(at(outcome, 1), Cycles(76, 152));
}

// The same run twice: the second burst is granted in 80, f = max(81 + 64, 146 + 1) = 147; it is written from
// max(147 + 3, 151 + 1) = 152, five cycles.
TEST(ClockedRules, R12R16TwoRuns) {
  isa::Load twice = load(0x10, 8, 40);
  twice.loops[2].count = 2;
  const Outcome outcome = Core(makeSetup({twice, isa::Finish()})).run();
  EXPECT_EQ(at(outcome, 0), Cycles(73, 156));
}

// One row of padding above and two bytes left of a run of 20: y is -1 then 0. The first run is fill, at bytes
// 0 to 19: two rows. It leaves in 79, is written in 81 and 82. The second: fill of 2 bytes leaves in 80, one
// row, written in 83; 18 bytes from 0x100 are two beats: granted in 81, f = 82 + 64 = 146, written from 149.
// They go to [34, 52), from 0x100: 16 bytes to [34, 50) cross a row (two cycles), 2 bytes to [50, 52): 149 to
// 151.
TEST(ClockedRules, R13R16Padding) {
  isa::Load padded = load(0xfe, 0, 20);
  padded.unbounded = false;
  padded.loops[1] = {2, 0, 32};
  padded.originY = -1;
  padded.originX = -2;
  padded.extentY = 5;
  padded.extentX = 100;
  const Outcome outcome = Core(makeSetup({padded, isa::Finish()})).run();
  EXPECT_EQ(at(outcome, 0), Cycles(73, 151));
  // Busy: the start, 81 to 83 and 149 to 151. The rest until its end is memory (R25).
  const auto &counters = outcome.counters[static_cast<unsigned>(CounterModule::Load)];
  EXPECT_EQ(counters[static_cast<unsigned>(CounterClass::Busy)], 7u);
  EXPECT_EQ(counters[static_cast<unsigned>(CounterClass::Memory)], 79u - 7u);
}

// 40 bytes to 0x10: shown in 78, leaves, AW and first read in 79, three beats, last read 81, on W in 84, B in
// 84 + 64 = 148, completed in 149 (R19, R20).
TEST(ClockedRules, R19R20Store) {
  isa::Store store;
  store.offset = 0x10;
  store.runBytes = 40;
  const Outcome outcome = Core(makeSetup({store, isa::Finish()})).run();
  EXPECT_EQ(at(outcome, 0), Cycles(73, 149));
  // Busy from the start until the segment leaves: 73 to 78 (R25).
  EXPECT_EQ(outcome.counters[static_cast<unsigned>(CounterModule::Store)]
                            [static_cast<unsigned>(CounterClass::Busy)],
            6u);
}

// GEMM: 2 x 3 products and 6 cycles of drain. VECTOR max with a reduction reads ACC twice a row: 2 x 2 + 11.
TEST(ClockedRules, R9R10TokensAndDurations) {
  isa::Gemm gemm;
  gemm.loops[4].count = 2;
  gemm.loops[5].count = 3;
  gemm.signal = 1u << code(isa::Module::Vector);
  isa::Vector vector;
  vector.op = isa::VectorOp::Max;
  vector.dstScope = vector.aScope = isa::Scope::Acc;
  vector.reduction = 1u << 4;
  vector.loops[4].count = 2;
  vector.wait = 1u << code(isa::Module::Gemm);
  const Outcome outcome = Core(makeSetup({gemm, vector, isa::Finish()})).run();
  EXPECT_EQ(at(outcome, 0), Cycles(73, 85));
  // Its beats end in 73, head 76, dispatched, seen in 77; waits until the token of 85 is seen in 86.
  EXPECT_EQ(at(outcome, 1), Cycles(86, 101));
  EXPECT_EQ(outcome.counters[static_cast<unsigned>(CounterModule::Vector)]
                            [static_cast<unsigned>(CounterClass::WaitGemm)],
            86u - 77u);
}

// Every module is in one class in each cycle from 0 to the stop (R25).
TEST(ClockedRules, R25CountersAddUpToTheTotal) {
  const Outcome outcome = Core(makeSetup({load(3, 5, 500), nop(isa::Module::Gemm), isa::Finish()})).run();
  for (const auto &module : outcome.counters) {
    uint64_t sum = 0;
    for (const uint64_t value : module)
      sum += value;
    EXPECT_EQ(sum, outcome.cycles);
  }
}

// In the head register in 72 and reported then, set from 73; the burst with both instructions has its last
// beat in 73, so the core stops in 74 (R22, R23).
TEST(ClockedRules, R22R23IllegalEncoding) {
  HostSetup setup = makeSetup({nop(isa::Module::Load), isa::Finish()});
  setup.program[0][3] = 1;
  const Outcome outcome = Core(setup).run();
  EXPECT_EQ(outcome.fault.cause, FaultCause::IllegalEncoding);
  EXPECT_EQ(outcome.fault.index, 0u);
  EXPECT_EQ(outcome.cycles, 74u);
}

// Dispatched in 72, reported in 73, where the NOP starts; it ends in 74 (R22, R23).
TEST(ClockedRules, R22MissingFinish) {
  const Outcome outcome = Core(makeSetup({nop(isa::Module::Gemm)})).run();
  EXPECT_EQ(outcome.fault.cause, FaultCause::MissingFinish);
  EXPECT_EQ(at(outcome, 0), Cycles(73, 74));
  EXPECT_EQ(outcome.cycles, 75u);
}

// The last beat of FETCH is in 73; nothing moves from 74 on; the 4096th such cycle is 74 + 4095 (R24).
TEST(ClockedRules, R24NoProgress) {
  const Outcome outcome = Core(makeSetup({nop(isa::Module::Gemm, 1), isa::Finish()})).run();
  EXPECT_EQ(outcome.fault.cause, FaultCause::NoProgress);
  EXPECT_EQ(outcome.cycles, 74u + 4095u + 1u);
}

// Shown in 79 and reported there: over the limit. Dropped, set from 80, nothing else runs (R22, R23).
TEST(ClockedRules, R22R23AddressLimit) {
  HostSetup setup = makeSetup({load(0x7fe8, 0, 16), isa::Finish()});
  setup.bases[0].limit = 0x7ff0;
  const Outcome outcome = Core(setup).run();
  EXPECT_EQ(outcome.fault.cause, FaultCause::AddressLimit);
  EXPECT_EQ(outcome.cycles, 80u);
}

// The run is cut at 0x8000, its limit: the first byte's burst leaves in 79, answers in 144 and is written in
// 147; the second byte's is dropped in 80, and the core stops in 148 (R13, R23).
TEST(ClockedRules, R22R23AddressLimitInTheSecondSegment) {
  const Outcome outcome = Core(makeSetup({load(0x7fff, 0, 2), isa::Finish()})).run();
  EXPECT_EQ(outcome.fault.cause, FaultCause::AddressLimit);
  EXPECT_EQ(outcome.cycles, 148u);
}

// A base register behind the DRAM: the fault is that of the first beat in 144, the last is in 146 (R22), but
// the three beats are still written: 147 to 149.
TEST(ClockedRules, R22BusErrorOfLoad) {
  HostSetup setup = makeSetup({load(0, 0, 40), isa::Finish()});
  setup.bases[0].address = setup.dramBytes;
  const Outcome outcome = Core(setup).run();
  EXPECT_EQ(outcome.fault.cause, FaultCause::BusError);
  EXPECT_EQ(at(outcome, 0), Cycles(73, 149));
  EXPECT_EQ(outcome.cycles, 150u);
}

// The third product of the GEMM is the first bad one: reported in 73 + 3 + 2, and the GEMM runs to its end.
TEST(ClockedRules, ScratchpadRangeOfGemm) {
  isa::Gemm gemm;
  gemm.acc = 2046;
  gemm.loops[5] = {4, 0, 0, 1};
  const Outcome outcome = Core(makeSetup({gemm, isa::Finish()})).run();
  EXPECT_EQ(outcome.fault.cause, FaultCause::ScratchpadRange);
  EXPECT_EQ(at(outcome, 0), Cycles(73, 83));
  EXPECT_EQ(outcome.cycles, 84u);
}

// 256 signals and no wait: the 256th passes 255 (R10).
TEST(ClockedRules, R10CounterOverflow) {
  std::vector<isa::Instruction> instructions(300, nop(isa::Module::Gemm, 0, 1u << code(isa::Module::Store)));
  instructions.push_back(isa::Finish());
  HostSetup setup = makeSetup(instructions);
  setup.programAddress = 0x8000;
  const Outcome outcome = Core(setup).run();
  EXPECT_EQ(outcome.fault.cause, FaultCause::CounterOverflow);
  EXPECT_EQ(outcome.fault.module, CounterModule::Gemm);
  EXPECT_EQ(outcome.fault.index, 255u);
}

} // namespace
} // namespace daedalus::clocked
