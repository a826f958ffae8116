// See Hypervolume.h.
#include "Explore/Hypervolume.h"

#include <algorithm>

namespace daedalus::explore {
namespace {

/// Of points inside the reference, by their first `objectives` values.
double volume(std::vector<Values> points, size_t objectives, const Values &reference) {
  const size_t last = objectives - 1;
  std::sort(points.begin(), points.end(),
            [&](const Values &a, const Values &b) { return a[last] < b[last]; });
  if (objectives == 1)
    return points.empty() ? 0 : reference[0] - points[0][0];
  double sum = 0, best = reference[0];
  std::vector<Values> slice;
  for (size_t i = 0; i < points.size(); ++i) {
    const double above = i + 1 < points.size() ? points[i + 1][last] : reference[last];
    const double thickness = above - points[i][last];
    if (objectives == 2) {
      best = std::min(best, points[i][0]);
      sum += (reference[0] - best) * thickness;
      continue;
    }
    slice.push_back(points[i]);
    if (thickness > 0)
      sum += volume(slice, last, reference) * thickness;
  }
  return sum;
}

bool isInside(const Values &point, const Values &reference) {
  return std::equal(point.begin(), point.end(), reference.begin(), std::less<>());
}

} // namespace

bool dominates(const Values &a, const Values &b) {
  return std::equal(a.begin(), a.end(), b.begin(), std::less_equal<>()) && a != b;
}

std::vector<Values> frontOf(std::vector<Values> points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  std::vector<Values> front; // what dominates a point stands before it
  for (Values &point : points)
    if (std::none_of(front.begin(), front.end(),
                     [&](const Values &other) { return dominates(other, point); }))
      front.push_back(std::move(point));
  return front;
}

double hypervolume(const std::vector<Values> &points, const Values &reference) {
  std::vector<Values> inside;
  std::copy_if(points.begin(), points.end(), std::back_inserter(inside),
               [&](const Values &point) { return isInside(point, reference); });
  return volume(frontOf(std::move(inside)), reference.size(), reference);
}

double hypervolumeGain(const std::vector<Values> &points, const Values &added, const Values &reference) {
  const auto covers = [&](const Values &point) {
    return std::equal(point.begin(), point.end(), added.begin(), std::less_equal<>());
  };
  if (!isInside(added, reference) || std::any_of(points.begin(), points.end(), covers))
    return 0;
  double box = 1;
  for (size_t i = 0; i < reference.size(); ++i)
    box *= reference[i] - added[i];
  std::vector<Values> covered; // what the others dominate of the box
  for (const Values &point : points) {
    Values corner = point;
    for (size_t i = 0; i < corner.size(); ++i)
      corner[i] = std::max(corner[i], added[i]);
    covered.push_back(std::move(corner));
  }
  return std::max(0.0, box - hypervolume(covered, reference));
}

} // namespace daedalus::explore
