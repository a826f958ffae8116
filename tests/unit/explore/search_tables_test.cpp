// What a search finds of whole spaces, beside random and Sobol points of the same number. Prints a table.
#include "search_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace daedalus::explore {
namespace {

void compare(const std::string &name, const std::string &objectives) {
  const Table table(name, objectives);
  const uint64_t evaluations = table.values.size() / tablePart;
  Values searched, random, sobol, needed;
  for (int seed = 1; seed <= tableSeeds; ++seed) {
    const Points order = table.searched(evaluations, seed);
    EXPECT_EQ(order.size(), evaluations);
    searched.push_back(table.shareOf(order));
    needed.push_back(double(table.pointsTo99(order)));
    random.push_back(table.shareOf(table.random(evaluations, seed)));
    sobol.push_back(table.shareOf(table.sobol(evaluations, seed)));
  }
  std::printf("| %s | %zu | `%s` | %zu | %lu | %.2f%% | %.2f%% | %.2f%% | %.2f%% | %.0f |\n", name.c_str(),
              table.values.size(), objectives.c_str(), table.frontSize(), evaluations,
              100 * medianOf(searched), 100 * *std::min_element(searched.begin(), searched.end()),
              100 * medianOf(random), 100 * medianOf(sobol), medianOf(needed));
  std::fflush(stdout);
  EXPECT_GE(table.values.size(), 4000u);
  EXPECT_GE(medianOf(searched), 0.99) << "space " << name << ", " << objectives;
  EXPECT_GT(medianOf(searched), medianOf(random)) << "space " << name << ", " << objectives;
}

TEST(SearchTables, ReachTheFrontWithATwentiethOfTheEvaluations) {
  std::puts(
      "| space | machines | objectives | front | evaluations | search | its worst seed | random | Sobol | "
      "search at 99% |\n|---|---|---|---|---|---|---|---|---|---|");
  for (const auto &[space, objectives] : tableRows())
    compare(space, objectives);
}

} // namespace
} // namespace daedalus::explore
