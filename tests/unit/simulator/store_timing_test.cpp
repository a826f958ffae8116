// R18 to R20: STORE.
#include "unit/simulator/timing_test.h"

namespace daedalus::testing {
namespace {

using namespace isa;

class StoreTiming : public TimingTest {};

TEST_F(StoreTiming, R19OneBurst) {
  // leaves in 75, is read in 76, on the bus in 78, answered in 142, complete in 143
  finish({store(16)});
  expectCycles(0, 72, 143);
}

TEST_F(StoreTiming, R18BurstsAreCutAndReadOneBehindTheOther) {
  finish({store(512)}); // read in 76-91 and 92-107; last beats 93 and 109; answers 157 and 173
  expectCycles(0, 72, 174);
  finish({store(20, 12)}); // 2 beats: read in 76 and 77, answered in 143
  expectCycles(0, 72, 144);
}

TEST_F(StoreTiming, R20OutstandingWrites) {
  machine.outstandingWrites = 1;
  finish({store(512)}); // the second leaves in 159: read in 160-175, last beat 177, answered in 241
  expectCycles(0, 72, 242);
}

TEST_F(StoreTiming, R20SegmentsCompleteInOrder) {
  finish({store(16), mark(Module::Store), store(16, 64)});
  expectCycles(0, 72, 143);
  expectCycles(1, 76, 144); // leaves in 79
  expectCycles(2, 80, 151); // leaves in 83: read in 84, on the bus in 86, answered in 150
}

} // namespace
} // namespace daedalus::testing
