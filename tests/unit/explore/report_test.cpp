// The page of a sweep, without a browser: sensitivities against their definition, the data against the
// points, which points are profiled, how large a page is.
#include "Explore/Report/Keys.h"
#include "Explore/Report/Profiles.h"
#include "Explore/Report/Sensitivity.h"
#include "Explore/Report/SweepReport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace daedalus::explore {
namespace {

using testing::ElementsAre;

Space spaceOf(const std::string &yaml) {
  const Result<Space> space = readSpace(yaml, "space.yaml");
  EXPECT_TRUE(space) << space.error();
  return *space;
}

/// Points of the space with random costs of so many networks; some are refused by all.
std::vector<PointResult> randomPoints(const Space &space, size_t networks, std::mt19937 &random) {
  std::vector<PointResult> points;
  for (uint64_t i = 0; i < space.size(); ++i) {
    const Point point = space.point(i);
    PointResult result{i, point.name, point.skipped, {}};
    for (size_t network = 0; point.machine && network < networks; ++network)
      if (random() % 10)
        result.networks.push_back({Cost{1000000 + random() % 9000000, 1000 + random() % 1000,
                                        1 + random() % 1000000, double(random()) / 7, 2},
                                   ""});
      else
        result.networks.push_back({std::nullopt, "does not fit"});
    points.push_back(std::move(result));
  }
  return points;
}

TEST(SweepReport, Keys) {
  const Space space =
      spaceOf("bases: [vta, default]\nkeys: {n: [32, 8, 16], bus_bytes: [8], queue_depth: [8, 4]}\n"
              "derive: {inp_bytes: 2048 * n}");
  const std::vector<Space::Key> keys = variedKeys(space);
  ASSERT_EQ(keys.size(), 3u); // bus_bytes does not vary
  EXPECT_EQ(keys[0].name, "base");
  EXPECT_THAT(keys[0].values, ElementsAre("vta", "default"));
  EXPECT_THAT(keys[1].values, ElementsAre("8", "16", "32"));
  EXPECT_THAT(positionsOf("default,n=32,bus_bytes=8,queue_depth=4,inp_bytes=65536", keys),
              ElementsAre(1, 2, 0));
  EXPECT_THAT(positionsOf("tiny,n=9", keys), ElementsAre(-1, -1, -1));
}

/// All pairs, one by one.
KeyChange definedChange(const std::vector<Ranked> &all, const std::string &key, const std::string &from,
                        const std::string &to, const std::vector<Space::Key> &keys) {
  KeyChange change{key, from, to, 0, std::vector<double>(all.front().values.size())};
  const auto without = [&](const Ranked &one) {
    auto settings = settingsOf(one.point.machine);
    std::map<std::string, std::string> others;
    for (const Space::Key &other : keys)
      if (other.name != key)
        others[other.name] = settings[other.name];
    return others;
  };
  for (const Ranked &a : all)
    for (const Ranked &b : all) {
      if (settingsOf(a.point.machine)[key] != from || settingsOf(b.point.machine)[key] != to ||
          without(a) != without(b))
        continue;
      ++change.pairs;
      for (size_t i = 0; i < change.changes.size(); ++i)
        change.changes[i] += b.values[i] / a.values[i] - 1;
    }
  for (double &sum : change.changes)
    sum /= double(change.pairs);
  return change;
}

TEST(SweepReport, SensitivitiesAreMeansOverPairs) {
  std::mt19937 random(5);
  const Space space =
      spaceOf("bases: [default, vta]\nkeys: {n: [32, 8, 16], queue_depth: [4, 8], read_latency: [16, 64]}\n"
              "derive: {inp_bytes: 2048 * n, out_bytes: 2048 * n}\nwhere: [\"n * queue_depth != 64\"]");
  const std::vector<Space::Key> keys = variedKeys(space);
  const std::vector<Ranked> all = ranked(randomPoints(space, 1, random), *objectivesOf("cycles,multipliers"));
  ASSERT_GT(all.size(), 6u);
  size_t steps = 0;
  for (const KeyChange &found : sensitivities(all, keys)) {
    if (found.from.empty())
      continue;
    ++steps;
    const KeyChange expected = definedChange(all, found.key, found.from, found.to, keys);
    ASSERT_EQ(found.pairs, expected.pairs) << found.key << " " << found.from;
    for (size_t i = 0; i < found.changes.size(); ++i)
      EXPECT_NEAR(found.changes[i], expected.changes[i], 1e-9) << found.key << " " << found.from;
  }
  EXPECT_EQ(steps, 1u + 2 + 1 + 1);
}

TEST(SweepReport, AllStepsOfAKeyWeighTheirPairs) {
  const Space space = spaceOf("keys: {read_latency: [16, 32, 64]}");
  std::vector<PointResult> points;
  for (const auto &[latency, cycles] : {std::pair("16", 100), std::pair("32", 150), std::pair("64", 300)})
    points.push_back({points.size(),
                      std::string("default,read_latency=") + latency,
                      "",
                      {{Cost{uint64_t(cycles), 1, 1, 1, 0}, ""}}});
  const auto changes = sensitivities(ranked(points, *objectivesOf("cycles")), variedKeys(space));
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[0].pairs, 2u);
  EXPECT_NEAR(changes[0].changes[0], 0.75, 1e-9);
  EXPECT_NEAR(changes[1].changes[0], 0.5, 1e-9);
  EXPECT_NEAR(changes[2].changes[0], 1, 1e-9);
}

TEST(SweepReport, DataAreThePoints) {
  std::mt19937 random(7);
  const Space space = spaceOf(
      "keys: {n: [8, 16, 17, 32], queue_depth: [4, 8]}\nderive: {inp_bytes: 2048 * n, out_bytes: 2048 * n}");
  const std::vector<std::string> networks = {"a.onnx", "b.onnx"};
  const std::vector<PointResult> points = randomPoints(space, 2, random);
  const std::vector<Objective> objectives = *objectivesOf("cycles,area");
  const std::vector<Ranked> all = ranked(points, objectives);
  ASSERT_FALSE(all.empty());
  const report::Json data = sweepData({"space.yaml", space, networks, points, objectives, {}}, all);
  EXPECT_EQ(data["counts"]["points"], points.size());
  EXPECT_EQ(data["counts"]["machines"],
            4); // an array of 17 is none, nor one of 8 that is narrower than the bus
  EXPECT_EQ(data["skipped"].size(), 2u);
  const report::Json &columns = data["points"];
  ASSERT_EQ(columns["id"].size(), all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(columns["id"][i], all[i].point.index);
    EXPECT_EQ(columns["values"]["cycles"][i].get<double>(), all[i].values[0]);
    EXPECT_EQ(columns["values"]["area"][i].get<double>(), all[i].values[1]);
    EXPECT_EQ(columns["on_front"][i], all[i].isOnFront ? 1 : 0);
    for (size_t network = 0; network < 2; ++network) {
      const Cost &cost = *all[i].point.networks[network].cost;
      EXPECT_EQ(columns["costs"][network]["cycles"][i], cost.cycles);
      EXPECT_EQ(columns["costs"][network]["bound_cycles"][i], cost.boundCycles);
      EXPECT_EQ(columns["costs"][network]["dram_bytes"][i], cost.dramBytes);
      EXPECT_EQ(columns["costs"][network]["estimated_pj"][i].get<double>(), cost.picojoules);
      EXPECT_EQ(columns["costs"][network]["host_layers"][i], cost.hostLayers);
    }
    std::string file;
    for (const report::Json &line : columns["files"][i])
      file += data["lines"][line.get<size_t>()].get<std::string>() + "\n";
    EXPECT_EQ(file, isa::writeMachine(all[i].machine));
  }
}

TEST(SweepReport, ProfilesTheEndsOfAFront) {
  EXPECT_THAT(thinned({3, 5, 8}, 5), ElementsAre(3, 5, 8));
  EXPECT_THAT(thinned({0, 1, 2, 3, 4, 5, 6, 7, 8}, 5), ElementsAre(0, 2, 4, 6, 8));
  EXPECT_THAT(thinned({0, 1, 2, 3, 4, 5}, 2), ElementsAre(0, 5));
  EXPECT_THAT(thinned({}, 5), ElementsAre());
}

TEST(SweepReport, AThousandMachinesAreLessThan5Megabytes) {
  std::mt19937 random(9);
  const Space space =
      spaceOf("keys: {n: [8, 16, 32], bus_bytes: [8, 16, 32], read_latency: {from: 16, to: 256, step: 30},"
              " queue_depth: [4, 8], outstanding_reads: [8, 16, 32], wgt_bytes: {from: 65536, to: 262144, "
              "times: 2}}\n"
              "derive: {inp_bytes: 2048 * n, out_bytes: 2048 * n, fetch_burst: \"min(4, bus_bytes / 4)\"}");
  const std::vector<std::string> networks = {"a.onnx", "b.onnx"};
  const std::vector<PointResult> points = randomPoints(space, 2, random);
  const std::vector<Objective> objectives = *objectivesOf("cycles,multipliers,scratchpad_bits");
  const std::vector<Ranked> all = ranked(points, objectives);
  const std::string page =
      sweepReport({"space.yaml", space, networks, points, objectives, {}}, all, report::Json::object());
  EXPECT_GT(all.size(), 700u);
  EXPECT_LT(page.size(), 2'000'000u);
  EXPECT_EQ(page.find("@@"), page.npos);
}

} // namespace
} // namespace daedalus::explore
