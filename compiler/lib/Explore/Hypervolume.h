// The hypervolume of a front: how much of the space below a reference point its points dominate. All
// objectives are to be small.
//
// E. Zitzler and L. Thiele, "Multiobjective optimization using evolutionary algorithms - a comparative case
// study", 1998; here by slices along the last objective.
#pragma once

#include <cstddef>
#include <vector>

namespace daedalus::explore {

using Values = std::vector<double>; ///< by objective

/// At least as good in all objectives and better in one.
bool dominates(const Values &a, const Values &b);

/// Those that no other dominates, each value once, in lexicographic order.
std::vector<Values> frontOf(std::vector<Values> points);

/// Points beyond the reference in an objective do not count. Takes n^2 log n steps of n points for three
/// objectives, n times more for each further one.
double hypervolume(const std::vector<Values> &points, const Values &reference);

/// By how much the hypervolume of `points` grows with `added`.
double hypervolumeGain(const std::vector<Values> &points, const Values &added, const Values &reference);

} // namespace daedalus::explore
