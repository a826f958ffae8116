// The plans of some neighbouring kernels of a stream, as points: for each kernel one of its schedules, how
// they are grouped, and the lag of groups.
#pragma once

#include "PlanSearch/Search.h"
#include "daedalus/Target/Accelerator/Tuned.h"

#include <memory>

namespace daedalus::plansearch {

using accelerator::StreamSpace;
using accelerator::TunedGroup;
using accelerator::TunedSchedule;
using accelerator::TunedStream;

/// The schedules of a kernel, and which of them differ by one step of one size.
class Schedules {
public:
  explicit Schedules(const StreamSpace::Kernel &kernel);

  size_t size() const { return all.size(); }
  const TunedSchedule &operator[](size_t index) const { return all[index]; }
  double estimate(size_t index) const { return estimates[index]; }
  /// The place of one; it is added where it is not there.
  uint32_t indexOf(const TunedSchedule &schedule);
  const std::vector<uint32_t> &near(uint32_t index);

private:
  void connect();

  std::vector<TunedSchedule> all;
  std::vector<double> estimates;
  std::vector<std::vector<uint32_t>> neighbours; ///< once they were asked for
};

/// By the keys of kernels, for all spans of a model.
using KnownSchedules = std::map<std::string, std::shared_ptr<Schedules>>;

class SpanSpace {
public:
  /// Cycles that the planner expects of some groups in the span.
  using Expected = std::function<std::optional<uint64_t>(const TunedStream &groups)>;

  /// Of the kernels that `groups` plan, which is where a search starts; `known` holds schedules of all.
  SpanSpace(const TunedStream &groups, KnownSchedules &known, Expected expected);

  /// Another plan of these kernels, of known schedules, that is tried first.
  void addStart(const TunedStream &groups) { described.starts.push_back(pointOf(groups)); }
  const Space &space() const { return described; }
  TunedStream groupsOf(const Point &point) const;

private:
  Point pointOf(const TunedStream &groups);
  std::vector<float> featuresOf(const Point &point) const;

  std::vector<std::string> keys;
  std::vector<std::shared_ptr<Schedules>> schedules; ///< by kernel
  std::vector<std::vector<size_t>> shapes;           ///< sizes of groups
  Expected expected;
  Space described;
};

} // namespace daedalus::plansearch
