// Tuned plans as text; plans and schedules in their database.
#include "PlanSearch/TunedPlans.h"
#include "PlanSearch/TunedSchedules.h"

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
    group.schedules.push_back({size(), size(), size(), size(), size(), size(), below(3), below(2), below(17),
                               below(2), below(5), below(2)});
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
       {"", "1\n", "x\nk 1 1 1 1 1 1 0 0 0 0 0 0\n", "0\nk 1 1 1 1 1 1 0 0 0 0 0\n",
        "0\nk 0 1 1 1 1 1 0 0 0 0 0 0\n", "0\nk 1 1 1 1 1 1 3 0 0 0 0 0\n", "0\nk 1 1 1 1 1 1 0 2 0 0 0 0\n",
        "0\nk 1 1 1 1 1 1 0 0 17 0 0 0\n", "0\nk 1 1 1 1 1 1 0 0 0 0 5 0\n", "0\nk 1 1 1 1 1 1 0 0 0 0 0 2\n",
        "-1\nk 1 1 1 1 1 1 0 0 0 0 0 0\n"})
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
  EXPECT_TRUE(database.write({rowOf(machine, slow, 120, 110)}));
  EXPECT_TRUE(database.write({rowOf(machine, fast, 120, 100)}));
  EXPECT_TRUE(database.write({rowOf(machine, slow, 120, 105)}));
  const Result<accelerator::Tuned> own = readPlans(open(), machine);
  ASSERT_TRUE(own) << own.error();
  EXPECT_EQ(own->streams, std::vector<TunedStream>{fast});
  EXPECT_EQ(own->groups.size(), 2u);
  EXPECT_TRUE(readPlans(open(), other)->streams.empty());
}

TEST_F(TuneFile, KnowsTheNearestMachinesAndVersions) {
  const TunedStream one = {{{"a"}, {TunedSchedule{1}}, 0}}, two = {{{"a"}, {TunedSchedule{2}}, 0}},
                    old = {{{"a"}, {TunedSchedule{3}}, 0}};
  TunedRow ofOtherVersion = rowOf(machine, old, 10, 9);
  ofOtherVersion.version = "0.0";
  TuneDatabase database = open();
  EXPECT_TRUE(database.write({ofOtherVersion}));
  EXPECT_EQ(*database.otherVersion(), "0.0");
  EXPECT_TRUE(database.write({rowOf(*isa::loadMachine("vta"), one, 10, 9), rowOf(other, two, 10, 9)}));
  EXPECT_EQ(*database.otherVersion(), "");
  EXPECT_TRUE(readPlans(database, machine)->streams.empty());
  EXPECT_EQ(readOtherPlans(database, machine)->streams, (std::vector<TunedStream>{old, two, one}));
}

/// A kernel as a search knows it.
ScheduledKernel kernelOf(const std::string &key, const std::string &section, const std::string &device) {
  return {{key, "", section}, {0}, {}, device};
}

tuning::SearchedKernel found(const ScheduledKernel &kernel, const std::string &text, double before,
                             double after) {
  return {"node", {kernel.entry.key, text, kernel.entry.section}, kernel.device, before, after};
}

const std::string line = "cuda.product f32 [1, 8, 8, 8] by threads", key = "products of f32 1 8 8 8";

/// Those of another device, of another section with the same key, and plans, are none of a kernel's.
TEST_F(TuneFile, SchedulesAreOfTheirKernelsAndDevices) {
  const ScheduledKernel kernel = kernelOf(key, "cuda.schedule", "architectures=sm_80\n"),
                        elsewhere = kernelOf(key, "cuda.schedule", "architectures=sm_90a\n"),
                        other = kernelOf(key, "cpu.schedule", "architectures=sm_80\n");
  TuneDatabase database = open();
  EXPECT_FALSE(*hasSchedules(database));
  EXPECT_TRUE(database.write({rowOf(machine, {{{key}, {TunedSchedule{1}}, 0}}, 10, 9)}));
  EXPECT_FALSE(*hasSchedules(database));
  EXPECT_TRUE(database.write({rowOf(found(elsewhere, line, 2, 1))}));
  EXPECT_TRUE(*hasSchedules(database));
  EXPECT_TRUE(readSchedules(database, {kernel, other})->empty());
  const std::vector<ScheduleEntry> expected = {{key, line, "cuda.schedule"}};
  EXPECT_EQ(*readOtherSchedules(database, {kernel, other}), expected);
  EXPECT_EQ(*readSchedules(database, {elsewhere}), expected);
}

/// The latest measurement stands, and what is slower than the compiler's own goes.
TEST_F(TuneFile, SchedulesAreReplacedByTheLatest) {
  const ScheduledKernel kernel = kernelOf(key, "cuda.schedule", "architectures=sm_80\n");
  const std::string later = "cuda.product f32 [1, 8, 8, 8] by fma tile [16, 16, 16] stages 3";
  TuneDatabase database = open();
  EXPECT_TRUE(database.write({rowOf(found(kernel, line, 2, 1))}));
  EXPECT_TRUE(database.write({rowOf(found(kernel, later, 2, 1.5))}));
  ASSERT_EQ(readSchedules(database, {kernel})->size(), 1u);
  EXPECT_EQ(readSchedules(database, {kernel})->front().text, later);
  tuning::SearchedKernel counted = found(kernel, line, 4e-6, 3e-6);
  counted.clock = tuning::Clock::None;
  EXPECT_TRUE(database.write({rowOf(counted)}));
  counted.entry.text = later, counted.after = 3.5e-6;
  EXPECT_TRUE(database.write({rowOf(counted)}));
  ASSERT_EQ(readSchedules(database, {kernel})->size(), 1u);
  EXPECT_EQ(readSchedules(database, {kernel})->front().text, later);
  EXPECT_EQ(database.rows("cuda.schedule")->front().after, 3500);
  EXPECT_TRUE(database.write({rowOf(found(kernel, "", 2, 2))}));
  EXPECT_TRUE(readSchedules(database, {kernel})->empty());
}

TEST_F(TuneFile, SchedulesThatCannotBeReadAreRefused) {
  const ScheduledKernel kernel = kernelOf(key, "cuda.schedule", "architectures=sm_80\n");
  TuneDatabase database = open();
  EXPECT_TRUE(database.write({rowOf(found(kernel, "cuda.product by wish", 2, 1))}));
  const auto read = readSchedules(database, {kernel});
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().find("that cannot be read"), std::string::npos) << read.error();
  const ScheduledKernel elsewhere = kernelOf(key, "cuda.schedule", "architectures=sm_90a\n");
  EXPECT_TRUE(readOtherSchedules(database, {elsewhere})->empty());
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
