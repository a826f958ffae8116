// The search of compile --tune: schedules of a model's kernels on the host's CPU and on its devices, measured
// against each other.
#pragma once

#include "Tuning/ModelTiming.h"
#include "daedalus/Pipelines/Compile.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace daedalus::tuning {

/// A kernel that was measured, and what was kept for it.
struct SearchedKernel {
  std::string node;             ///< the first in which it runs
  std::string entry;            ///< of the schedule; empty: what was there before is the best
  double before = 0, after = 0; ///< seconds in a run of the model, medians; instructions for nanoseconds
  Clock clock = Clock::Host;
};

struct Searched {
  std::vector<SearchedKernel> kernels; ///< those that take noticeable time, the longest first
  std::map<Clock, double> others;      ///< seconds of all other kernels together

  uint64_t better() const;
};

/// Is told what goes on.
using SearchPhase = std::function<void(const std::string &)>;

/// Starts with the schedule in `file`, if there is one, and leaves there what was found, with what it had for
/// other kernels. The file is replaced at the end, and as it was until then. Tiles are shared by `threads`.
/// The error may be that a device is not there.
Result<Searched> searchSchedule(const std::string &model, CompileOptions options, const std::string &file,
                                unsigned threads, const SearchPhase &phase);

/// What it won, line by line.
std::string searchText(const Searched &searched, const std::string &file, unsigned threads);

} // namespace daedalus::tuning
