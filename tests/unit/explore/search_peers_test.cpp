// pagmo's NSGA-II on the tables of whole spaces, with the evaluations that the search has. Prints a table.
//
// K. Deb et al., "A fast and elitist multiobjective genetic algorithm: NSGA-II", 2002. A point that is no
// machine costs nothing and is worse than all others; a point that comes again costs nothing.
#include "search_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <set>

namespace daedalus::explore {
namespace {

/// The grid as integer variables, as pagmo has it, of the axes that have more than one value.
struct GridProblem {
  const Table *table = nullptr;
  std::shared_ptr<Points> order = std::make_shared<Points>(); ///< machines, as they were asked for first
  std::shared_ptr<std::set<uint64_t>> isAsked = std::make_shared<std::set<uint64_t>>();

  pagmo::vector_double fitness(const pagmo::vector_double &levels) const {
    uint64_t point = 0;
    auto level = levels.begin();
    for (const uint64_t count : table->counts)
      point = point * count + (count > 1 ? static_cast<uint64_t>(*level++) : 0);
    const auto found = table->values.find(point);
    if (found == table->values.end())
      return pagmo::vector_double(get_nobj(), 1e9);
    if (isAsked->insert(point).second)
      order->push_back(point);
    pagmo::vector_double logarithms;
    for (const double value : found->second)
      logarithms.push_back(std::log(value));
    return logarithms;
  }
  std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
    pagmo::vector_double most;
    for (const uint64_t count : table->counts)
      if (count > 1)
        most.push_back(double(count - 1));
    return {pagmo::vector_double(most.size(), 0), most};
  }
  size_t get_nobj() const { return table->values.begin()->second.size(); }
  size_t get_nix() const { return get_bounds().second.size(); }
  template <class Archive> void serialize(Archive &, unsigned) {}
};

/// The first machines that NSGA-II asks for.
Points evolved(const Table &table, uint64_t evaluations, unsigned seed, unsigned size) {
  GridProblem grid;
  grid.table = &table;
  pagmo::population population(pagmo::problem(grid), size, seed);
  const double mutation = 1.0 / double(table.counts.size());
  for (unsigned generation = 0; grid.order->size() < evaluations && generation < 1000; ++generation)
    population =
        pagmo::algorithm(pagmo::nsga2(1, 0.95, 10, mutation, 10, seed + generation)).evolve(population);
  grid.order->resize(std::min<size_t>(evaluations, grid.order->size()));
  return *grid.order;
}

void compare(const std::string &name, const std::string &objectives) {
  const Table table(name, objectives);
  const uint64_t evaluations = table.values.size() / tablePart;
  std::printf("| %s | `%s` | %lu |", name.c_str(), objectives.c_str(), evaluations);
  for (const unsigned size : {20u, 40u, 100u}) {
    Values shares, needed;
    for (unsigned seed = 1; seed <= tableSeeds; ++seed) {
      const Points order = evolved(table, evaluations, seed, size);
      shares.push_back(table.shareOf(order));
      needed.push_back(double(table.pointsTo99(order)));
    }
    std::printf(" %.2f%% | %.0f |", 100 * medianOf(shares), medianOf(needed));
    EXPECT_GT(medianOf(shares), 0.5);
  }
  std::puts("");
  std::fflush(stdout);
}

TEST(SearchPeers, Nsga2) {
  std::puts(
      "| space | objectives | evaluations | population of 20 | at 99% | of 40 | at 99% | of 100 | at 99% |\n"
      "|---|---|---|---|---|---|---|---|---|");
  for (const auto &[space, objectives] : tableRows())
    compare(space, objectives);
}

} // namespace
} // namespace daedalus::explore
