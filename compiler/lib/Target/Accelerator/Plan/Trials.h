// Groups of calls simulated behind what runs before them, on all processors of the host.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_TRIALS_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_TRIALS_H

#include "Plan/Planner.h"
#include "Plan/StreamModel.h"
#include "daedalus/Target/Processors.h"

#include <map>
#include <memory>
#include <mutex>

namespace daedalus::accelerator {

/// What a group leads to.
struct Outcome {
  StreamModel model;
  Group group;
};

class Trials {
public:
  Trials(llvm::ArrayRef<KernelCall> calls, const isa::Machine &machine);

  /// Of groups that begin with the same call, behind `before`, the first of those of the least cost, if it is
  /// below `most`. However many processors there are, it is the same one.
  std::optional<Outcome> best(const StreamModel &before, llvm::ArrayRef<Group> groups, StreamModel::Rank rank,
                              double most);
  /// The order of a group's tiles.
  std::vector<Piece> orderOf(const Group &group);
  /// Of a group's calls, null for one to which the call before hands over. They stay until forgetBefore().
  std::vector<const Script *> scriptsOf(const Group &group);
  /// A call and the next one with the windows of handoverWindows, but without weights; empty where it may not
  /// hand over.
  llvm::ArrayRef<KernelCall> handoverOf(size_t call);
  /// Whether what a group hands over is what the next call's tiles read; others may not be tried.
  bool isPossible(const Group &group);
  /// No call before this one is tried any more.
  void forgetBefore(size_t call);

  llvm::ArrayRef<KernelCall> calls() const { return all; }
  llvm::ArrayRef<KernelCall> callsOf(const Group &group) const;
  uint64_t groupsTried() const { return groupCount; }
  uint64_t tilesTried() const { return tileCount; } ///< of these groups

private:
  static constexpr size_t MostOperations = 1 << 20; ///< of all scripts that are kept: 100 MiB

  /// The best of a batch so far.
  class Race;
  void tryOne(const StreamModel &before, const Group &group, size_t index, Race &race);
  const Script *scriptOf(size_t call, llvm::ArrayRef<Schedule> schedules);

  llvm::ArrayRef<KernelCall> all;
  const isa::Machine &machine;
  Processors processors;
  std::vector<size_t> first; ///< of the calls that have the same scripts, for each call
  std::vector<size_t> last;  ///< of these, for the first one
  std::mutex lock;           ///< of what follows
  /// Made so far, by the first of the calls that have them: of one call, or of two with the second one's.
  using Key = std::pair<size_t, std::vector<Schedule>>;
  std::map<Key, std::unique_ptr<const Script>> scripts;
  std::map<size_t, std::vector<KernelCall>> handovers;
  size_t operations = 0; ///< of these
  uint64_t groupCount = 0, tileCount = 0;
};

} // namespace daedalus::accelerator

#endif
