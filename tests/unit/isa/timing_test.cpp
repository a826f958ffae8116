// Durations and segments, with expected numbers worked out here. R.. are rules of docs/timing.md.
#include "daedalus/isa/timing.h"
#include "test_programs.h"

namespace daedalus::isa {
namespace {

using Kind = LoadSegment::Kind;

std::vector<LoadSegment> segmentsOf(const Load &load, const Machine &machine, uint64_t base) {
  std::vector<LoadSegment> all;
  LoadSegment segment;
  for (LoadSegments segments(load, machine, base); segments.next(segment);)
    all.push_back(segment);
  return all;
}

TEST(Timing, GemmIsTheProductOfItsCountsAndTheDrain) {
  const Machine machine = machineNamed("default");
  Gemm gemm;
  EXPECT_EQ(gemmDuration(gemm, machine), 1u + 6u);
  gemm.loops[0].count = 14;
  gemm.loops[5].count = 9;
  EXPECT_EQ(gemmDuration(gemm, machine), 14u * 9u + 6u);
}

TEST(Timing, R26_WithAWindowGemmIsItsColumnsAndTheDrain) {
  const Machine machine = machineNamed("default"); // drains in 6 cycles
  Gemm gemm;
  gemm.window = gemm.step = 1;
  EXPECT_EQ(gemmDuration(gemm, machine), 1u + 6u);
  gemm.lead = 2;
  gemm.loops[5].count = 56;
  EXPECT_EQ(columnsOf(gemm), 58u) << "two columns before the first of 56 results";
  gemm.loops[1].count = 28;
  EXPECT_EQ(gemmDuration(gemm, machine), 28u * 58u + 6u);
  gemm.step = 3;
  EXPECT_EQ(gemmDuration(gemm, machine), 28u * (2 + 1 + 3 * 55) + 6u);
  gemm.loops.fill({0xffff, 0, 0, 0});
  EXPECT_EQ(gemmCycles(gemm), UINT64_MAX) << "more than 64 bits hold";
}

TEST(Timing, VectorRowsTakeTheMostReadsOfOneScope) {
  Vector vector = moveRow(Scope::Acc, 0, Scope::Out, 0);
  EXPECT_EQ(vectorCyclesPerRow(vector), 1u);
  vector.op = VectorOp::Add;
  vector.bScope = Scope::Acc;
  EXPECT_EQ(vectorCyclesPerRow(vector), 2u) << "a and b from ACC";
  vector.bScope = Scope::Inp;
  EXPECT_EQ(vectorCyclesPerRow(vector), 1u) << "one from each";
  vector.op = VectorOp::Mac;
  vector.bScope = Scope::Acc;
  vector.dstScope = Scope::Acc;
  EXPECT_EQ(vectorCyclesPerRow(vector), 2u) << "a plain mac does not read its destination";
  vector.accumulate = true;
  EXPECT_EQ(vectorCyclesPerRow(vector), 3u);
  vector.aScope = Scope::Inp;
  vector.bScope = Scope::Param;
  EXPECT_EQ(vectorCyclesPerRow(vector), 1u);
  vector = moveRow(Scope::Imm, 0, Scope::Acc, 0);
  EXPECT_EQ(vectorCyclesPerRow(vector), 1u) << "no read at all";
  vector = moveRow(Scope::Acc, 0, Scope::Out, 0);
  vector.op = VectorOp::Mov32;
  vector.loops[3].count = 5;
  EXPECT_EQ(vectorCyclesPerRow(vector), 4u);
  EXPECT_EQ(vectorDuration(vector, machineNamed("default")), 5u * 4u + 11u);
}

TEST(Timing, R13_DataIsCutAtMultiplesOfABurst) { // default: 16 beats of 16 bytes
  const Machine machine = machineNamed("default");
  const auto segments = segmentsOf(loadTo(Scope::Inp, 0, 400, 0, 200), machine, 0);
  ASSERT_EQ(segments.size(), 3u);
  EXPECT_EQ(segments[0].bytes, 56u); // 200 to 256
  EXPECT_EQ(segments[0].beats, 4u);  // bytes 200-207 in beat 12, then 13, 14, 15
  EXPECT_EQ(segments[1].bytes, 256u);
  EXPECT_EQ(segments[1].beats, 16u);
  EXPECT_EQ(segments[2].bytes, 88u); // 512 to 600
  EXPECT_EQ(segments[2].beats, 6u);
  EXPECT_FALSE(segments[1].lastOfRun);
  EXPECT_TRUE(segments[2].lastOfRun);
  EXPECT_EQ(segments[2].dst(), 312);
}

TEST(Timing, R13_TheBaseRegisterMovesTheCuts) {
  const auto segments = segmentsOf(loadTo(Scope::Inp, 0, 400, 0, 200), machineNamed("default"), 56);
  ASSERT_EQ(segments.size(), 2u);
  EXPECT_EQ(segments[0].bytes, 256u);
  EXPECT_EQ(segments[0].address, 256u);
  EXPECT_EQ(segments[0].offset, 200);
}

TEST(Timing, R13_FillBeforeDataAfterAndWholeRuns) {
  Load load = loadTo(Scope::Inp, 0, 20);
  load.unbounded = false;
  load.originY = -1;
  load.originX = -5;
  load.extentY = 1;
  load.extentX = 10;
  load.offset = 100;
  load.loops[1] = {3, 50, 32};
  const auto segments = segmentsOf(load, machineNamed("default"), 0);
  ASSERT_EQ(segments.size(), 5u); // y = -1: fill; y = 0: 5 fill, 10 data, 5 fill; y = 1: fill
  EXPECT_EQ(segments[0].kind, Kind::Fill);
  EXPECT_EQ(segments[0].bytes, 20u);
  EXPECT_EQ(segments[1].kind, Kind::Fill);
  EXPECT_EQ(segments[1].bytes, 5u);
  EXPECT_EQ(segments[2].kind, Kind::Burst);
  EXPECT_EQ(segments[2].offset, 155);
  EXPECT_EQ(segments[2].bytes, 10u);
  EXPECT_EQ(segments[2].dst(), 37);
  EXPECT_EQ(segments[3].kind, Kind::Fill);
  EXPECT_EQ(segments[3].position, 15u);
  EXPECT_TRUE(segments[3].lastOfRun);
  EXPECT_EQ(segments[4].bytes, 20u);
}

TEST(Timing, R13_TheInnerLoopMovesX) {
  Load load = loadTo(Scope::Inp, 0, 4);
  load.unbounded = false;
  load.extentY = 1;
  load.extentX = 6;
  load.loops[2] = {3, 4, 16};
  const auto segments =
      segmentsOf(load, machineNamed("default"), 0); // x = 0: data; 4: 2 data, 2 fill; 8: fill
  ASSERT_EQ(segments.size(), 4u);
  EXPECT_EQ(segments[1].bytes, 2u);
  EXPECT_EQ(segments[2].kind, Kind::Fill);
  EXPECT_EQ(segments[2].bytes, 2u);
  EXPECT_EQ(segments[3].kind, Kind::Fill);
  EXPECT_EQ(segments[3].bytes, 4u);
}

TEST(Timing, R16_CyclesOfTheWriter) {
  const Machine machine = machineNamed("default"); // N = W = 16
  auto cycles = [&](const Load &load) {
    return loadWriteCycles(load, segmentsOf(load, machine, 0)[0], machine);
  };
  EXPECT_EQ(cycles(loadTo(Scope::Inp, 0, 64)), 4u) << "aligned: a beat a cycle";
  EXPECT_EQ(cycles(loadTo(Scope::Inp, 1, 64)), 8u) << "shifted by one: 4 beats, 4 borders of rows";
  EXPECT_EQ(cycles(loadTo(Scope::Inp, 5, 64, 0, 5)), 5u) << "the same shift on both sides: 5 beats";
  Load fill = loadTo(Scope::Inp, 10, 20);
  fill.unbounded = false; // extent 0: all is fill
  EXPECT_EQ(cycles(fill), 2u) << "rows 0 and 1";
  Load diagonal = loadTo(Scope::Wgt, 0, 12);
  diagonal.diagonal = true;
  EXPECT_EQ(cycles(diagonal), 12u);
  EXPECT_EQ(loadWriteCycles(diagonal, LoadSegment(), machine), 1u) << "the empty segment of mark and nop";
}

TEST(Timing, SegmentsOutsideTheScope) {
  const Machine machine = machineNamed("default");
  auto inside = [&](const Load &load) { return inScope(load, segmentsOf(load, machine, 0)[0], machine); };
  EXPECT_TRUE(inside(loadTo(Scope::Inp, 32768 - 64, 64)));
  EXPECT_FALSE(inside(loadTo(Scope::Inp, 32768 - 63, 64)));
  Load diagonal = loadTo(Scope::Wgt, 262144 - 16 * 16, 16);
  diagonal.diagonal = true;
  EXPECT_TRUE(inside(diagonal));
  diagonal.dst += 16;
  EXPECT_FALSE(inside(diagonal));
  Load below = loadTo(Scope::Inp, 0, 16);
  below.loops[0] = {2, 0, -16};
  EXPECT_FALSE(inScope(below, segmentsOf(below, machine, 0)[1], machine));
}

TEST(Timing, R18_BurstsOfStore) {
  const Machine machine = machineNamed("default");
  Store store = storeRow(3, 40, 250);
  store.loops[1] = {2, 100, 5};
  std::vector<StoreSegment> all;
  StoreSegment segment;
  for (StoreSegments segments(store, machine, 0); segments.next(segment);)
    all.push_back(segment);
  ASSERT_EQ(all.size(), 3u); // 250-255, 256-289; 350-389
  EXPECT_EQ(all[0].bytes, 6u);
  EXPECT_EQ(all[0].beats, 1u);
  EXPECT_EQ(all[0].src, 48);
  EXPECT_EQ(all[1].bytes, 34u);
  EXPECT_EQ(all[1].beats, 3u);
  EXPECT_EQ(all[1].src, 54);
  EXPECT_TRUE(all[1].lastOfRun);
  EXPECT_EQ(all[2].offset, 350);
  EXPECT_EQ(all[2].src, 128);
  EXPECT_EQ(all[2].beats, 4u); // 350-351 in beat 21, then 22, 23, 384-389 in 24
}

TEST(Timing, Limits) {
  EXPECT_TRUE(inLimit(0, 16, 16));
  EXPECT_FALSE(inLimit(1, 16, 16));
  EXPECT_FALSE(inLimit(-1, 16, 16));
}

} // namespace
} // namespace daedalus::isa
