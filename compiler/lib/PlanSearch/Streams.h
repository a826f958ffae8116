// Plans of streams, kernel by kernel.
#pragma once

#include "daedalus/Target/Accelerator/Tuned.h"

namespace daedalus::plansearch {

/// How many kernels a plan is of.
inline size_t kernelsOf(const accelerator::TunedStream &plan) {
  size_t count = 0;
  for (const accelerator::TunedGroup &group : plan)
    count += group.kernels.size();
  return count;
}

/// Their keys, in order.
inline std::vector<std::string> keysOf(const accelerator::TunedStream &plan) {
  std::vector<std::string> keys;
  for (const accelerator::TunedGroup &group : plan)
    keys.insert(keys.end(), group.kernels.begin(), group.kernels.end());
  return keys;
}

/// The groups of `count` kernels from number `first` on; fewer kernels where groups do not begin and end
/// there.
inline accelerator::TunedStream groupsWithin(const accelerator::TunedStream &plan, size_t first,
                                             size_t count) {
  accelerator::TunedStream within;
  size_t kernel = 0;
  for (const accelerator::TunedGroup &group : plan) {
    if (kernel >= first && kernel + group.kernels.size() <= first + count)
      within.push_back(group);
    kernel += group.kernels.size();
  }
  return within;
}

/// `plan` with the groups [first, end) replaced.
inline accelerator::TunedStream withGroups(accelerator::TunedStream plan, size_t first, size_t end,
                                           const accelerator::TunedStream &by) {
  plan.erase(plan.begin() + static_cast<ptrdiff_t>(first), plan.begin() + static_cast<ptrdiff_t>(end));
  plan.insert(plan.begin() + static_cast<ptrdiff_t>(first), by.begin(), by.end());
  return plan;
}

} // namespace daedalus::plansearch
