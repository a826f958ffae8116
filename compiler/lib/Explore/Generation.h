// Which points a search evaluates next: those that are expected to add most to the hypervolume of the front.
#pragma once

#include "Explore/Hypervolume.h"

#include <cstdint>
#include <vector>

namespace daedalus::explore {

/// A point that has not been evaluated. Its objectives are logarithms.
struct Candidate {
  uint64_t point = 0;
  Values mean, deviation;

  /// So many deviations better than expected.
  Values hoped(double optimism) const;
};

/// Up to `count` candidates, three quarters of them with little optimism, the rest with much. Each is chosen
/// as if those before it had turned out as hoped. Points beyond `reference` add nothing.
std::vector<uint64_t> nextGeneration(const std::vector<Candidate> &candidates, std::vector<Values> front,
                                     const Values &reference, size_t count);

} // namespace daedalus::explore
