// On tensors: the order of an operation's loops, and tiles of it with what computes its operands.

#include "Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

/// Whether upstream computes the slices that tiles of this read: not where iterators of 0 are another place
/// than 0, by which it moves the slice and then the body goes on in the slice.
bool hasTileableMaps(linalg::LinalgOp op) {
  return llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
    const SmallVector<int64_t> zeros(map.getNumDims(), 0);
    return llvm::all_of(map.compose(zeros), [](int64_t at) { return at == 0; });
  });
}

/// The loops of a float's reduction in an order that vectorizes, or nothing where they are: the parallel ones
/// as the output has them, the last of them inside of the reduction. So a vector of accumulators takes each
/// step of the reduction, whose additions stay in their order. Not where an operand would be read across its
/// rows.
std::optional<SmallVector<unsigned>> vectorOrder(linalg::LinalgOp op) {
  const AffineMap output = op.getIndexingMapsArray().back();
  if (op.getNumReductionLoops() == 0 || output.getNumResults() == 0 || !output.isProjectedPermutation() ||
      !isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())))
    return std::nullopt;
  const unsigned inner = output.getDimPosition(output.getNumResults() - 1);
  for (OpOperand *input : op.getDpsInputOperands()) {
    const AffineMap map = op.getMatchingIndexingMap(input);
    if (map.getNumResults() > 0 && map.isFunctionOfDim(inner) &&
        !map.getResults().back().isFunctionOfDim(inner))
      return std::nullopt;
  }
  SmallVector<unsigned> order, reductions;
  op.getReductionDims(reductions);
  for (AffineExpr loop : output.getResults().drop_back())
    order.push_back(cast<AffineDimExpr>(loop).getPosition());
  order.append(reductions);
  order.push_back(inner);
  return order;
}

} // namespace

LogicalResult orderLoops(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  SmallVector<linalg::LinalgOp> ops;
  kernel.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    const auto order = vectorOrder(op);
    if (!order || order->size() != op.getNumLoops())
      continue;
    rewriter.setInsertionPoint(op);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      FailureOr<linalg::GenericOp> generalized = linalg::generalizeNamedOp(rewriter, op);
      if (failed(generalized))
        continue;
      generic = *generalized;
    }
    if (failed(linalg::interchangeGenericOp(rewriter, generic, *order)))
      return generic.emitError() << "cannot be reordered for the CPU";
  }
  return success();
}

LogicalResult tileAndFuse(func::FuncOp kernel) {
  constexpr int64_t tileElements = 4096; // of the output: its int32 accumulators take 16 KiB
  linalg::LinalgOp last;
  bool isTileable = true;
  kernel.walk([&](linalg::LinalgOp op) {
    last = op;
    isTileable &= hasTileableMaps(op);
  });
  bool fuses = last && isTileable && llvm::any_of(last.getDpsInputs(), [](Value input) {
                 return input.getDefiningOp<linalg::LinalgOp>() != nullptr;
               });
  if (!fuses || last.getNumParallelLoops() != last.getNumLoops())
    return success();
  SmallVector<int64_t> shape = last.getStaticLoopRanges();
  SmallVector<OpFoldResult> tiles(shape.size(), OpFoldResult());
  IRRewriter rewriter(kernel.getContext());
  int64_t inner = 1, count = 1;
  for (int i = shape.size() - 1; i >= 0; --i) {
    inner *= shape[i];
    bool tile = inner > tileElements && i + 1 < static_cast<int>(shape.size());
    count *= tile ? shape[i] : 1;
    tiles[i] = rewriter.getIndexAttr(tile ? 1 : 0);
  }
  if (count <= 1)
    return success();
  scf::SCFTilingOptions options;
  options.setTileSizes(tiles);
  rewriter.setInsertionPoint(last);
  // What is computed in tiles is read by one operation, and no element of it by two tiles.
  llvm::DenseSet<Value> readOnce;
  kernel.walk([&](linalg::LinalgOp op) {
    const Value value = op->getResult(0);
    if (llvm::all_of(value.getUsers(), [&](Operation *user) { return user == *value.user_begin(); }))
      readOnce.insert(value);
  });
  const auto isComputedOnce = [&](tensor::ExtractSliceOp slice, OpResult producer, bool isDestination) {
    const bool isDisjoint =
        slice.getType().hasStaticShape() && count * slice.getType().getNumElements() <=
                                                cast<RankedTensorType>(producer.getType()).getNumElements();
    return std::make_tuple(isDestination || (isDisjoint && readOnce.contains(producer)), false);
  };
  scf::SCFTileAndFuseOptions fuse;
  fuse.setTilingOptions(options).setFusionControlFn(isComputedOnce);
  auto result =
      scf::tileConsumerAndFuseProducersUsingSCF(rewriter, cast<TilingInterface>(last.getOperation()), fuse);
  if (failed(result))
    return last->emitError() << "cannot be tiled for the CPU";
  for (auto [from, to] : result->replacements)
    rewriter.replaceAllUsesWith(from, to);
  return success();
}

} // namespace daedalus::cpu
