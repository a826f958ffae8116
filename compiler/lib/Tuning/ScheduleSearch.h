// The search for faster schedules of a model's kernels on the host's CPU and on its devices, measured against
// each other (docs/tuning.md).
#pragma once

#include "Tuning/ModelTiming.h"
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Schedule.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace daedalus::tuning {

struct ScheduleSearchOptions {
  uint64_t trials = 0; ///< in all; 0: as many as fit the time
  double seconds = 0;  ///< no trial begins later; 0: any time
  uint64_t seed = 1;   ///< of the order of trials, and of inputs
  unsigned threads = 1;
  std::string section; ///< of the kernels that are searched for; empty: all
};

/// Schedules known from elsewhere.
struct ScheduleStarts {
  std::vector<ScheduleEntry> found;  ///< on this device: the search begins with them
  std::vector<ScheduleEntry> others; ///< on others: tried first
};

/// A kernel that takes noticeable time, or for which there is a schedule.
struct SearchedKernel {
  std::string node;             ///< the first in which it runs
  ScheduleEntry entry;          ///< without a text: the compiler's own is the best
  std::string device;           ///< as of ScheduledKernel
  double before = 0, after = 0; ///< seconds in a run of the model, by the compiler's schedule and by the
                                ///< entry, measured in turns; instructions for nanoseconds
  Clock clock = Clock::Host;
};

struct Searched {
  std::vector<SearchedKernel> kernels;   ///< the longest first
  std::map<Clock, double> before, after; ///< of all kernels; `after` differs in those with an entry alone
  uint64_t trials = 0;

  uint64_t better() const;
};

/// What is told while the search goes on.
struct SearchEvents {
  std::function<void(uint64_t trials)> tried; ///< so many so far
  /// These have better schedules than so far, by the comparison of a round; an error ends the search.
  std::function<Result<void>(const std::vector<SearchedKernel> &)> improved;
};

/// Nothing that it finds is slower than the compiler's own schedule, by a last comparison of both. The error
/// may be that a device is not there, or one of `events`.
Result<Searched> searchSchedules(const std::string &model, CompileOptions options,
                                 const ScheduleStarts &starts, const ScheduleSearchOptions &how,
                                 const SearchEvents &events);

} // namespace daedalus::tuning
