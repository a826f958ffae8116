// The table, its means and its JSON, of rows that were never measured.

#include "Row.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Timing timing(double seconds) {
  Timing result;
  result.samples = {seconds, seconds, seconds, seconds, seconds};
  result.batch = 3;
  result.mostProcessors = result.leastProcessors = 1;
  return result;
}

CpuRow row(const std::string &label, double ours, std::vector<double> peers) {
  CpuRow result;
  result.c = cpuCases("^" + label + "$")->front();
  result.ours = timing(ours);
  const char *names[] = {"oneDNN", "OpenBLAS"};
  for (size_t i = 0; i < peers.size(); ++i)
    result.peers.push_back({names[i], "kernel " + std::to_string(i), timing(peers[i])});
  return result;
}

CpuHeader header() {
  return {"Processor X", 1, 5, {"oneDNN 2.6.3"}};
}

TEST(Rows, AreComparedWithTheFastestPeer) {
  const CpuRow both = row("matmul-256x256x256/float32", 0.002, {0.003, 0.001});
  EXPECT_EQ(both.peer()->name, "OpenBLAS");
  EXPECT_DOUBLE_EQ(*both.ratio(), 0.5);
  const CpuRow alone = row("matmul-256x256x256/float32", 0.002, {});
  EXPECT_EQ(alone.peer(), nullptr);
  EXPECT_FALSE(alone.ratio());
}

TEST(Rows, RatesAreOfProductsOrOfBytes) {
  EXPECT_EQ(rateOf(cpuCases("matmul-1024x1024x1024/float32")->front(), 0.01), "107.4 GMAC/s");
  EXPECT_EQ(rateOf(cpuCases("softmax")->front(), 0.1), "5.4 GB/s");
}

TEST(Summaries, AreGeometricMeansOfEachGroup) {
  const std::vector<CpuRow> rows = {row("matmul-256x256x256/float32", 1, {2}),
                                    row("matmul-512x512x512/float32", 4, {2}),
                                    row("matmul-256x256x256/int8", 1, {0.25}),
                                    row("matmul-512x512x512/int8", 1, {}), row("softmax.*", 1, {0.9})};
  const std::vector<RatioSummary> summaries = summariesOf(rows);
  ASSERT_EQ(summaries.size(), 3u);
  EXPECT_EQ(summaries[0].group, "float32");
  EXPECT_DOUBLE_EQ(summaries[0].geometricMean, 1);
  EXPECT_DOUBLE_EQ(summaries[0].least, 0.5);
  EXPECT_EQ(summaries[0].leastCase, "matmul-512x512x512");
  EXPECT_EQ(summaries[1].group, "int8");
  EXPECT_EQ(summaries[1].count, 1u);
  EXPECT_EQ(summaries[2].group, "float32 against a copy");
}

TEST(Tables, NameTheProcessorTheUnitAndThePeers) {
  const std::string text = textOf(header(), {row("matmul-256x256x256/float32", 0.002, {0.001})});
  EXPECT_THAT(text, AllOf(HasSubstr("Processor X, 1 thread; microseconds of one run"),
                          HasSubstr("peer: oneDNN 2.6.3"), HasSubstr("matmul-256x256x256"),
                          HasSubstr("2000.0"), HasSubstr("1000.0"),
                          HasSubstr("smallest 0.500 (matmul-256x256x256)"), Not(HasSubstr("absent"))));
}

TEST(Tables, SayWhatIsAbsentOnceAndWhatFailedWithItsCase) {
  CpuRow alone = row("matmul-256x256x256/float32", 0.002, {}), failed = row("conv7x7s2.*int8", 1, {});
  alone.absent = failed.absent = {"libdnnl.so.2 is absent: install Debian's libdnnl2"};
  failed.ours = {};
  failed.problem = "it does not compile";
  const std::string text = textOf(header(), {alone, failed});
  EXPECT_EQ(text.find("libdnnl.so.2 is absent"), text.rfind("libdnnl.so.2 is absent"));
  EXPECT_THAT(text, AllOf(HasSubstr("libdnnl.so.2 is absent: install Debian's libdnnl2\n"),
                          HasSubstr("conv7x7s2-3x224x224-64/int8: it does not compile\n")));
}

TEST(Tables, SayWhereOtherWorkDisturbs) {
  CpuRow quiet = row("matmul-256x256x256/float32", 1, {1}), ours = quiet, peers = quiet;
  ours.ours.leastProcessors = 0.8;
  peers.peers[0].timing.leastProcessors = 0.8;
  EXPECT_THAT(textOf(header(), {quiet}), Not(HasSubstr("less than 90% of a processor")));
  EXPECT_THAT(textOf(header(), {quiet, ours, peers}),
              HasSubstr("2 of 3 cases had batches with less than 90%"));
}

TEST(JsonRows, HaveTheKeysThatScriptsRead) {
  const Json list = jsonOf(header(), {row("matmul-256x256x256/float32", 0.002, {0.001, 0.004})});
  ASSERT_EQ(list.size(), 1u);
  const Json &entry = list[0];
  EXPECT_EQ(entry["name"], "matmul-256x256x256");
  EXPECT_EQ(entry["dtype"], "float32");
  EXPECT_EQ(entry["threads"], 1);
  EXPECT_DOUBLE_EQ(entry["seconds"], 0.002);
  EXPECT_EQ(entry["peer"], "oneDNN");
  EXPECT_DOUBLE_EQ(entry["peer_seconds"], 0.001);
  EXPECT_DOUBLE_EQ(entry["ratio"], 0.5);
  EXPECT_EQ(entry["macs"], 16777216u);
  EXPECT_EQ(entry["peers"].size(), 2u);
  EXPECT_EQ(entry["peers"][1]["peer"], "OpenBLAS");
  EXPECT_EQ(entry["ours"]["batch"], 3);
}

TEST(JsonRows, HaveNullsForWhatIsNotThere) {
  CpuRow failed = row("matmul-256x256x256/int8", 1, {});
  failed.ours = {};
  failed.problem = "it does not compile";
  const Json list = jsonOf(header(), {failed});
  const Json &entry = list[0];
  for (const char *key : {"seconds", "peer", "peer_seconds", "ratio"})
    EXPECT_TRUE(entry[key].is_null()) << key;
  EXPECT_EQ(entry["problem"], "it does not compile");
}

} // namespace
} // namespace daedalus::cli
