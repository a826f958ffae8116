// Which intrinsics an expression is: the expression of the intrinsic, with the block's operands and constants
// in place of its arguments, is brought to the normal form and has to be the very same node. So whatever is
// tried is either equal or not taken.

#ifndef DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_MATCH_H
#define DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_MATCH_H

#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"

namespace daedalus::dae {

/// An operand of a block: an argument of its expression.
struct BlockOperand {
  std::optional<Scope> scope; ///< nothing: no storage, such as dae.window
  unsigned bits = 0;          ///< of an element
};

struct Match {
  const Intrinsic *intrinsic = nullptr;
  llvm::SmallVector<unsigned, 4> sources; ///< the operand of the block that each source is
  llvm::SmallVector<int64_t, 4> immediates;
};

/// All ways in which `root` of `all` is an intrinsic, the fastest first, else in the order of declaration.
/// `operands` are the arguments of `root`, the destination last.
std::vector<Match> findMatches(const Intrinsics &intrinsics, Expressions &all, ExprId root,
                               llvm::ArrayRef<BlockOperand> operands);

} // namespace daedalus::dae

#endif
