// Tuned plans as text and in their database.
#include "PlanSearch/TuneDatabase.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace daedalus::plansearch {
namespace {

using accelerator::TunedGroup;
using accelerator::TunedSchedule;
using accelerator::TunedStream;

TunedGroup randomGroup(std::mt19937 &random) {
  TunedGroup group;
  for (size_t i = 0, count = 1 + random() % 3; i < count; ++i) {
    const auto size = [&] { return static_cast<int32_t>(1 + random() % 100); };
    const auto below = [&](uint32_t most) { return static_cast<int32_t>(random() % most); };
    group.kernels.push_back("k" + std::to_string(random() % 5));
    group.schedules.push_back(
        {size(), size(), size(), size(), size(), size(), below(3), below(2), below(17), below(2)});
  }
  group.lag = group.kernels.size() > 1 ? random() % 4 : 0;
  return group;
}

TEST(TunedText, ReadsBackTheSame) {
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    const TunedGroup group = randomGroup(random);
    const Result<TunedGroup> read = accelerator::tunedGroup(accelerator::textOf(group));
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(*read, group);
  }
}

TEST(TunedText, RefusesWhatIsNone) {
  for (const char *text :
       {"", "1\n", "x\nk 1 1 1 1 1 1 0 0 0 0\n", "0\nk 1 1 1 1 1 1 0 0 0\n", "0\nk 0 1 1 1 1 1 0 0 0 0\n",
        "0\nk 1 1 1 1 1 1 3 0 0 0\n", "0\nk 1 1 1 1 1 1 0 2 0 0\n", "0\nk 1 1 1 1 1 1 0 0 17 0\n",
        "-1\nk 1 1 1 1 1 1 0 0 0 0\n"})
    EXPECT_FALSE(accelerator::tunedGroup(text)) << text;
}

class TuneFile : public ::testing::Test {
protected:
  TuneFile() { std::filesystem::remove(path); }
  ~TuneFile() override { std::filesystem::remove(path); }

  TuneDatabase open() {
    Result<TuneDatabase> database = TuneDatabase::open(path, false);
    EXPECT_TRUE(database) << database.error();
    return std::move(*database);
  }

  const std::string path = ::testing::TempDir() + "tuned_" + std::to_string(getpid()) + ".db";
  const isa::Machine machine = *isa::loadMachine("default"),
                     other = *isa::loadMachine("default,read_latency=65");
};

TEST_F(TuneFile, KeepsTheBestOfEachMachine) {
  const TunedStream slow = {{{"a", "b"}, {TunedSchedule{1}, TunedSchedule{2}}, 1}},
                    fast = {{{"a"}, {TunedSchedule{3}}, 0}, {{"b"}, {TunedSchedule{4}}, 0}};
  TuneDatabase database = open();
  EXPECT_TRUE(*database.write(machine, slow, 120, 110));
  EXPECT_TRUE(*database.write(machine, fast, 120, 100));
  EXPECT_FALSE(*database.write(machine, slow, 120, 105));
  const Result<accelerator::Tuned> own = open().read(machine);
  ASSERT_TRUE(own) << own.error();
  EXPECT_EQ(own->streams, std::vector<TunedStream>{fast});
  EXPECT_EQ(own->groups.size(), 2u);
  EXPECT_TRUE(open().read(other)->streams.empty());
}

TEST_F(TuneFile, KnowsTheNearestMachines) {
  const TunedStream one = {{{"a"}, {TunedSchedule{1}}, 0}}, two = {{{"a"}, {TunedSchedule{2}}, 0}};
  TuneDatabase database = open();
  EXPECT_TRUE(*database.write(*isa::loadMachine("vta"), one, 10, 9));
  EXPECT_TRUE(*database.write(other, two, 10, 9));
  EXPECT_EQ(database.readNear(machine)->streams, (std::vector<TunedStream>{two, one}));
}

TEST_F(TuneFile, IsRefusedWhereItIsNone) {
  EXPECT_FALSE(TuneDatabase::open(path, true));
  std::ofstream(path) << "This is text.";
  const Result<TuneDatabase> database = TuneDatabase::open(path, false);
  ASSERT_FALSE(database);
  EXPECT_NE(database.error().find("is not a database of tuned plans"), std::string::npos) << database.error();
}

} // namespace
} // namespace daedalus::plansearch
