// A search for the Pareto front of a grid with few evaluations.
//
// It begins with Sobol points. Then, generation by generation, Gaussian processes learn the objectives from
// all points so far; of the neighbours of the front and of further Sobol points, those are evaluated that are
// expected to add most to the front's hypervolume, each under the assumption that the ones before it do.
// Objectives that the machine alone decides are known beforehand.
#pragma once

#include "Explore/Hypervolume.h"
#include "Explore/Surrogate.h"
#include "daedalus/support/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace daedalus::explore {

/// What a search is told of its points, which are indices of a grid whose last axis changes first.
struct SearchGrid {
  std::vector<Surrogate::Axis> axes;
  size_t objectives = 0; ///< all to be small and above 0
  /// The objectives that are known without an evaluation, NaN for the others; nothing where there is no
  /// machine.
  std::function<std::optional<Values>(uint64_t point)> look;
  /// Evaluates new points; the objectives of all points so far that compare with each other.
  std::function<Result<std::map<uint64_t, Values>>(const std::vector<uint64_t> &points)> evaluate;
};

struct SearchLimits {
  uint64_t evaluations = 0;
  uint64_t seed = 1;
  Values reference; ///< points beyond it do not count; empty: all count
};

/// The points that were evaluated, in this order: as many as the limit, or all that there are. The same for
/// the same seed and answers, and a search of fewer evaluations is the beginning of one of more. Errors are
/// those of evaluate.
Result<std::vector<uint64_t>> search(const SearchGrid &grid, const SearchLimits &limits);

} // namespace daedalus::explore
