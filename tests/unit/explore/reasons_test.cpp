// Why no machine runs all networks: each point counts once, the most frequent reason comes first.
#include "Explore/Reasons.h"

#include <gtest/gtest.h>

namespace daedalus::explore {
namespace {

TEST(Reasons, AreCountedByTheirTexts) {
  const Outcome runs{Cost{100, 1, 1, 1, 0}, ""}, runsNothing{Cost{0, 0, 0, 0, 3}, ""};
  const std::vector<PointResult> points = {
      {0, "a", "not n > 8", {}},
      {1, "b", "", {runs, runs}},
      {2, "c", "", {runs, {std::nullopt, "does not fit machine 'c'"}}},
      {3, "d", "", {{std::nullopt, "too large"}, {std::nullopt, "does not fit"}}},
      {4, "e", "", {runs, {std::nullopt, "does not fit machine 'e'"}}},
      {5, "f", "", {runsNothing, runs}}};
  const std::vector<Reason> reasons = reasonsOf(points, {"one.onnx", "two.onnx"});
  ASSERT_EQ(reasons.size(), 4u);
  EXPECT_EQ(reasons[0].points, 2u);
  EXPECT_EQ(reasons[0].text, "two.onnx: does not fit the machine");
  EXPECT_EQ(reasons[1].text, "not n > 8");
  EXPECT_EQ(reasons[2].text, "one.onnx: no layer runs on the accelerator");
  EXPECT_EQ(reasons[3].text, "one.onnx: too large");
  EXPECT_TRUE(reasonsOf({points[1]}, {"one.onnx", "two.onnx"}).empty());
}

} // namespace
} // namespace daedalus::explore
