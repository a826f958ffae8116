// The tiles of calls with the schedules that are tried, made once where they are tried again and again.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_SCRIPTS_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_SCRIPTS_H

#include "Plan/Planner.h"
#include "Plan/Wavefront.h"

#include <deque>
#include <memory>

namespace daedalus::accelerator {

class Scripts {
public:
  Scripts(std::vector<KernelCall> &calls, const isa::Machine &machine);

  /// The tiles of a group, interleaved; they are there until the next group is asked for.
  std::vector<Piece> tilesOf(const Group &group);
  /// From now on a call's tiles with these schedules are kept once they are made, until it is forgotten.
  void keep(size_t call, llvm::ArrayRef<Schedule> schedules);
  void forget(size_t call) { kept[call].clear(); }

private:
  static constexpr size_t MostRecent = 8;
  struct Entry {
    size_t call;
    Schedule schedule;
    std::unique_ptr<Script> script;
  };

  Script *of(size_t call, const Schedule &schedule);
  Script *make(Entry &entry);

  std::vector<KernelCall> &calls;
  const isa::Machine &machine;
  std::vector<std::vector<Entry>> kept; ///< of each call
  std::deque<Entry> recent;             ///< others, the last first
  size_t atOnce = MostRecent;           ///< of these; all that a group needs
};

} // namespace daedalus::accelerator

#endif
