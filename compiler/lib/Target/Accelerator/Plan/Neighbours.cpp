// See Neighbours.h.

#include "Plan/Neighbours.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace daedalus::accelerator {
namespace {

/// The schedules nearest to one in each direction, so many each.
class Nearest {
public:
  Nearest(const Schedule &at, size_t each) : at(at), each(each) {}

  void add(const Schedule &s) {
    const std::pair<int64_t, int64_t> sizes[] = {
        {s.oh, at.oh}, {s.ow, at.ow}, {s.oc, at.oc}, {s.ic * s.kh * s.kw, at.ic * at.kh * at.kw}};
    int direction = 0, larger = 0, smaller = 0;
    for (auto [size, here] : sizes) {
      direction = direction * 3 + (size > here ? 2 : size < here ? 1 : 0);
      larger += size > here, smaller += size < here;
    }
    const bool isOfOutput = direction % 3 == 0; ///< the reduction is cut as it was
    if (direction == 0 || larger + smaller > 2 || (isOfOutput && (larger > 1 || smaller > 1)))
      return;
    double distance = 0;
    for (auto [size, here] : sizes)
      distance += std::abs(std::log2(double(size) / here));
    insert(found[direction], {distance, s});
  }

  std::vector<Schedule> schedules() const {
    std::vector<Schedule> all;
    for (size_t place = 0; place < each; ++place)
      for (const auto &[direction, near] : found)
        if (place < near.size())
          all.push_back(near[place].schedule);
    return all;
  }

private:
  struct Near {
    double distance;
    Schedule schedule;
  };

  void insert(std::vector<Near> &near, const Near &one) const {
    if (llvm::any_of(near, [&](const Near &other) { return other.distance == one.distance; }))
      return; // the same tiles, or as good as those
    auto place =
        llvm::upper_bound(near, one, [](const Near &a, const Near &b) { return a.distance < b.distance; });
    near.insert(place, one);
    if (near.size() > each)
      near.pop_back();
  }

  const Schedule &at;
  const size_t each;
  std::map<int, std::vector<Near>> found; ///< by the signs of the steps
};

} // namespace

const std::vector<Schedule> &Neighbours::of(size_t call, const Schedule &schedule, size_t each, size_t size) {
  const auto [place, isNew] = known.try_emplace({call, each, size, schedule});
  if (isNew)
    place->second = find(call, schedule, each, size);
  return place->second;
}

void Neighbours::forgetBefore(size_t call) {
  known.erase(known.begin(), known.lower_bound({call, 0, 0, {}}));
}

std::vector<Schedule> Neighbours::find(size_t call, const Schedule &schedule, size_t each,
                                       size_t size) const {
  const Kernel &kernel = calls[call].kernel;
  const RankedSchedules &ranked = schedules[call];
  std::vector<Schedule> all;
  const auto add = [&](Schedule s) {
    if (fitsShare(kernel, s, size, machine) && fits(kernel, s, machine))
      all.push_back(s);
  };
  if (kernel.diagonal)
    for (int64_t more : {-4, -2, -1, 1, 2, 4}) {
      Schedule s = schedule;
      s.vector += more;
      if (s.vector >= 0 && s.vector <= 16)
        add(s);
    }
  Nearest nearest(schedule, each);
  for (size_t place = 0; place < ranked.size(); ++place)
    if (const Schedule s = ranked[place]; s.order == schedule.order && s.fold == schedule.fold &&
                                          bool(s.slide) == bool(schedule.slide) &&
                                          (!s.slide || fitsShare(kernel, s, size, machine)))
      nearest.add(s);
  for (Schedule s : nearest.schedules()) {
    s.vector = schedule.vector;
    add(narrowed(kernel, s, size, machine));
  }
  return all;
}

} // namespace daedalus::accelerator
