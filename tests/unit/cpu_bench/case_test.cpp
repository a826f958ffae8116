// The list of cases: names, shapes and what they compute and move.

#include "Tuning/Case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace daedalus::tuning {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

CpuCase named(const std::string &label) {
  for (const CpuCase &c : cpuCases())
    if (c.label() == label)
      return c;
  ADD_FAILURE() << "there is no case " << label;
  return {};
}

TEST(Cases, HaveNamesOfTheirOwn) {
  std::set<std::string> labels;
  for (const CpuCase &c : cpuCases())
    EXPECT_TRUE(labels.insert(c.label()).second) << c.label();
  EXPECT_EQ(labels.size(), 24u * 2 + 6 + 4);
}

TEST(Cases, ProductsAreThereInBothTypes) {
  std::multiset<std::string> floats, integers;
  for (const CpuCase &c : cpuCases())
    if (!c.isMemoryBound())
      (c.isInt8 ? integers : floats).insert(c.name());
  EXPECT_EQ(floats, integers);
}

TEST(Cases, ConvolutionsOfResNet18AreEachThereOnce) {
  uint64_t convolutions = 0, macs = 0;
  for (const CpuCase &c : cpuCases())
    if (c.kind == CaseKind::Conv && c.groups == 1 && !c.isInt8) {
      ++convolutions;
      macs += c.macs();
    }
  EXPECT_EQ(convolutions, 11u);
  EXPECT_EQ(macs, 118013952u + 4 * 115605504u + 3 * 57802752u + 3 * 6422528u);
  const CpuCase stem = named("conv7x7s2-3x224x224-64/float32");
  EXPECT_EQ(stem.macs(), 118013952u);
  EXPECT_THAT(stem.output().shape, ElementsAre(1, 64, 112, 112));
  EXPECT_THAT(stem.weights().shape, ElementsAre(64, 3, 7, 7));
  EXPECT_THAT(named("conv1x1s2-64x56x56-128/int8").output().shape, ElementsAre(1, 128, 28, 28));
  EXPECT_EQ(named("conv3x3-512x7x7-512/int8").macs(), uint64_t(7) * 7 * 512 * 512 * 9);
}

TEST(Cases, DepthwiseOnesHaveAGroupAChannel) {
  const CpuCase c = named("depthwise3x3s2-144x56x56/int8");
  EXPECT_EQ(c.groups, 144);
  EXPECT_THAT(c.weights().shape, ElementsAre(144, 1, 3, 3));
  EXPECT_THAT(c.output().shape, ElementsAre(1, 144, 28, 28));
  EXPECT_EQ(c.macs(), uint64_t(144) * 28 * 28 * 9);
}

TEST(Cases, WhatIsBoundByMemoryHasTensorsOf256MiB) {
  constexpr uint64_t bytes = uint64_t(256) << 20;
  for (const CpuCase &c : cpuCases())
    if (c.isMemoryBound()) {
      EXPECT_EQ(byteSize(c.input()), bytes) << c.label();
      EXPECT_EQ(c.macs(), 0u);
    }
  EXPECT_EQ(named("softmax-65536x1024/float32").movedBytes(), 2 * bytes);
  EXPECT_EQ(named("add-16x64x256x256/float32").movedBytes(), 3 * bytes);
  EXPECT_EQ(named("maxpool3x3s2-64x64x256x256/int8").movedBytes(), bytes + bytes / 4);
  EXPECT_EQ(named("globalaveragepool-16x64x256x256/float32").movedBytes(), bytes + 16 * 64 * 4);
}

TEST(Cases, AreChosenByARegularExpression) {
  const auto chosen = cpuCases("matmul-(256|512)x.*float32");
  ASSERT_TRUE(chosen);
  ASSERT_EQ(chosen->size(), 2u);
  EXPECT_EQ((*chosen)[1].label(), "matmul-512x512x512/float32");
  EXPECT_EQ(cpuCases("")->size(), cpuCases().size());
}

TEST(Cases, ARegularExpressionThatChoosesNoneIsRefused) {
  EXPECT_THAT(cpuCases("cubes").error(),
              HasSubstr("no case matches 'cubes'; the cases are matmul-256x256x256/float32, "));
  EXPECT_THAT(cpuCases("mat(mul").error(), HasSubstr("'mat(mul' is not a regular expression"));
}

} // namespace
} // namespace daedalus::tuning
