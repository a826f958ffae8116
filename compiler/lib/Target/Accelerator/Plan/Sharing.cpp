// See Sharing.h.

#include "Plan/Sharing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <map>

namespace daedalus::accelerator {
namespace {

constexpr size_t MostTogether[] = {0, 0, 8, 4}; ///< schedules tried for a call, by group size

/// The part of the scratchpads that a tile of one of `size` calls may take: of a window that slides more than
/// its part of INP, as the pixels at the borders of its tiles are loaded again, and others need less.
bool fitsShare(const Kernel &kernel, const Schedule &s, size_t size, const isa::Machine &machine) {
  const TileShape t = inputTile(kernel, s);
  const int64_t parts = s.slide ? int64_t(size) + 1 : int64_t(2 * size);
  return t.size() <= machine.rows(isa::Scope::Inp) / parts &&
         s.oh * s.ow * s.oc <= machine.rows(isa::Scope::Acc) / 4;
}

/// A window without weights in steps that fit the share: as many passes over a few rows of ACC.
Schedule narrowed(const Kernel &kernel, Schedule s, size_t size, const isa::Machine &machine) {
  if (kernel.combiner && !kernel.isWeighted())
    while (s.kh * s.kw > 1 && !fitsShare(kernel, s, size, machine)) {
      int64_t &extent = s.kh > 1 ? s.kh : s.kw;
      extent = llvm::divideCeil(extent, 2);
    }
  return s;
}

/// None, half or all on VECTOR.
int64_t shareOf(const Schedule &s) {
  return llvm::divideCeil(s.vector, 8);
}

/// The schedules nearest to one in each direction, two each.
class Nearest {
public:
  explicit Nearest(const Schedule &at) : at(at) {}

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
    for (size_t place = 0; place < MostEach; ++place)
      for (const auto &[direction, near] : found)
        if (place < near.size())
          all.push_back(near[place].schedule);
    return all;
  }

private:
  static constexpr size_t MostEach = 2;
  struct Near {
    double distance;
    Schedule schedule;
  };

  static void insert(std::vector<Near> &near, const Near &one) {
    if (llvm::any_of(near, [&](const Near &other) { return other.distance == one.distance; }))
      return; // the same tiles, or as good as those
    auto place =
        llvm::upper_bound(near, one, [](const Near &a, const Near &b) { return a.distance < b.distance; });
    near.insert(place, one);
    if (near.size() > MostEach)
      near.pop_back();
  }

  const Schedule &at;
  std::map<int, std::vector<Near>> found; ///< by the signs of the steps
};

} // namespace

std::vector<Schedule> sharing(const KernelCall &call, const RankedSchedules &ranked, dae::Order order,
                              size_t size, const isa::Machine &machine) {
  const Kernel &kernel = call.kernel;
  const bool byRows = order == dae::Order::Pixels;
  const size_t most = MostTogether[size] * (kernel.diagonal ? 2 : 1);
  const auto bandOf = [&](const Schedule &s) { return !byRows ? s.oc : kernel.window.oh > 1 ? s.oh : s.ow; };
  std::vector<Schedule> chosen;
  for (size_t place = 0; place < ranked.size() && chosen.size() < most; ++place) {
    const Schedule s = byRows ? ranked[place] : narrowed(kernel, ranked[place], size, machine);
    const bool isOfOrder =
        byRows ? s.order == order : isByChannels(kernel, s) && s.oc * machine.n < kernel.window.oc;
    const bool isKnown = llvm::any_of(chosen, [&](const Schedule &other) {
      return bandOf(other) == bandOf(s) && shareOf(other) == shareOf(s);
    });
    if (isOfOrder && !isKnown && fitsShare(kernel, s, size, machine))
      chosen.push_back(s);
  }
  return chosen;
}

std::vector<Schedule> neighbours(const KernelCall &call, const RankedSchedules &ranked,
                                 const Schedule &schedule, size_t size, const isa::Machine &machine) {
  std::vector<Schedule> all;
  const auto add = [&](Schedule s) {
    if (fitsShare(call.kernel, s, size, machine) && fits(call.kernel, s, machine))
      all.push_back(s);
  };
  if (call.kernel.diagonal)
    for (int64_t more : {-4, -2, -1, 1, 2, 4}) {
      Schedule s = schedule;
      s.vector += more;
      if (s.vector >= 0 && s.vector <= 16)
        add(s);
    }
  Nearest nearest(schedule);
  for (size_t place = 0; place < ranked.size(); ++place)
    if (const Schedule s = ranked[place]; s.order == schedule.order && s.fold == schedule.fold &&
                                          bool(s.slide) == bool(schedule.slide) &&
                                          (!s.slide || fitsShare(call.kernel, s, size, machine)))
      nearest.add(s);
  for (Schedule s : nearest.schedules()) {
    s.vector = schedule.vector;
    add(narrowed(call.kernel, s, size, machine));
  }
  return all;
}

} // namespace daedalus::accelerator
