// The operations of a plan's groups in one order, in which weights of a group are loaded while the groups
// before it still work: LOAD works in order, and the first input of a group waits for what is stored last.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_AHEAD_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_AHEAD_H

#include "Plan/Trials.h"

namespace daedalus::accelerator {

/// Calls [first, first + calls), whose operations stand among each other; the scripts of the pieces are
/// counted from the first one.
struct Chain {
  size_t first = 0, calls = 0;
  std::vector<Piece> pieces;
};

class Ahead {
public:
  Ahead(Trials &trials, const isa::Machine &machine) : trials(&trials), before(machine) {}

  /// The group that begins with the call behind those so far; the last one where it is ranked by the end.
  void add(const Group &group, StreamModel::Rank rank);

  /// All calls, in order, behind the last group.
  llvm::ArrayRef<Chain> chains() const { return done; }
  /// The cycle in which everything has ended, by the model; nothing where a buffer finds no room.
  std::optional<uint64_t> end() const { return fits ? std::optional(before.end()) : std::nullopt; }

private:
  /// Where a group begins in the open chain.
  struct Begin {
    size_t piece, call;
    bool isReached; ///< by loads of a group behind it, or of itself, that stand before it
  };
  /// Loads of a group among so many of the last pieces before it.
  struct Reach {
    size_t loads, pieces;
  };

  Reach bestReach(llvm::ArrayRef<Piece> next, StreamModel::Rank rank) const;
  double costOf(llvm::ArrayRef<Piece> next, Reach reach, StreamModel::Rank rank, double most) const;
  std::vector<std::pair<size_t, uint32_t>> weightLoads(llvm::ArrayRef<Piece> next) const;
  std::vector<Piece> ordered(llvm::ArrayRef<Piece> next, Reach reach) const;
  void trim();
  void closeUpTo(size_t count);

  Trials *trials;
  StreamModel before; ///< the open chain
  bool fits = true;   ///< all before the open chain found room
  Chain open;
  std::vector<Begin> begins; ///< of the groups of the open chain
  std::vector<const Script *> scripts;
  std::vector<Chain> done;
};

} // namespace daedalus::accelerator

#endif
