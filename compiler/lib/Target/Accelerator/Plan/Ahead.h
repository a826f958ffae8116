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
  /// Of groups that follow each other from the first call on.
  Ahead(llvm::ArrayRef<Group> groups, Trials &trials, const isa::Machine &machine);

  /// All calls, in order.
  llvm::ArrayRef<Chain> chains() const { return done; }
  /// The cycle in which everything has ended, by the model.
  uint64_t end() const { return before.end(); }

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

  void add(const Group &group, StreamModel::Rank rank);
  Reach bestReach(llvm::ArrayRef<Piece> next, StreamModel::Rank rank) const;
  double costOf(llvm::ArrayRef<Piece> next, Reach reach, StreamModel::Rank rank, double most) const;
  std::vector<std::pair<size_t, uint32_t>> weightLoads(llvm::ArrayRef<Piece> next) const;
  std::vector<Piece> ordered(llvm::ArrayRef<Piece> next, Reach reach) const;
  void trim();
  void closeUpTo(size_t count);

  Trials &trials;
  StreamModel before; ///< the open chain
  Chain open;
  std::vector<Begin> begins; ///< of the groups of the open chain
  std::vector<const Script *> scripts;
  std::vector<Chain> done;
};

} // namespace daedalus::accelerator

#endif
