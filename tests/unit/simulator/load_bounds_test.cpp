// The bounds of a load against its segments, one by one.
#include "common/load_bounds.h"
#include "daedalus/isa/timing.h"
#include "random_load.h"
#include "support/device_harness.h"

#include <algorithm>
#include <random>

namespace daedalus::testing {
namespace {

constexpr int64_t Far = int64_t(1) << 60;

/// What the segments of the load touch, exactly.
sim::LoadBounds touched(const isa::Load &load, const isa::Machine &machine) {
  const int64_t scale = load.diagonal ? machine.n : 1;
  sim::LoadBounds bounds{Far, -Far, Far, -Far};
  isa::LoadSegments segments(load, machine, 0);
  for (isa::LoadSegment segment; segments.next(segment);) {
    const int64_t dst = segment.runDst + scale * segment.position;
    bounds.dstBegin = std::min(bounds.dstBegin, dst);
    bounds.dstEnd = std::max(bounds.dstEnd, dst + scale * int64_t(segment.bytes));
    if (segment.kind != isa::LoadSegment::Kind::Burst)
      continue;
    bounds.dramBegin = std::min(bounds.dramBegin, segment.offset);
    bounds.dramEnd = std::max(bounds.dramEnd, segment.offset + int64_t(segment.bytes));
  }
  return bounds;
}

TEST(LoadBounds, HoldEverySegment) {
  std::mt19937 random(7);
  const isa::Machine machine = builtin("default");
  unsigned withoutData = 0, exact = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    const isa::Load load = randomLoad(random, static_cast<uint16_t>(between(random, 1, 200)), true);
    const sim::LoadBounds bounds = sim::boundsOf(load, machine), found = touched(load, machine);
    ASSERT_EQ(bounds.dstBegin, found.dstBegin) << i;
    ASSERT_EQ(bounds.dstEnd, found.dstEnd) << i;
    if (found.dramBegin == Far) {
      ++withoutData;
      continue;
    }
    ASSERT_LE(bounds.dramBegin, found.dramBegin) << i;
    ASSERT_GE(bounds.dramEnd, found.dramEnd) << i;
    exact += bounds.dramBegin == found.dramBegin && bounds.dramEnd == found.dramEnd;
    if (load.unbounded) {
      ASSERT_EQ(bounds.dramBegin, found.dramBegin) << i;
      ASSERT_EQ(bounds.dramEnd, found.dramEnd) << i;
    }
  }
  EXPECT_GT(withoutData, 1000u); // of the kinds of load that there are, each came often
  EXPECT_GT(exact, 8000u);
}

/// A tensor whose first line and pixel are padding: its first run lies before the base register.
TEST(LoadBounds, LeaveOutThePadding) {
  isa::Load load;
  load.offset = 0;
  load.runBytes = 40;
  load.originY = -1;
  load.originX = -4;
  load.extentY = 3;
  load.extentX = 32;
  load.loops[1] = {5, 32, 40};
  const sim::LoadBounds bounds = sim::boundsOf(load, builtin("default"));
  EXPECT_EQ(bounds.dramBegin, 32 + 4);
  EXPECT_EQ(bounds.dramEnd, 3 * 32 + 4 + 32);
  EXPECT_EQ(bounds.dstEnd, 5 * 40);
}

} // namespace
} // namespace daedalus::testing
