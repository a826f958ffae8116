// Both sides of a comparison, measured in turns.
#pragma once

#include "daedalus/support/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::tuning {

/// Something that can be run often.
class Timed {
public:
  virtual ~Timed() = default;
  /// What so many runs took, one behind the other, of caches that an earlier run has warmed.
  virtual Result<double> seconds(uint64_t runs) = 0;
};

struct Timing {
  std::vector<double> samples; ///< seconds of one run, a sample a batch; sorted
  uint64_t batch = 0;          ///< runs in a batch
  /// Processor time of all threads in a batch's wall time: of the busiest batch, and of the one that had to
  /// wait most.
  double mostProcessors = 0, leastProcessors = 0;

  double median() const;
  /// Of the middle half of the samples, in parts of the median.
  double spread() const;
};

struct TimingOptions {
  uint64_t repeats = 5;
  double batchSeconds = 0.02; ///< at least
};

/// Sorted samples: the value below which the part lies, between neighbours by straight lines.
double quantile(const std::vector<double> &sorted, double part);

/// The date of what is measured now: YYYY-MM-DD, of UTC.
std::string today();

/// How many runs a batch takes, of runs of so many seconds.
uint64_t batchOf(double seconds, double batchSeconds);

/// All of them in turns, `repeats` times; each one's batch is as long as it needs.
Result<std::vector<Timing>> timeInTurns(const std::vector<Timed *> &sides, const TimingOptions &options);

} // namespace daedalus::tuning
