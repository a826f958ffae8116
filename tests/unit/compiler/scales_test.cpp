// tosa.apply_scale against the text of its specification: which scales are requantizations, value by value at
// the ends of every range, and what the CPU makes of those that are none.

#include "daedalus/Dialect/Qnn/Transforms/RaiseScales.h"
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/isa/semantics.h"
#include "daedalus/runtime/session.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <set>

#include <unistd.h>

namespace daedalus {
namespace {

/// TOSA 0.60, apply_scale_32, before its result is cut to 32 bits.
int64_t applyScale(int64_t value, int64_t multiplier, int64_t shift, bool doubleRound = false) {
  int64_t round = int64_t(1) << (shift - 1);
  if (doubleRound && shift > 31) {
    if (value >= 0)
      round += int64_t(1) << 30;
    else
      round -= int64_t(1) << 30;
  }
  return (value * multiplier + round) >> shift;
}

int32_t cut(int64_t value) {
  return static_cast<int32_t>(static_cast<uint32_t>(value));
}

/// What a body in 32 bits computes: scale, zero point, clamp.
int inBody(int64_t value, int64_t multiplier, int64_t shift, int zeroPoint, int lo, int hi) {
  const int32_t moved = isa::wrapAdd(cut(applyScale(value, multiplier, shift)), zeroPoint);
  return std::min(std::max(moved, lo), hi);
}

int requantized(int64_t value, int64_t multiplier, int64_t shift, int zeroPoint, int lo, int hi) {
  return isa::requantize(static_cast<int32_t>(value), 0, static_cast<int32_t>(multiplier),
                         static_cast<int>(shift), zeroPoint, lo, hi, isa::Rounding::HalfUp);
}

/// Powers of two, their neighbours, and both ends, within int32.
std::vector<int64_t> edges(int64_t least) {
  std::set<int64_t> values = {least, INT32_MAX, INT32_MAX - 1};
  for (int bit = 0; bit < 32; ++bit)
    for (int64_t near : {-1, 0, 1})
      for (int64_t sign : {-1, 1})
        if (const int64_t value = sign * (int64_t(1) << bit) + near; value >= least && value <= INT32_MAX)
          values.insert(value);
  return {values.begin(), values.end()};
}

TEST(Scales, AreRequantizationsWhereNothingIsCut) {
  uint64_t equal = 0, cutOff = 0;
  for (int64_t multiplier : edges(0))
    for (int64_t shift = 1; shift <= 62; ++shift)
      for (int zeroPoint : {-128, -1, 0, 1, 127}) {
        // Each range ends at this value, so the answer is wrong where this value alone differs.
        for (int64_t value : edges(INT32_MIN)) {
          const bool raises = qnn::isRequantization(
              {std::min<int64_t>(value, 0), std::max<int64_t>(value, 0), multiplier, shift}, zeroPoint);
          const bool same = inBody(value, multiplier, shift, zeroPoint, -128, 127) ==
                            requantized(value, multiplier, shift, zeroPoint, -128, 127);
          ASSERT_TRUE(same || !raises)
              << value << " * " << multiplier << " >> " << shift << " + " << zeroPoint;
          equal += raises, cutOff += !raises;
        }
      }
  EXPECT_GT(equal, 1000000u);
  EXPECT_GT(cutOff, 100000u);
}

TEST(Scales, OfAllNumbersAreRequantizationsFromAShiftOf32) {
  for (int64_t multiplier : edges(0))
    for (int64_t shift = 1; shift <= 62; ++shift) {
      const bool all = qnn::isRequantization({INT32_MIN, INT32_MAX, multiplier, shift}, 127);
      EXPECT_TRUE(all || shift < 32) << multiplier << " >> " << shift;
      for (int64_t value : edges(INT32_MIN))
        if (all) {
          ASSERT_EQ(inBody(value, multiplier, shift, 127, -5, 100),
                    requantized(value, multiplier, shift, 127, -5, 100));
        }
    }
}

TEST(Scales, EveryValueOfARangeIsCoveredByItsEnds) {
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 300; ++trial) {
    const int64_t low = static_cast<int32_t>(random()), high = std::min<int64_t>(low + 4000, INT32_MAX);
    const int64_t multiplier = random() >> (33 + random() % 20), shift = 1 + random() % 40;
    const int zeroPoint = static_cast<int8_t>(random());
    if (!qnn::isRequantization({low, high, multiplier, shift}, zeroPoint))
      continue;
    for (int64_t value = low; value <= high; ++value)
      ASSERT_EQ(inBody(value, multiplier, shift, zeroPoint, -128, 127),
                requantized(value, multiplier, shift, zeroPoint, -128, 127));
  }
}

TEST(Scales, OutOfTheirRangesAreNone) {
  EXPECT_TRUE(qnn::isRequantization({-4, 4, 3, 1}, 0));
  EXPECT_FALSE(qnn::isRequantization({-4, 4, -1, 1}, 0));
  EXPECT_FALSE(qnn::isRequantization({-4, 4, int64_t(1) << 31, 40}, 0));
  EXPECT_FALSE(qnn::isRequantization({-4, 4, 3, 0}, 0));
  EXPECT_FALSE(qnn::isRequantization({-4, 4, 3, 63}, 0));
  EXPECT_FALSE(qnn::isRequantization({-4, 4, 3, 5}, 128));
  EXPECT_FALSE(qnn::isRequantization({-4, 4, 3, 5}, -129));
  EXPECT_FALSE(qnn::isRequantization({-4, int64_t(1) << 31, 3, 5}, 0));
  EXPECT_FALSE(qnn::isRequantization({(-(int64_t(1) << 31)) - 1, 4, 3, 5}, 0));
}

/// Multipliers and shifts that come at run time, so that nothing is raised.
std::string programOf(bool doubleRound, size_t size) {
  const std::string n = std::to_string(size), wide = "tensor<" + n + "xi32>", bytes = "tensor<" + n + "xi8>";
  return "#id = affine_map<(d0) -> (d0)>\nfunc.func @main(%x: " + wide + ", %m: " + wide + ", %s: " + bytes +
         ") -> " + wide + " {\n%e = tensor.empty() : " + wide +
         "\n%y = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = [\"parallel\"]} "
         "ins(%x, %m, %s : " +
         wide + ", " + wide + ", " + bytes + ") outs(%e : " + wide +
         ") {\n^bb0(%a: i32, %b: i32, %c: i8, %o: i32):\n%v = tosa.apply_scale %a, %b, %c {double_round = " +
         (doubleRound ? "true" : "false") + "} : (i32, i32, i8) -> i32\nlinalg.yield %v : i32\n} -> " + wide +
         "\nreturn %y : " + wide + "\n}\n";
}

template <class T> runtime::Tensor tensorOf(const std::vector<int64_t> &values, package::DType dtype) {
  runtime::Tensor tensor{"", {dtype, {static_cast<int64_t>(values.size())}}, {}};
  for (int64_t value : values) {
    const T element = static_cast<T>(value);
    const auto *bytes = reinterpret_cast<const uint8_t *>(&element);
    tensor.data.insert(tensor.data.end(), bytes, bytes + sizeof element);
  }
  return tensor;
}

class ScalesOnTheCpu : public ::testing::TestWithParam<bool> {};

TEST_P(ScalesOnTheCpu, AreThoseOfTheSpecification) {
  std::vector<int64_t> values, multipliers, shifts;
  for (int64_t multiplier : edges(0))
    for (int64_t shift : {2, 15, 30, 31, 32, 33, 47, 62})
      for (int64_t value : edges(INT32_MIN))
        if (value >= -(int64_t(1) << (shift - 1)) &&
            value < (int64_t(1) << (shift - 1))) // else it has no meaning
          values.push_back(value), multipliers.push_back(multiplier), shifts.push_back(shift);
  const std::string path = ::testing::TempDir() + "daedalus_scales_" + std::to_string(getpid()) + ".mlir";
  std::ofstream(path) << programOf(GetParam(), values.size());
  CompileOptions options;
  auto compiled = compileModel(path, options);
  std::remove(path.c_str());
  ASSERT_TRUE(compiled) << compiled.error();
  auto session = runtime::Session::create(compiled->package, {});
  ASSERT_TRUE(session) << session.error();
  auto result = (*session)->run(0, {tensorOf<int32_t>(values, package::DType::I32),
                                    tensorOf<int32_t>(multipliers, package::DType::I32),
                                    tensorOf<int8_t>(shifts, package::DType::I8)});
  ASSERT_TRUE(result) << result.error();
  for (size_t k = 0; k < values.size(); ++k) {
    int32_t found = 0;
    std::memcpy(&found, result->outputs[0].data.data() + 4 * k, sizeof found);
    ASSERT_EQ(found, applyScale(values[k], multipliers[k], shifts[k], GetParam()))
        << values[k] << " * " << multipliers[k] << " >> " << shifts[k];
  }
}

INSTANTIATE_TEST_SUITE_P(Rounding, ScalesOnTheCpu, ::testing::Bool(),
                         [](const auto &info) { return info.param ? "Twice" : "Once"; });

} // namespace
} // namespace daedalus
