// Seeded random tensor programs (random_program.h), compiled for three machines in turn exactly as the
// command does, run by the runtime on functional, some of them on systemc and some compiled for the CPU:
// identical bytes to a plain interpreter's. What reaches the accelerator is counted. A failure prints its
// seed and program. DAEDALUS_RANDOM_PROGRAMS=FIRST:COUNT runs other seeds than the suite's 0:500.
#include "instruction_census.h"
#include "program_runner.h"
#include "random_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace daedalus::testing {
namespace {

constexpr const char *machines[] = {"default", "vta,inp_interleave=1", "tiny,inp_interleave=1"};
constexpr unsigned atLeast = 5; // programs, of 500 and more, that use each of what follows

/// What programs can reach of the accelerator beside each form of its instructions: how operands lie, and
/// transformations.
const std::vector<std::string> reachable = {
    "vector mac of an immediate",
    "vector shl by rows",
    "vector shr by rows",
    "read in another order",
    "read that repeats",
    "read with gaps",
    "read backwards",
    "fold columns",
    "fold window",
    "diagonal weights",
    "lanes on VECTOR",
    "split over GEMM and VECTOR",
    "ramp",
    "order by channels",
    "interleaved tiles",
    "joined epilogue",
    "handed over in INP",
};

/// Why a program may be refused.
const std::vector<std::string> refusals = {};

struct Seeds {
  unsigned long long first = 0, count = 700;
};

Seeds seeds() {
  Seeds result;
  if (const char *wanted = std::getenv("DAEDALUS_RANDOM_PROGRAMS"))
    std::sscanf(wanted, "%llu:%llu", &result.first, &result.count);
  return result;
}

class RandomPrograms : public ::testing::Test {
protected:
  void run(uint64_t seed) {
    const std::string text = randomProgram(seed), machine = machines[seed % 3];
    SCOPED_TRACE("seed " + std::to_string(seed) + ", machine " + machine + "\n" + text);
    const TemporaryProgram file(text);
    const auto compiled = compileProgram(file.path, machine);
    if (!compiled)
      return isExpected(compiled.error());
    InterpretedProgram program(text, seed);
    ASSERT_TRUE(program.parses());
    EXPECT_EQ(program.difference(compiled->package, "functional"), "");
    if (seed % 4 == 0) {
      EXPECT_EQ(program.difference(compiled->package, "systemc"), "");
    }
    if (seed % 4 == 2) {
      const auto onCpu = compileProgram(file.path, machine, "cpu");
      ASSERT_TRUE(onCpu) << onCpu.error();
      EXPECT_EQ(program.difference(onCpu->package, "functional"), "");
    }
    const std::set<std::string> features = featuresOf(compiled->package);
    accelerated += !features.empty();
    for (const std::string &feature : features)
      ++counts[feature];
  }

  void isExpected(const std::string &error) {
    ++refused;
    for (const std::string &refusal : refusals)
      if (error.find(refusal) != std::string::npos)
        return;
    ADD_FAILURE() << error;
  }

  std::map<std::string, unsigned> counts;
  unsigned accelerated = 0, refused = 0;
};

TEST_F(RandomPrograms, SameBytesWhereverTheyArePlaced) {
  const auto [first, count] = seeds();
  for (uint64_t seed = first; seed < first + count && !HasFailure(); ++seed)
    run(seed);
  std::printf("%u of %llu programs have work on the accelerator, %u were refused\n", accelerated, count,
              refused);
  for (const auto &[feature, number] : counts)
    std::printf("%6u %s\n", number, feature.c_str());
  EXPECT_GE(accelerated * 5, count * 2);
  EXPECT_LE(refused * 20, count);
  std::vector<std::string> all = instructionFeatures();
  all.insert(all.end(), reachable.begin(), reachable.end());
  for (const std::string &feature : all)
    EXPECT_GE(counts[feature] * 500, atLeast * std::min<uint64_t>(count, 500)) << feature;
}

/// 1356: a padded tile on the CPU is as large as a concatenation beside it. 2011: two channels of one pixel
/// of a product are two pixels of a part of a concatenation.
TEST_F(RandomPrograms, ThatFailedOnce) {
  run(1356);
  run(2011);
}

} // namespace
} // namespace daedalus::testing
