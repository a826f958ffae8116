// The database of a sweep: what is written is read, and what it refuses.
#include "Explore/Database.h"

#include <gmock/gmock.h>

#include <cstdio>
#include <fstream>
#include <unistd.h>

namespace daedalus::explore {
namespace {

using ::testing::HasSubstr;

class DatabaseTest : public ::testing::Test {
protected:
  void SetUp() override { remove(); }
  void TearDown() override { remove(); }
  void remove() const {
    for (const char *end : {"", "-wal", "-shm", "-journal"})
      std::remove((path + end).c_str());
  }
  Result<Database> open(bool resumes, const std::string &space = "keys") const {
    return Database::open(path, {{"space", space}}, resumes);
  }

  const std::string path = ::testing::TempDir() + "sweep" + std::to_string(getpid()) + ".db";
  const PointResult skipped{3, "default,n=17", "no such n", {}};
  const PointResult priced{
      5, "default,n=8", "", {{Cost{100, 90, 80, 70.5, 1}, ""}, {std::nullopt, "too large"}}};
};

TEST_F(DatabaseTest, HoldsWhatWasWritten) {
  {
    auto database = open(false);
    ASSERT_TRUE(database) << database.error();
    ASSERT_TRUE(database->write(priced));
    ASSERT_TRUE(database->write(skipped));
    ASSERT_TRUE(database->write(priced)) << "again";
  }
  auto database = open(true);
  ASSERT_TRUE(database) << database.error();
  EXPECT_EQ(*database->finished(), (std::set<uint64_t>{3, 5}));
  const auto points = database->read(2);
  ASSERT_TRUE(points) << points.error();
  ASSERT_EQ(points->size(), 2u);
  EXPECT_EQ((*points)[0].skipped, "no such n");
  EXPECT_TRUE((*points)[0].networks.empty());
  const PointResult &read = (*points)[1];
  EXPECT_EQ(read.machine, "default,n=8");
  EXPECT_EQ(read.networks[0].cost->cycles, 100u);
  EXPECT_EQ(read.networks[0].cost->boundCycles, 90u);
  EXPECT_EQ(read.networks[0].cost->dramBytes, 80u);
  EXPECT_EQ(read.networks[0].cost->picojoules, 70.5);
  EXPECT_EQ(read.networks[0].cost->hostLayers, 1u);
  EXPECT_FALSE(read.networks[1].cost);
  EXPECT_EQ(read.networks[1].refused, "too large");
}

TEST_F(DatabaseTest, GoesOnOnlyWithTheSameSweep) {
  ASSERT_TRUE(open(false));
  EXPECT_EQ(open(false).error(),
            "'" + path + "' already exists; continue its sweep with --resume, or name another file");
  EXPECT_EQ(open(true, "others").error(),
            "'" + path + "' holds a sweep with another space; give the same, or name another file");
}

TEST_F(DatabaseTest, IsOfOneProcessAtATime) {
  auto first = open(false);
  ASSERT_TRUE(first) << first.error();
  ASSERT_TRUE(first->write(skipped));
  EXPECT_EQ(open(true).error(), "'" + path + "' is open in another sweep; wait for it, or name another file");
}

TEST_F(DatabaseTest, OtherFilesAreRefused) {
  std::ofstream(path) << "not a database, but long enough to be looked at as one";
  EXPECT_EQ(open(true).error(), "'" + path + "' is not the database of a sweep; name another file");
  EXPECT_THAT(Database::open("/nowhere/sweep.db", {}, false).error(), HasSubstr("/nowhere/sweep.db"));
}

} // namespace
} // namespace daedalus::explore
