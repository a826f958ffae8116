// Spaces of machines: their points, and what may be wrong with a file.
#include "Explore/Space.h"

#include "daedalus/isa/dram.h"

#include <gmock/gmock.h>

#include <map>

namespace daedalus::explore {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Space spaceOf(const std::string &yaml) {
  const auto space = readSpace(yaml, "s.yaml");
  EXPECT_TRUE(space) << space.error();
  return space ? *space : Space();
}

std::string errorOf(const std::string &yaml) {
  const auto space = readSpace(yaml, "s.yaml");
  return space ? "" : space.error();
}

TEST(Space, PointsAreTheProductOfBasesAndValues) {
  const Space space = spaceOf("bases: [default, vta]\n"
                              "keys:\n  queue_depth: [2, 8]\n  read_latency: {from: 16, to: 64, times: 2}\n");
  ASSERT_EQ(space.size(), 2u * 2 * 3);
  std::vector<std::string> names;
  for (uint64_t i = 0; i < space.size(); ++i) {
    const Point point = space.point(i);
    ASSERT_TRUE(point.machine) << point.skipped;
    EXPECT_EQ(isa::writeMachine(*point.machine), isa::writeMachine(*isa::loadMachine(point.name)));
    names.push_back(point.name);
  }
  EXPECT_EQ(names[0], "default,queue_depth=2,read_latency=16");
  EXPECT_EQ(names[1], "default,queue_depth=2,read_latency=32");
  EXPECT_EQ(names[11], "vta,queue_depth=8,read_latency=64");
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST(Space, RangesHaveStepsOrFactors) {
  const Space space = spaceOf("keys: {queue_depth: {from: 2, to: 9, step: 3}, read_latency: 7}\n");
  EXPECT_THAT(space.keys[0].values, ElementsAre("2", "5", "8"));
  EXPECT_THAT(space.keys[1].values, ElementsAre("7"));
}

TEST(Space, KeysFollowFromOthers) {
  const Space space = spaceOf("keys: {n: [8, 16]}\nderive:\n  inp_bytes: 2048 * n\n"
                              "  bus_bytes: min(n, 16)\n  fetch_burst: bus_bytes / 4\n");
  const Point point = space.point(0);
  ASSERT_TRUE(point.machine) << point.skipped;
  EXPECT_EQ(point.name, "default,n=8,inp_bytes=16384,bus_bytes=8,fetch_burst=2");
  EXPECT_EQ(point.machine->inpBytes, 16384u);
}

TEST(Space, AModelComesBeforeTheKeysOfItsDram) {
  const Space space = spaceOf("keys: {t_refi: [0, 9000], clock_mhz: 800, model: [ddr4-2400]}\n");
  EXPECT_EQ(space.point(1).name, "default,model=ddr4-2400,t_refi=9000,clock_mhz=800");
  EXPECT_TRUE(space.point(1).machine) << space.point(1).skipped;
}

TEST(Space, AClockIsStatedOrNot) {
  EXPECT_FALSE(spaceOf("keys: {n: [8, 16]}\n").hasValueOf("clock_mhz"));
  EXPECT_TRUE(spaceOf("keys: {clock_mhz: [50, 100]}\n").hasValueOf("clock_mhz"));
  EXPECT_TRUE(spaceOf("keys: {n: 8}\nderive: {clock_mhz: 800 / n}\n").hasValueOf("clock_mhz"));
  EXPECT_TRUE(spaceOf("keys: {n: 8}\n").hasValueOf("read_latency"));
}

TEST(Space, SkipsSayWhy) {
  const Space space =
      spaceOf("keys: {n: [8, 16, 17], bus_bytes: [8, 16]}\nwhere: [n < 17 || bus_bytes > 8]\n");
  std::map<std::string, std::string> skipped;
  for (uint64_t i = 0; i < space.size(); ++i)
    skipped[space.point(i).name] = space.point(i).skipped;
  EXPECT_EQ(skipped["default,n=16,bus_bytes=16"], "");
  EXPECT_EQ(skipped["default,n=8,bus_bytes=16"],
            "the key 'core.bus_bytes' is 16; expected at most the 8 of 'n'");
  EXPECT_EQ(skipped["default,n=17,bus_bytes=8"], "not n < 17 || bus_bytes > 8");
  EXPECT_THAT(skipped["default,n=17,bus_bytes=16"], HasSubstr("'core.n' is '17'"));
  EXPECT_EQ(spaceOf("keys: {n: [8]}\nderive: {inp_bytes: n / 3}\n").point(0).skipped,
            "inp_bytes = n / 3 is 2.666667");
}

TEST(Space, WrongFiles) {
  EXPECT_EQ(errorOf("- n"),
            "s.yaml: is not a map; expected 'keys' and optionally 'bases', 'derive' and 'where'");
  EXPECT_EQ(errorOf("keyes: {n: 8}"),
            "s.yaml: has 'keyes', which is unknown; expected bases, keys, derive or where");
  EXPECT_EQ(errorOf("keys: {rows: [8]}"), "s.yaml: the key 'rows' is unknown; docs/isa.md lists the keys");
  EXPECT_EQ(errorOf("keys: {n: [8]}\nderive: {n: 9}"), "s.yaml: the key 'n' is given twice");
  EXPECT_EQ(errorOf("keys: {n: [8, 8]}"), "s.yaml: the key 'n' has a value twice");
  EXPECT_EQ(errorOf("keys: {n: []}"),
            "s.yaml: the key 'n' has no values; expected a list, such as [8, 16], or a "
            "range, such as {from: 8, to: 64, times: 2}");
  EXPECT_EQ(errorOf("keys: {n: {from: 8, to: 64}}"), "s.yaml: the key 'n' needs either 'step' or 'times'");
  EXPECT_EQ(errorOf("keys: {n: {from: 8, to: 4, step: 1}}"),
            "s.yaml: the key 'n' is from 8 to 4 by 1, which is not a range");
  EXPECT_EQ(errorOf("keys: {n: {from: 8, to: x, step: 1}}"), "s.yaml: the key 'n' needs a whole number 'to'");
  EXPECT_THAT(errorOf("bases: [defualt]"), HasSubstr("s.yaml: base: no machine 'defualt'"));
  EXPECT_THAT(errorOf("keys: {n: [8]}\nwhere: [n <]"), HasSubstr("s.yaml: the condition 'n <': "));
  EXPECT_THAT(errorOf("keys: {n: [8]}\nderive: {inp_bytes: rows * 2}"),
              HasSubstr("s.yaml: the key 'inp_bytes' is 'rows * 2': "));
  EXPECT_THAT(errorOf("keys: {n: ["), HasSubstr("s.yaml: not valid YAML: "));
  EXPECT_EQ(errorOf("keys: {read_latency: {from: 1, to: 10000, step: 1}, write_latency: {from: 1, to: 10000, "
                    "step: 1}}"),
            "s.yaml: has more than 10000000 points; expected fewer values");
}

} // namespace
} // namespace daedalus::explore
