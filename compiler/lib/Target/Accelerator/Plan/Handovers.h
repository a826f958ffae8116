// Two calls of which the first hands over to the second: the schedules that take the fewest cycles.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_HANDOVERS_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_HANDOVERS_H

#include "Plan/Candidates.h"
#include "Plan/Trials.h"

namespace daedalus::accelerator {

class Handovers {
public:
  Handovers(Trials &trials, Candidates &candidates, const isa::Machine &machine)
      : trials(trials), candidates(candidates), machine(machine) {}

  /// The best group of call `first` and the next one behind `before`, if it costs less than `most`.
  std::optional<Outcome> best(const StreamModel &before, size_t first, StreamModel::Rank rank, double most);

private:
  std::vector<Group> promising(size_t first);
  std::vector<Group> near(const Group &group);
  std::optional<Group> groupOf(size_t first, const Schedule &ofTo);

  Trials &trials;
  Candidates &candidates; ///< of the second kernel, with its window in such a group
  const isa::Machine &machine;
};

} // namespace daedalus::accelerator

#endif
