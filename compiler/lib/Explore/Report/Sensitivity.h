// What a step up of each key costs and brings, from the results of a sweep alone.
#pragma once

#include "Explore/Front.h"
#include "Explore/Space.h"

#include <string>
#include <vector>

namespace daedalus::explore {

/// The pairs of compared points that differ in this key alone, by one step from a value to the next.
struct KeyChange {
  std::string key, from, to;   ///< `from` and `to` are empty where the pairs of all steps are taken together
  uint64_t pairs = 0;          ///< none: no such points were compared
  std::vector<double> changes; ///< by objective, the mean of (value behind - value before) / value before
};

/// For each of variedKeys(), all steps together and then one after the other. Keys that follow from others
/// follow.
std::vector<KeyChange> sensitivities(const std::vector<Ranked> &all, const std::vector<Space::Key> &keys);

} // namespace daedalus::explore
