// See Generation.h.
#include "Explore/Generation.h"

#include <queue>
#include <set>

namespace daedalus::explore {
namespace {

constexpr double littleOptimism = 1, muchOptimism = 8, mostOptimism = 64;

class Chooser {
public:
  Chooser(const std::vector<Candidate> &candidates, std::vector<Values> front, const Values &reference)
      : candidates(candidates), front(std::move(front)), reference(reference) {}

  /// Until there are `count` points. Gains only shrink while points are chosen, so that a candidate whose
  /// gain is up to date and the largest is the best one.
  void choose(double optimism, size_t count) {
    queue = {};
    for (const Candidate &candidate : candidates)
      if (!isChosen.count(candidate.point))
        push(candidate.point, candidate.hoped(optimism));
    while (points.size() < count && !queue.empty()) {
      Entry best = queue.top();
      queue.pop();
      if (best.chosenBefore < points.size()) {
        push(best.point, std::move(best.hoped));
        continue;
      }
      points.push_back(best.point);
      isChosen.insert(best.point);
      front.push_back(std::move(best.hoped));
    }
  }

  std::vector<uint64_t> points;

private:
  struct Entry {
    double gain;
    uint64_t point;
    Values hoped;
    size_t chosenBefore; ///< points, when the gain was computed

    bool operator<(const Entry &other) const {
      return gain < other.gain || (gain == other.gain && point > other.point);
    }
  };

  void push(uint64_t point, Values hoped) {
    if (const double gain = hypervolumeGain(front, hoped, reference); gain > 0)
      queue.push({gain, point, std::move(hoped), points.size()});
  }

  const std::vector<Candidate> &candidates;
  std::vector<Values> front;
  const Values &reference;
  std::priority_queue<Entry> queue;
  std::set<uint64_t> isChosen;
};

} // namespace

Values Candidate::hoped(double optimism) const {
  Values hoped = mean;
  for (size_t i = 0; i < hoped.size(); ++i)
    hoped[i] -= optimism * deviation[i];
  return hoped;
}

std::vector<uint64_t> nextGeneration(const std::vector<Candidate> &candidates, std::vector<Values> front,
                                     const Values &reference, size_t count) {
  Chooser chooser(candidates, std::move(front), reference);
  chooser.choose(littleOptimism, count - count / 4);
  for (double optimism = muchOptimism; chooser.points.size() < count && optimism <= mostOptimism;
       optimism *= 2)
    chooser.choose(optimism, count);
  return std::move(chooser.points);
}

} // namespace daedalus::explore
