// Weights of networks, objectives of one network, references: what they change, and what may be wrong with
// them.
#include "Explore/Preferences.h"

#include <gtest/gtest.h>

#include <cmath>

namespace daedalus::explore {
namespace {

using Numbers = std::vector<double>;

const std::vector<std::string> networks = {"nets/a.onnx", "b.onnx"};

Numbers valuesOf(const std::string &objectives, const std::string &weights) {
  const PointResult point{0, "tiny", "", {{Cost{100, 1, 10, 7, 0}, ""}, {Cost{10000, 1, 20, 9, 0}, ""}}};
  const auto chosen = objectivesOf(objectives, networks, *weightsOf(weights, networks));
  EXPECT_TRUE(chosen) << chosen.error();
  return ranked({point}, *chosen)[0].values;
}

TEST(Preferences, WeightsAreOfGeometricMeans) {
  EXPECT_NEAR(valuesOf("cycles", "")[0], 1000, 1e-6);
  EXPECT_NEAR(valuesOf("cycles", "a.onnx=3")[0], std::pow(10, 2.5), 1e-6);
  EXPECT_NEAR(valuesOf("cycles", "nets/a.onnx=1.5,b.onnx=0.5")[0], std::pow(10, 2.5), 1e-6);
  EXPECT_NEAR(valuesOf("multipliers", "a.onnx=3")[0], 64, 1e-9);
}

TEST(Preferences, ObjectivesOfOneNetwork) {
  const Numbers values = valuesOf("cycles:a.onnx,cycles:b.onnx,dram_bytes:nets/a.onnx,cycles", "a.onnx=3");
  EXPECT_NEAR(values[0], 100, 1e-9);
  EXPECT_NEAR(values[1], 10000, 1e-6);
  EXPECT_NEAR(values[2], 10, 1e-9);
  EXPECT_NEAR(values[3], std::pow(10, 2.5), 1e-6);
  EXPECT_EQ(objectivesOf("cycles:c.onnx", networks).error(),
            "the objective 'cycles:c.onnx': the network 'c.onnx' is none of the models; expected one of "
            "nets/a.onnx, b.onnx");
  EXPECT_EQ(objectivesOf("area:b.onnx", networks).error(),
            "the objective 'area:b.onnx' names a network, but area depends on the machine alone");
}

TEST(Preferences, References) {
  const auto objectives = objectivesOf("cycles,area,cycles:b.onnx", networks);
  ASSERT_TRUE(objectives);
  EXPECT_EQ(*referenceOf("", *objectives), Numbers(3, INFINITY));
  EXPECT_EQ(*referenceOf("area=2.5,cycles:b.onnx=1e6", *objectives), (Numbers{INFINITY, 2.5, 1e6}));
  EXPECT_EQ(referenceOf("energy=1", *objectives).error(),
            "'energy' is none of the objectives; expected one of cycles, area, cycles:b.onnx");
}

TEST(Preferences, PointsBeyondTheReferenceAreNotOnTheFront) {
  std::vector<PointResult> points;
  for (const auto &[cycles, bytes] :
       {std::pair(10, 40), std::pair(20, 20), std::pair(40, 10), std::pair(30, 30)})
    points.push_back({points.size(), "tiny", "", {{Cost{uint64_t(cycles), 1, uint64_t(bytes), 1, 0}, ""}}});
  std::vector<Ranked> all = ranked(points, *objectivesOf("cycles,dram_bytes"));
  leaveOutBeyond({INFINITY, 40}, all);
  std::vector<uint64_t> front;
  for (const Ranked &one : all)
    if (one.isOnFront)
      front.push_back(one.point.index);
  EXPECT_EQ(front, (std::vector<uint64_t>{1, 2}));
}

TEST(Preferences, WrongLists) {
  for (const char *list :
       {"a.onnx", "a.onnx=", "a.onnx=x", "a.onnx=0", "a.onnx=-1", "a.onnx=inf", "a.onnx=nan"})
    EXPECT_EQ(weightsOf(list, networks).error(),
              "'" + std::string(list) + "' is not NAME=NUMBER with a number above 0");
  EXPECT_EQ(weightsOf("a.onnx=1,nets/a.onnx=2", networks).error(), "'nets/a.onnx' is given twice");
  EXPECT_EQ(weightsOf("c.onnx=1", networks).error(),
            "the network 'c.onnx' is none of the models; expected one of nets/a.onnx, b.onnx");
}

} // namespace
} // namespace daedalus::explore
