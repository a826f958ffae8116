// R13 to R17: LOAD. Alone, its first burst is granted in 79, so its first beat is in 79 + 1 + 64 = 144, and
// the first write in 147.
#include "unit/simulator/timing_test.h"

namespace daedalus::testing {
namespace {

using namespace isa;

class LoadTiming : public TimingTest {};

TEST_F(LoadTiming, R16AlignedBurstsTakeACycleABeat) {
  finish({load(64)});
  expectCycles(0, 73, 150);
}

TEST_F(LoadTiming, R16ABeatInTwoRowsTakesTwoCycles) {
  finish({load(64, 0, 8)}); // 4 beats, each in two rows
  expectCycles(0, 73, 154);
  finish({load(64, 8, 8)}); // 5 beats, shifted like the rows
  expectCycles(0, 73, 151);
  finish({load(64, 8, 0)}); // 5 beats, of which three lie in two rows: 5 + 3
  expectCycles(0, 73, 154);
}

TEST_F(LoadTiming, R13BurstsAreCutAtMultiplesOfTheirSize) {
  finish({load(256, 128)}); // 8 and 8 beats, granted in 79 and 80: 144-151, 152-159
  expectCycles(0, 73, 162);
}

TEST_F(LoadTiming, R13FillBeforeAndBehindTheData) {
  Load padded = load(48);
  padded.unbounded = false;
  padded.originX = -16;
  padded.extentX = 16;
  padded.extentY = 1;
  padded.offset = 1024 - 16;
  finish({padded});
  // Fill leaves in 79 and is written in 81; the burst is granted in 80, comes in 145, is written in 148; the
  // second fill left in 81 and is written in 149.
  expectCycles(0, 73, 149);
}

TEST_F(LoadTiming, R13ARunOutsideTheTensorIsOneFill) {
  Load padded = load(40, 0, 8);
  padded.unbounded = false;
  padded.originY = -1;
  padded.extentY = 5;
  padded.extentX = 100;
  finish({padded}); // bytes 8 to 47: three rows, written in 81 to 83
  expectCycles(0, 73, 83);
}

TEST_F(LoadTiming, R16DiagonalTakesACycleAByte) {
  Load diagonal = load(16);
  diagonal.scope = Scope::Wgt;
  diagonal.diagonal = true;
  finish({diagonal});
  expectCycles(0, 73, 162);
}

TEST_F(LoadTiming, R16TailFillIsFree) {
  Load tail = load(5);
  tail.tailFill = true;
  finish({tail});
  expectCycles(0, 73, 147);
}

TEST_F(LoadTiming, R14OutstandingReads) {
  machine.outstandingReads = 1;
  Load runs = load(16);
  runs.loops[2] = {2, 16, 16};
  finish({runs}); // the second leaves when the first has been written: 148
  expectCycles(0, 73, 148 + 1 + 64 + 3);
}

TEST_F(LoadTiming, R15ReceiveBufferIsReturnedWhole) {
  machine.receiveBeats = 16;
  finish({load(512)}); // 16 beats, written in 147 to 162; the next 16 are granted in 163: 228-243
  expectCycles(0, 73, 246);
}

TEST_F(LoadTiming, R14ASegmentOfASmallBurstPassesWhereALargeOneWaits) {
  machine.receiveBeats = 20;
  finish({load(256), load(64, 1024, 1024), load(16, 2048, 2048)});
  expectCycles(0, 73, 162); // 16 beats in room: 79 to 162
  expectCycles(1, 80, 166); // 4 beats fit: granted in 86; beats 160-163
  expectCycles(2, 87, 231); // shown in 93: no room until 162; granted in 163, beat 228
}

TEST_F(LoadTiming, R17LoadsOverlapAndEndInOrder) {
  finish({load(16), load(16, 64, 64), mark(Module::Load)});
  expectCycles(0, 73, 147);
  expectCycles(1, 80, 154); // free from 80 on: its segment left in 79; granted in 86
  expectCycles(2, 87, 155); // its empty segment left in 93 and is taken behind the others
}

} // namespace
} // namespace daedalus::testing
