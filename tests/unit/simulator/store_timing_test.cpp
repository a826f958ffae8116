// R18 to R20: STORE.
#include "unit/simulator/timing_test.h"

namespace daedalus::testing {
namespace {

using namespace isa;

class StoreTiming : public TimingTest {};

TEST_F(StoreTiming, R19OneBurst) {
  // leaves in 78, is read in 79, on the bus in 82, answered in 146, complete in 147
  finish({store(16)});
  expectCycles(0, 73, 147);
}

TEST_F(StoreTiming, R18BurstsAreCutAndReadOneBehindTheOther) {
  finish({store(512)}); // read in 79-94 and 95-110; last beats 97 and 113; answers 161 and 177
  expectCycles(0, 73, 178);
  finish({store(20, 12)}); // 2 beats: read in 79 and 80, answered in 147
  expectCycles(0, 73, 148);
}

TEST_F(StoreTiming, R20OutstandingWrites) {
  machine.outstandingWrites = 1;
  finish({store(512)}); // the second leaves in 163: read in 164-179, last beat 182, answered in 246
  expectCycles(0, 73, 247);
}

TEST_F(StoreTiming, R20SegmentsCompleteInOrder) {
  finish({store(16), mark(Module::Store), store(16, 64)});
  expectCycles(0, 73, 147);
  expectCycles(1, 79, 148); // leaves in 84
  expectCycles(2, 85, 159); // leaves in 90: read in 91, on the bus in 94, answered in 158
}

} // namespace
} // namespace daedalus::testing
