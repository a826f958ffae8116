// See SpanSpace.h.
#include "PlanSearch/SpanSpace.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace daedalus::plansearch {
namespace {

constexpr uint32_t Lags = 4;

using Sizes = std::array<int32_t, 12>;

Sizes sizesOf(const TunedSchedule &s) {
  return std::apply([](auto... values) { return Sizes{values...}; }, s.all());
}

/// All ways to cut `count` kernels into groups.
std::vector<std::vector<size_t>> shapesOf(size_t count) {
  if (count == 0)
    return {{}};
  std::vector<std::vector<size_t>> all;
  for (size_t first = 1; first <= std::min(count, accelerator::MostInGroup); ++first)
    for (std::vector<size_t> rest : shapesOf(count - first)) {
      rest.insert(rest.begin(), first);
      all.push_back(std::move(rest));
    }
  return all;
}

} // namespace

Schedules::Schedules(const StreamSpace::Kernel &kernel)
    : all(kernel.schedules), estimates(kernel.estimates) {}

uint32_t Schedules::indexOf(const TunedSchedule &schedule) {
  const auto found = std::find(all.begin(), all.end(), schedule);
  const auto index = static_cast<uint32_t>(found - all.begin());
  if (found == all.end()) {
    all.push_back(schedule);
    estimates.push_back(estimates.empty() ? 1 : estimates.front());
    neighbours.clear();
  }
  return index;
}

const std::vector<uint32_t> &Schedules::near(uint32_t index) {
  if (neighbours.empty())
    connect();
  return neighbours[index];
}

/// Of those that are alike but for one size, each with the next smaller and larger ones.
void Schedules::connect() {
  neighbours.resize(all.size());
  for (size_t size = 0; size < std::tuple_size<Sizes>::value; ++size) {
    std::map<Sizes, std::vector<std::pair<int32_t, uint32_t>>> alike;
    for (uint32_t i = 0; i < all.size(); ++i) {
      Sizes sizes = sizesOf(all[i]);
      const int32_t own = sizes[size];
      sizes[size] = 0;
      alike[sizes].emplace_back(own, i);
    }
    for (auto &[others, row] : alike) {
      std::sort(row.begin(), row.end());
      for (size_t i = 1; i < row.size(); ++i) {
        neighbours[row[i - 1].second].push_back(row[i].second);
        neighbours[row[i].second].push_back(row[i - 1].second);
      }
    }
  }
}

SpanSpace::SpanSpace(const TunedStream &groups, KnownSchedules &known, Expected expected)
    : expected(std::move(expected)) {
  for (const TunedGroup &group : groups)
    for (const std::string &key : group.kernels) {
      keys.push_back(key);
      schedules.push_back(known.at(key));
    }
  shapes = shapesOf(keys.size());
  described.starts = {pointOf(groups)};
  for (const std::shared_ptr<Schedules> &each : schedules)
    described.choices.push_back(static_cast<uint32_t>(each->size()));
  described.choices.push_back(static_cast<uint32_t>(shapes.size()));
  described.choices.push_back(keys.size() > 1 ? Lags : 1);
  described.near = [this](const Point &point, size_t variable) {
    return variable < schedules.size() ? schedules[variable]->near(point[variable]) : std::vector<uint32_t>();
  };
  described.estimate = [this](const Point &point) -> std::optional<double> {
    const std::optional<uint64_t> cycles = this->expected(groupsOf(point));
    return cycles ? std::optional<double>(double(*cycles)) : std::nullopt;
  };
  described.features = [this](const Point &point) { return featuresOf(point); };
}

Point SpanSpace::pointOf(const TunedStream &groups) {
  Point point;
  std::vector<size_t> shape;
  int64_t lag = 0;
  for (const TunedGroup &group : groups) {
    for (const TunedSchedule &schedule : group.schedules)
      point.push_back(schedules[point.size()]->indexOf(schedule));
    shape.push_back(group.kernels.size());
    if (group.kernels.size() > 1)
      lag = group.lag;
  }
  const auto found = std::find(shapes.begin(), shapes.end(), shape);
  point.push_back(static_cast<uint32_t>(found - shapes.begin()));
  point.push_back(static_cast<uint32_t>(std::clamp<int64_t>(lag, 0, Lags - 1)));
  return point;
}

TunedStream SpanSpace::groupsOf(const Point &point) const {
  TunedStream groups;
  size_t kernel = 0;
  for (const size_t size : shapes[point[keys.size()]]) {
    TunedGroup group;
    group.lag = size > 1 ? point[keys.size() + 1] : 0;
    for (size_t i = 0; i < size; ++i, ++kernel) {
      group.kernels.push_back(keys[kernel]);
      group.schedules.push_back((*schedules[kernel])[point[kernel]]);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

/// Logarithms of sizes and of the closed form's cycles, of each kernel; where groups begin; the lag.
std::vector<float> SpanSpace::featuresOf(const Point &point) const {
  std::vector<float> features;
  const auto add = [&](double value) { features.push_back(static_cast<float>(value)); };
  for (size_t kernel = 0; kernel < keys.size(); ++kernel) {
    for (const int32_t size : sizesOf((*schedules[kernel])[point[kernel]]))
      add(std::log2(double(size) + 1));
    add(std::log2(schedules[kernel]->estimate(point[kernel]) + 1));
  }
  size_t begin = 0;
  std::vector<float> begins(keys.size(), 0);
  for (const size_t size : shapes[point[keys.size()]]) {
    begins[begin] = 1;
    begin += size;
  }
  features.insert(features.end(), begins.begin(), begins.end());
  add(point[keys.size() + 1]);
  return features;
}

} // namespace daedalus::plansearch
