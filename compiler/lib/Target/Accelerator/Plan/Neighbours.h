// What a schedule of a group is compared with, step by step.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_NEIGHBOURS_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_NEIGHBOURS_H

#include "Plan/Sharing.h"

#include <map>

namespace daedalus::accelerator {

class Neighbours {
public:
  /// `schedules` of all calls as planTiles().
  Neighbours(llvm::ArrayRef<KernelCall> calls, llvm::ArrayRef<RankedSchedules> schedules,
             const isa::Machine &machine)
      : calls(calls), schedules(schedules), machine(machine) {}

  /// What differs from a schedule of a call of a group of `size` by one step: the next `each` smaller and
  /// larger tiles along one dimension, or along one at the cost of another; other shares of VECTOR.
  const std::vector<Schedule> &of(size_t call, const Schedule &schedule, size_t each, size_t size);

  void forgetBefore(size_t call);

private:
  using Key = std::tuple<size_t, size_t, size_t, Schedule>;
  std::vector<Schedule> find(size_t call, const Schedule &schedule, size_t each, size_t size) const;

  llvm::ArrayRef<KernelCall> calls;
  llvm::ArrayRef<RankedSchedules> schedules;
  const isa::Machine &machine;
  std::map<Key, std::vector<Schedule>> known; ///< by call, `each`, `size` and schedule
};

} // namespace daedalus::accelerator

#endif
