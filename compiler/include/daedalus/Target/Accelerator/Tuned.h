// Plans that a search found, by what their kernels are (daedalus tune, docs/tuning.md), and the plans among
// which it searches. The files of users have dae.plan instead.

#ifndef DAEDALUS_TARGET_ACCELERATOR_TUNED_H
#define DAEDALUS_TARGET_ACCELERATOR_TUNED_H

#include "daedalus/support/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace daedalus {
class TargetStates;
}

namespace daedalus::accelerator {

/// A schedule of a kernel: what dae.tile, dae.fold, dae.reorder, dae.split, dae.ramp, dae.slide and
/// dae.hand_over say.
struct TunedSchedule {
  int32_t rows = 1, columns = 1, channels = 1, windowRows = 1, windowColumns = 1, lanes = 1;
  int32_t fold = 0;      ///< dae.fold: 0 none, 1 columns, 2 window
  int32_t order = 0;     ///< dae.reorder: 0 pixels, 1 channels
  int32_t vector = 0;    ///< dae.split: sixteenths of the tiles
  int32_t ramp = 0;      ///< dae.ramp: 0 or 1
  int32_t slide = 0;     ///< dae.slide: rows, 0 without it
  int32_t handsOver = 0; ///< dae.hand_over: 0 or 1

  std::tuple<int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t,
             int32_t, int32_t>
  all() const {
    return {rows, columns, channels, windowRows, windowColumns, lanes,
            fold, order,   vector,   ramp,       slide,         handsOver};
  }
  bool operator==(const TunedSchedule &other) const { return all() == other.all(); }
  bool operator<(const TunedSchedule &other) const { return all() < other.all(); }
};

constexpr size_t MostInGroup = 3; ///< kernels

/// Neighbours whose tiles interleave, or one kernel alone.
struct TunedGroup {
  std::vector<std::string> kernels; ///< keys of what they are, with all that a schedule depends on
  std::vector<TunedSchedule> schedules;
  int64_t lag = 0; ///< of dae.group

  bool operator==(const TunedGroup &other) const {
    return kernels == other.kernels && schedules == other.schedules && lag == other.lag;
  }
};

/// All groups of a stream, in order.
using TunedStream = std::vector<TunedGroup>;

/// What a compilation is to take. A stream of the same kernels is taken as a whole; in others the first group
/// that fits at a place is. Groups that the machine cannot have are left out.
struct Tuned {
  std::vector<TunedStream> streams;
  std::vector<TunedGroup> groups;
};

/// A line a kernel, "KEY rows columns ...", the first with the lag in front; and back. The error is that a
/// text is none.
std::string textOf(const TunedGroup &group);
Result<TunedGroup> tunedGroup(const std::string &text);

/// The planner's model of time, of a stream.
class PlanModel {
public:
  virtual ~PlanModel() = default;
  /// Cycles that it expects of some kernels, from number `first` on, on an idle machine; nothing where their
  /// tiles find no room, or are so many that the model takes longer than a run.
  virtual std::optional<uint64_t> expectedCycles(size_t first, const TunedStream &groups) = 0;
};

/// What a stream of a compilation may choose from, and what it chose.
struct StreamSpace {
  struct Call {
    std::string function; ///< of the kernel, and which of its calls in @main it is
    int64_t number = 0;
  };
  struct Kernel {
    std::string key;
    std::vector<Call> calls; ///< that it runs: its own, and the one that it took into its tiles
    /// All that fit, the cheapest by the closed form first, with what that expects.
    std::vector<TunedSchedule> schedules;
    std::vector<double> estimates; ///< cycles, of each
  };
  std::vector<Kernel> kernels;
  TunedStream planned;
  std::shared_ptr<PlanModel> model; ///< as long as what was compiled is there (ModelKernels)
};

/// The streams of a compilation whose settings asked for them (Settings::keepsSpaces).
const std::vector<StreamSpace> &spacesOf(TargetStates &states);
/// How many kernels of a compilation have the schedules of its settings' tuned plans.
uint64_t tunedKernelsOf(TargetStates &states);

} // namespace daedalus::accelerator

#endif
