// See Sobol.h.
#include "Explore/Sobol.h"

#include <boost/random/sobol.hpp>

#include <algorithm>
#include <random>
#include <unordered_set>

namespace daedalus::explore {

using Engine = boost::random::sobol_engine<uint64_t, 64>;

struct SobolPoints::Sequence {
  Sequence(std::vector<uint64_t> counts, uint64_t seed)
      : counts(std::move(counts)), engine(this->counts.size()) {
    std::mt19937_64 random(seed);
    for (size_t axis = 0; axis < this->counts.size(); ++axis)
      shifts.push_back(random());
  }

  uint64_t next() {
    uint64_t point = 0;
    for (size_t axis = 0; axis < counts.size(); ++axis) {
      const uint64_t fraction = (engine() ^ shifts[axis]) >> 32; // in units of 2^-32
      point = point * counts[axis] + (fraction * counts[axis] >> 32);
    }
    return point;
  }

  std::vector<uint64_t> counts, shifts;
  Engine engine;
  std::unordered_set<uint64_t> seen;
};

SobolPoints::SobolPoints(std::vector<uint64_t> counts, uint64_t seed)
    : sequence(std::make_unique<Sequence>(std::move(counts), seed)) {}
SobolPoints::SobolPoints(SobolPoints &&) noexcept = default;
SobolPoints::~SobolPoints() = default;

std::vector<uint64_t> SobolPoints::take(uint64_t count, const std::function<bool(uint64_t)> &isWanted) {
  constexpr uint64_t patience = 1000;
  std::vector<uint64_t> points;
  for (uint64_t step = 0; points.size() < count && step < patience * count; ++step)
    if (const uint64_t point = sequence->next(); sequence->seen.insert(point).second && isWanted(point))
      points.push_back(point);
  return points;
}

} // namespace daedalus::explore
