// R13 to R17: LOAD. Alone, its first burst is granted in 75, so its first beat is in 75 + 1 + 64 = 140, and
// the first write in 142.
#include "unit/simulator/timing_test.h"

namespace daedalus::testing {
namespace {

using namespace isa;

class LoadTiming : public TimingTest {};

TEST_F(LoadTiming, R16AlignedBurstsTakeACycleABeat) {
  finish({load(64)});
  expectCycles(0, 72, 145);
}

TEST_F(LoadTiming, R16ABeatInTwoRowsTakesTwoCycles) {
  finish({load(64, 0, 8)}); // 4 beats, each in two rows
  expectCycles(0, 72, 149);
  finish({load(64, 8, 8)}); // 5 beats, shifted like the rows
  expectCycles(0, 72, 146);
  finish({load(64, 8, 0)}); // 5 beats, of which three lie in two rows: 5 + 3
  expectCycles(0, 72, 149);
}

TEST_F(LoadTiming, R13BurstsAreCutAtMultiplesOfTheirSize) {
  finish({load(256, 128)}); // 8 and 8 beats, granted in 75 and 76: 140-147, 148-155
  expectCycles(0, 72, 157);
}

TEST_F(LoadTiming, R13FillBeforeAndBehindTheData) {
  Load padded = load(48);
  padded.unbounded = false;
  padded.originX = -16;
  padded.extentX = 16;
  padded.extentY = 1;
  padded.offset = 1024 - 16;
  finish({padded});
  // Fill leaves in 75 and is written in 76; the burst is granted in 76, comes in 141, is written in 143; the
  // second fill left in 77 and is written in 144.
  expectCycles(0, 72, 144);
}

TEST_F(LoadTiming, R13ARunOutsideTheTensorIsOneFill) {
  Load padded = load(40, 0, 8);
  padded.unbounded = false;
  padded.originY = -1;
  padded.extentY = 5;
  padded.extentX = 100;
  finish({padded}); // bytes 8 to 47: three rows, written in 76 to 78
  expectCycles(0, 72, 78);
}

TEST_F(LoadTiming, R16DiagonalTakesACycleAByte) {
  Load diagonal = load(16);
  diagonal.scope = Scope::Wgt;
  diagonal.diagonal = true;
  finish({diagonal});
  expectCycles(0, 72, 157);
}

TEST_F(LoadTiming, R16TailFillIsFree) {
  Load tail = load(5);
  tail.tailFill = true;
  finish({tail});
  expectCycles(0, 72, 142);
}

TEST_F(LoadTiming, R14OutstandingReads) {
  machine.outstandingReads = 1;
  Load runs = load(16);
  runs.loops[2] = {2, 16, 16};
  finish({runs}); // the second leaves when the first has been written: 143
  expectCycles(0, 72, 143 + 1 + 64 + 2);
}

TEST_F(LoadTiming, R15ReceiveBufferIsReturnedWhole) {
  machine.receiveBeats = 16;
  finish({load(512)}); // 16 beats, written in 142 to 157; the next 16 are granted in 158: 223-238
  expectCycles(0, 72, 240);
}

TEST_F(LoadTiming, R14ASegmentOfASmallBurstPassesWhereALargeOneWaits) {
  machine.receiveBeats = 20;
  finish({load(256), load(64, 1024, 1024), load(16, 2048, 2048)});
  expectCycles(0, 72, 157); // 16 beats in room: 75 to 157
  expectCycles(1, 76, 161); // 4 beats fit: granted in 79; beats 156-159
  expectCycles(2, 80, 225); // shown in 83: no room until 157; granted in 158, beat 223
}

TEST_F(LoadTiming, R17LoadsOverlapAndEndInOrder) {
  finish({load(16), load(16, 64, 64), mark(Module::Load)});
  expectCycles(0, 72, 142);
  expectCycles(1, 76, 146); // free from 76 on: its segment left in 75; granted in 79
  expectCycles(2, 80, 147); // its empty segment left in 83 and is taken behind the others
}

} // namespace
} // namespace daedalus::testing
