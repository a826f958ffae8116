// Small cases, from their ONNX model to what they compute: by definition, and by the kernel that is measured.

#include "Definition.h"
#include "OurKernel.h"
#include "Peer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <tuple>

namespace daedalus::cli {
namespace {

CpuCase small(CaseKind kind, bool isInt8) {
  CpuCase c;
  c.kind = kind;
  c.isInt8 = isInt8;
  if (kind == CaseKind::MatMul || kind == CaseKind::Softmax || kind == CaseKind::LayerNorm) {
    c.m = 5;
    c.n = 24;
    c.k = kind == CaseKind::MatMul ? 40 : 0;
    return c;
  }
  c.batch = 2;
  c.channels = c.outputs = 8;
  c.height = 9;
  c.width = 9;
  if (kind == CaseKind::Conv || kind == CaseKind::MaxPool) {
    c.kernel = 3;
    c.stride = 2;
    c.pad = 1;
  }
  if (kind == CaseKind::Conv)
    c.outputs = 12;
  if (kind == CaseKind::AveragePool)
    c.kernel = c.stride = 2;
  if (kind == CaseKind::GlobalAveragePool)
    c.kernel = 9;
  return c;
}

double numberAt(const CpuCase &c, const std::vector<uint8_t> &bytes, uint64_t index) {
  if (c.isInt8)
    return static_cast<int8_t>(bytes[index]);
  float value;
  std::memcpy(&value, &bytes[index * sizeof value], sizeof value);
  return value;
}

void expectDefinition(const CpuCase &c, uint64_t rounds) {
  const CaseData data = caseData(c);
  auto kernel = OurKernel::create(c, data, 1, "native");
  ASSERT_TRUE(kernel) << kernel.error();
  const auto seconds = (*kernel)->seconds(rounds);
  ASSERT_TRUE(seconds) << seconds.error();
  EXPECT_GT(*seconds, 0);
  EXPECT_GE((*kernel)->steps(), 1u);
  ASSERT_EQ((*kernel)->output().size(), byteSize(c.output()));
  for (uint64_t i = 0; i < elementCount(c.output()); ++i)
    ASSERT_NEAR(numberAt(c, (*kernel)->output(), i), expectedAt(c, data, i), c.isInt8 ? 0.51 : 1e-4)
        << c.label() << " at " << i;
}

class Kinds : public testing::TestWithParam<std::tuple<CaseKind, bool>> {};

TEST_P(Kinds, ComputeWhatTheyAreDefinedToCompute) {
  const auto [kind, isInt8] = GetParam();
  expectDefinition(small(kind, isInt8), 3);
}

INSTANTIATE_TEST_SUITE_P(Float, Kinds,
                         testing::Combine(testing::Values(CaseKind::MatMul, CaseKind::Conv, CaseKind::Softmax,
                                                          CaseKind::LayerNorm, CaseKind::Add,
                                                          CaseKind::MaxPool, CaseKind::AveragePool,
                                                          CaseKind::GlobalAveragePool),
                                          testing::Values(false)));
INSTANTIATE_TEST_SUITE_P(Int8, Kinds,
                         testing::Combine(testing::Values(CaseKind::MatMul, CaseKind::Conv, CaseKind::Add,
                                                          CaseKind::MaxPool, CaseKind::AveragePool,
                                                          CaseKind::GlobalAveragePool),
                                          testing::Values(true)));

TEST(Depthwise, IsComputedByGroups) {
  for (bool isInt8 : {false, true}) {
    CpuCase c = small(CaseKind::Conv, isInt8);
    c.outputs = c.groups = c.channels;
    expectDefinition(c, 1);
  }
}

/// Whoever is there: without the libraries, this tests nothing but that their absence is said.
TEST(Libraries, ComputeTheSame) {
  for (CaseKind kind : {CaseKind::MatMul, CaseKind::Conv})
    for (bool isInt8 : {false, true}) {
      const CpuCase c = small(kind, isInt8);
      const CaseData data = caseData(c);
      const Peers peers = openPeers(c, data, {});
      EXPECT_FALSE(peers.present.empty() && peers.absent.empty());
      for (const auto &peer : peers.present) {
        ASSERT_TRUE(peer->seconds(2));
        const std::vector<float> result = peer->result();
        ASSERT_EQ(result.size(), elementCount(c.output()));
        for (uint64_t i = 0; i < result.size(); ++i)
          ASSERT_NEAR(result[i], expectedAt(c, data, i), isInt8 ? 0.51 : 1e-4)
              << peer->name() << " " << peer->implementation() << ", " << c.label() << " at " << i;
      }
    }
}

TEST(Copies, MoveHalfOfWhatTheCaseMoves) {
  const CpuCase c = small(CaseKind::Add, false);
  const Peers peers = openPeers(c, caseData(c), {});
  ASSERT_EQ(peers.present.size(), 1u);
  EXPECT_EQ(peers.present[0]->implementation(), "memcpy of 7776 bytes"); // 3 tensors of 5184
  EXPECT_TRUE(peers.present[0]->seconds(3));
}

} // namespace
} // namespace daedalus::cli
