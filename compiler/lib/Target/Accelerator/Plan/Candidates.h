// The schedules of kernels that fit, enumerated once for all kernels that are alike.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_CANDIDATES_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_CANDIDATES_H

#include "Schedule/Schedule.h"

#include <map>

namespace daedalus::accelerator {

class Candidates {
public:
  /// As rankSchedules, always for one machine. Of a kernel with parts: those of any of them,
  /// for they differ in channels alone.
  const Result<RankedSchedules> &of(const Kernel &kernel, const isa::Machine &machine);

  /// How many kernels were enumerated so far.
  size_t enumerated() const { return count; }

  /// Lets go of all lists: behind the planner nobody needs them, and they are large.
  void forget() { known.clear(); }

private:
  std::map<std::string, Result<RankedSchedules>> known; ///< by rankingKey
  size_t count = 0;
};

/// All that rankSchedules looks at in a kernel: what its loops, operands and stages are, but not what its
/// constants hold.
std::string rankingKey(const Kernel &kernel);

} // namespace daedalus::accelerator

#endif
