// See Chain.h.

#include "ChainBuilder.h"

#include "Transposition.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr unsigned mostSteps = 32;

/// Those that stand behind each other, each with one result of which threads can compute elements of their
/// own. What reads memory between them is no part of them.
SmallVector<Candidate> candidatesAt(Operation *op) {
  SmallVector<Candidate> found;
  for (; op && found.size() < mostSteps; op = effectBehind(op)) {
    std::optional<Group> group = groupAt(op);
    if (!group)
      break;
    found.push_back({group->root, group->fill});
    op = group->root;
    for (Operation *next = op->getNextNode(); next && next != effectBehind(op); next = next->getNextNode())
      if (isa<memref::LoadOp>(next))
        return found;
  }
  return found;
}

bool isElementwise(const Candidate &candidate) {
  return !candidate.fill && candidate.op.getNumReductionLoops() == 0 && candidate.op.getNumLoops() > 0 &&
         !transpositionOf(candidate.op);
}

} // namespace

AffineMap Step::mapOf(OpOperand &operand, unsigned loopsOfChain) const {
  SmallVector<AffineExpr> places;
  for (unsigned loop : loops)
    places.push_back(getAffineDimExpr(loop, op.getContext()));
  return op.getMatchingIndexingMap(&operand).compose(
      AffineMap::get(loopsOfChain, 0, places, op.getContext()));
}

bool Chain::hasColumns(AffineMap map) const {
  return llvm::any_of(columnLoops, [&](unsigned loop) { return map.isFunctionOfDim(loop); });
}

Operation *combinerOf(linalg::LinalgOp op) {
  Operation *combiner = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  const BlockArgument out = op.getBlock()->getArguments().back();
  const bool isKnown =
      isa_and_nonnull<arith::AddFOp, arith::AddIOp, arith::MulFOp, arith::MulIOp, arith::MaximumFOp,
                      arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp, arith::MaxSIOp, arith::MaxUIOp,
                      arith::MinSIOp, arith::MinUIOp, arith::AndIOp, arith::OrIOp>(combiner);
  const bool isUsedOnce = isKnown && out.hasOneUse() && *out.user_begin() == combiner;
  return isUsedOnce && arith::getNeutralElement(combiner) ? combiner : nullptr;
}

std::optional<Chain> chainAt(Operation *op) {
  const SmallVector<Candidate> candidates = candidatesAt(op);
  for (auto [number, candidate] : llvm::enumerate(candidates))
    if (ChainBuilder::isReduction(candidate))
      return ChainBuilder().ofReduction(candidates, number);
  return std::nullopt;
}

std::optional<Chain> elementsAt(Operation *op) {
  SmallVector<Candidate> candidates = candidatesAt(op);
  candidates.erase(llvm::find_if_not(candidates, isElementwise), candidates.end());
  return candidates.empty() ? std::nullopt : ChainBuilder().ofElements(candidates);
}

} // namespace daedalus::cuda
