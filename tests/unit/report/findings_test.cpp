// The sentences of a report, of profiles that no run had.

#include "Report/Html/HtmlReport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Two layers on the path, and a cycle of none.
Json profile() {
  Json first = {{"node", "stem"}, {"path_cycles", 300}, {"utilisation", 0.9}};
  first["path"] = {{"gemm", {{"busy", 299}}}, {"load", {{"memory", 1}}}};
  first["modules"] = {{"gemm", {{"busy", 290}, {"wait_load", 110}}}};
  Json second = {{"node", "pool"}, {"path_cycles", 699}};
  second["path"] = {{"vector", {{"busy", 600}}}, {"fetch", {{"queue_full", 99}}}};
  second["modules"] = {{"vector", {{"busy", 699}}}};
  return {{"cycles", 1000},
          {"layers", {first, second}},
          {"none", {{"path_cycles", 1}, {"path", {{"fetch", {{"idle", 1}}}}}, {"modules", Json::object()}}}};
}

TEST(Findings, NameTheLayerThePathAndTheLoss) {
  EXPECT_THAT(
      findings(profile()),
      ElementsAre(
          "pool decides 69.9% of the run, 699 cycles; VECTOR works in 85.8% of them.",
          "Of the cycles that decide the length of the run, VECTOR works in 60.0%, GEMM works in 29.9% and "
          "FETCH waits for room in a queue in 9.9%.",
          "The array loses most in stem: it does 90.0% of the products that fit into the 400 cycles that "
          "GEMM has for it."));
}

TEST(Findings, TakeTheLayerThatLosesMostProductsNotTheWorstShare) {
  Json both = profile();
  both["layers"][1]["utilisation"] = 0.1;
  both["layers"][1]["modules"]["gemm"] = {{"busy", 40}};
  EXPECT_THAT(findings(both)[2], testing::StartsWith("The array loses most in stem: ")); // 40 cycles, not 36
  both["layers"][1]["modules"]["gemm"]["busy"] = 50;
  EXPECT_THAT(findings(both)[2], testing::StartsWith("The array loses most in pool: it does 10.0% "));
}

TEST(Findings, AreFewerWhereThereIsNothingToSay) {
  Json vectors = profile();
  vectors["layers"][0].erase("utilisation");
  EXPECT_EQ(findings(vectors).size(), 2u);
  vectors["layers"] = Json::array();
  EXPECT_EQ(findings(vectors).size(), 1u);
  vectors["cycles"] = 0;
  EXPECT_THAT(findings(vectors), IsEmpty());
}

} // namespace
} // namespace daedalus::report
