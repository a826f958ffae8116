// Reductions of very many elements to few results, in two steps: parts, each of which a block of threads can
// reduce while others do theirs, and the parts.

#include "Transforms.h"

#include "Rows/Chain.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t fewResults = 64; ///< blocks of threads that do not fill a GPU
constexpr int64_t leastElements = 1 << 16, leastPart = 1 << 11;
constexpr int64_t mostParts = 1024, leastParts = 8;
constexpr int64_t neighbours = 4; ///< elements that a thread loads at once

/// How many parts of the same size a reduction has: the most that are of a good size; 1: it stays whole.
int64_t partsOf(int64_t elements) {
  for (int64_t multiple : {neighbours, int64_t(1)})
    for (int64_t parts = std::min(mostParts, elements / leastPart); parts >= leastParts; --parts)
      if (elements % parts == 0 && elements / parts % multiple == 0)
        return parts;
  return 1;
}

/// Whether one input is reduced, of a result that is filled before, and there are so few results.
bool isCandidate(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.hasDynamicShape() || op.hasIndexSemantics() || !combinerOf(op) ||
      !op.getDpsInits()[0].getDefiningOp<linalg::FillOp>() ||
      !op.getIndexingMapsArray().front().isPermutation())
    return false;
  int64_t results = 1, elements = 1;
  for (auto [size, type] : llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    (type == utils::IteratorType::parallel ? results : elements) *= size;
  return results <= fewResults && elements >= leastElements;
}

/// The reduction of all of a tensor's elements as one of a tensor with one dimension; nothing of others.
linalg::LinalgOp flattened(linalg::LinalgOp op, RewriterBase &b) {
  if (op.getNumParallelLoops() > 0 || !op.getIndexingMapsArray().front().isIdentity())
    return nullptr;
  Location loc = op.getLoc();
  const SmallVector<ReassociationIndices> all = {llvm::to_vector(llvm::seq<int64_t>(0, op.getNumLoops()))};
  Value flat = b.create<tensor::CollapseShapeOp>(loc, op.getDpsInputs()[0], all);
  const SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(1), AffineMap::get(1, 0, b.getContext())};
  auto made = b.create<linalg::GenericOp>(loc, op->getResultTypes(), ValueRange{flat}, op.getDpsInits(), maps,
                                          ArrayRef{utils::IteratorType::reduction});
  b.cloneRegionBefore(op->getRegion(0), made.getRegion(), made.getRegion().end());
  b.replaceOp(op, made);
  return made;
}

} // namespace

void splitReductions(func::FuncOp kernel) {
  SmallVector<linalg::LinalgOp> reductions;
  kernel.walk([&](linalg::LinalgOp op) {
    if (op.getNumReductionLoops() > 0)
      reductions.push_back(op);
  });
  if (reductions.size() != 1 || !isCandidate(reductions.front())) // several ones share their rows
    return;
  IRRewriter b(kernel.getContext());
  linalg::LinalgOp op = reductions.front();
  b.setInsertionPoint(op);
  if (op.getNumReductionLoops() > 1)
    op = flattened(op, b);
  if (!op)
    return;
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  const int64_t parts = partsOf(op.getStaticLoopRanges()[loops.front()]);
  if (parts == 1)
    return;
  const unsigned last = cast<ShapedType>(op->getResult(0).getType()).getRank();
  (void)linalg::splitReduction(b, op, [&](linalg::LinalgOp) {
    return linalg::SplitReductionOptions{parts, last, /*innerParallel=*/false};
  });
}

} // namespace daedalus::cuda
