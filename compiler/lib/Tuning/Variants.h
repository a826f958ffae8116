// A model with other schedules, and what its kernels take with them: in the model, behind each other, with
// the caches that the others leave.
#pragma once

#include "Tuning/ModelTiming.h"
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Schedule.h"

#include <map>
#include <string>
#include <vector>

namespace daedalus::tuning {

using Entries = std::map<std::string, ScheduleEntry>; ///< by keys

/// What each layer of a variant takes: the median of its batches, and the end of the fastest quarter;
/// seconds, or instructions for nanoseconds.
struct LayerTimes {
  std::vector<double> median, fast;

  /// Of a kernel's layers.
  static double of(const ScheduledKernel &kernel, const std::vector<double> &layers);
};

class Variants {
public:
  Variants(std::string model, CompileOptions options, unsigned threads, uint64_t seed)
      : model(std::move(model)), options(std::move(options)), threads(threads), seed(seed) {}

  /// What runs on the host and its devices, with these schedules. Errors are those of compileModel.
  Result<package::Package> compiled(const Entries &entries) const;
  /// The model's kernels, as these schedules have them.
  Result<std::vector<ScheduledKernel>> kernels(const Entries &entries) const;
  /// Two packages in turns. The error may be that a device is not there.
  Result<std::vector<LayerTimes>> inTurns(const package::Package &one, const package::Package &other,
                                          const TimingOptions &timing);
  /// Of what was measured.
  Clock clockOf(const ScheduledKernel &kernel) const;
  const std::vector<Clock> &clocksOfLayers() const { return clocks; }

private:
  CompileOptions optionsWith(const Entries &entries) const;

  const std::string model;
  const CompileOptions options;
  const unsigned threads;
  const uint64_t seed;
  std::vector<Clock> clocks; ///< of layers
};

} // namespace daedalus::tuning
