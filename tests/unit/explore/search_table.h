// A whole space of machines that was enumerated (spaces/README.md), searched without simulation.
//
// A share is a hypervolume over that of the whole space's front, both of logarithms, below 1.1 times the
// worst value of that front in each objective.
#pragma once

#include "Explore/SearchSweep.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace daedalus::explore {

using Points = std::vector<uint64_t>;

/// Evaluations that are compared: of so many of the space's machines one, by so many seeds.
constexpr uint64_t tablePart = 20;
constexpr int tableSeeds = 10;

/// Spaces and objectives: two pairs, or with DAEDALUS_SEARCH_SPACES=all all of them.
std::vector<std::pair<std::string, std::string>> tableRows();

class Table {
public:
  /// Files of the name in spaces/, or in the folder of DAEDALUS_SEARCH_TABLES.
  Table(const std::string &name, const std::string &objectives);

  double shareOf(const Points &points) const;
  /// Points, in steps of 8, until the share is 99%; all of them where it never is.
  uint64_t pointsTo99(const Points &points) const;
  /// In the order of evaluation.
  Points searched(uint64_t evaluations, uint64_t seed) const;
  Points random(uint64_t evaluations, uint64_t seed) const;
  Points sobol(uint64_t evaluations, uint64_t seed) const;

  /// The objectives by machine; what is not in it is no machine.
  std::map<uint64_t, Values> values;
  std::vector<uint64_t> counts; ///< of values, by axis
  size_t frontSize() const { return front.size(); }

private:
  void add(const char *line, const Space &space, const std::vector<Objective> &objectives);

  std::map<uint64_t, Values> known; ///< NaN where it takes a run
  std::vector<Values> front;
  Values bound;
  double whole = 0;
};

double medianOf(Values numbers);

} // namespace daedalus::explore
