// What becomes of measured times; how long they are is not tested.

#include "Tuning/Timing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::tuning {
namespace {

TEST(Quantiles, LieBetweenNeighbours) {
  EXPECT_EQ(quantile({}, 0.5), 0);
  EXPECT_EQ(quantile({3}, 0.25), 3);
  EXPECT_EQ(quantile({1, 2, 4}, 0.5), 2);
  EXPECT_EQ(quantile({1, 3}, 0.5), 2);
  EXPECT_EQ(quantile({1, 2, 3, 4, 5}, 0.25), 2);
  EXPECT_EQ(quantile({1, 2}, 1), 2);
}

TEST(Timings, SpreadIsOfTheMiddleHalf) {
  Timing timing;
  timing.samples = {1, 9, 10, 11, 100};
  EXPECT_EQ(timing.median(), 10);
  EXPECT_DOUBLE_EQ(timing.spread(), 0.2);
  EXPECT_EQ(Timing().spread(), 0);
}

TEST(Batches, AreAsLongAsTheyHaveToBe) {
  EXPECT_EQ(batchOf(0.001, 0.02), 20u);
  EXPECT_EQ(batchOf(0.0011, 0.02), 19u);
  EXPECT_EQ(batchOf(5, 0.02), 1u);
  EXPECT_EQ(batchOf(0, 0.02), 20000u);
}

/// Says how long it takes, and writes down when it is asked.
class Clockwork : public Timed {
public:
  Clockwork(char name, double each, std::string &log) : name(name), each(each), log(log) {}
  Result<double> seconds(uint64_t runs) override {
    log += name;
    return each * static_cast<double>(runs);
  }

private:
  char name;
  double each;
  std::string &log;
};

class Broken : public Timed {
  Result<double> seconds(uint64_t) override { return error("it broke"); }
};

TEST(Turns, AreTakenAndBatchesAdapt) {
  std::string log;
  Clockwork quick('q', 0.001, log), slow('s', 1, log);
  const auto timings = timeInTurns({&quick, &slow}, {5, 0.02});
  ASSERT_TRUE(timings);
  EXPECT_EQ(log,
            "qqsqsqsqsqsqs"); // first the batches are found: 1 and 20 of the quick one, 1 of the slow one
  EXPECT_EQ((*timings)[0].batch, 20u);
  EXPECT_EQ((*timings)[1].batch, 1u);
  EXPECT_EQ((*timings)[0].samples.size(), 5u);
  EXPECT_DOUBLE_EQ((*timings)[0].median(), 0.001);
  EXPECT_DOUBLE_EQ((*timings)[1].median(), 1);
}

TEST(Turns, EndWithTheFirstError) {
  Broken broken;
  EXPECT_EQ(timeInTurns({&broken}, {}).error(), "it broke");
}

} // namespace
} // namespace daedalus::tuning
