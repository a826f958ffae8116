// On tensors: tiles of a kernel's last operation, with what computes their operands.

#include "Passes.h"
#include "Schedule/Schedule.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

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

/// Whether an operation reads a value by its outer loops in order: then its tile and those of others that do
/// so read the same tile of it.
bool isReadInOrder(OpOperand &use) {
  auto reader = dyn_cast<linalg::LinalgOp>(use.getOwner());
  const AffineMap map = reader ? reader.getMatchingIndexingMap(&use) : AffineMap();
  return map && llvm::all_of(llvm::enumerate(map.getResults()), [&](auto result) {
           return result.value() == getAffineDimExpr(result.index(), map.getContext());
         });
}

/// What may be computed in the tiles of `last`: what only `last` reads, and what only reads it so. What
/// several operations read is computed once, for they read the same tile of it.
llvm::DenseSet<Value> valuesForTiles(func::FuncOp kernel, linalg::LinalgOp last) {
  llvm::DenseSet<Value> values = {last->getResult(0)};
  SmallVector<linalg::LinalgOp> ops = linalgOps(kernel);
  for (linalg::LinalgOp op : llvm::reverse(ops)) {
    const Value value = op->getResult(0);
    const bool isOnce = value.hasOneUse() || llvm::all_of(value.getUses(), isReadInOrder);
    const bool isInside = llvm::all_of(value.getUsers(), [&](Operation *user) {
      return user->getNumResults() == 1 && values.contains(user->getResult(0));
    });
    if (isOnce && isInside && !value.use_empty())
      values.insert(value);
  }
  values.erase(last->getResult(0));
  return values;
}

/// Whether no tile of a padded tensor lies in its padding alone.
bool isNeverOfPaddingAlone(tensor::ExtractSliceOp slice) {
  auto pad = slice.getSource().getDefiningOp<tensor::PadOp>();
  if (!pad || !isa<LoopLikeOpInterface>(slice->getParentOp()) || slice->getParentOp() == pad->getParentOp())
    return false;
  for (auto [size, low, high] : llvm::zip(slice.getStaticSizes(), pad.getStaticLow(), pad.getStaticHigh()))
    if (ShapedType::isDynamic(size) || ShapedType::isDynamic(low) || ShapedType::isDynamic(high) ||
        size <= low || size <= high)
      return false;
  return llvm::all_of(slice.getStaticStrides(), [](int64_t stride) { return stride == 1; });
}

/// What a tile reads of a padded tensor is padded in the tile; and what it computes lies in memory of a
/// tile's size.
LogicalResult padInTiles(func::FuncOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  patterns.add<linalg::ExtractSliceOfPadTensorSwapPattern>(
      kernel.getContext(), [](tensor::ExtractSliceOp slice) -> std::optional<bool> {
        return isNeverOfPaddingAlone(slice) ? std::optional(false) : std::nullopt;
      });
  return applyPatternsAndFoldGreedily(kernel, std::move(patterns));
}

scf::SCFTilingOptions optionsOf(const Tiling &tiling, OpBuilder &builder) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t size : tiling.sizes)
    sizes.push_back(builder.getIndexAttr(size));
  using Options = scf::SCFTilingOptions;
  return Options().setTileSizes(sizes).setLoopType(tiling.isParallel ? Options::LoopType::ForallOp
                                                                     : Options::LoopType::ForOp);
}

/// Tiles are for threads, or for what is computed in them; else there is one.
Tiling worthwhile(Tiling tiling, bool hasProducers) {
  if (tiling.count > 1 && (hasProducers || tiling.isParallel))
    return tiling;
  tiling.sizes.assign(tiling.sizes.size(), 0);
  return {tiling.sizes};
}

KernelSchedule scheduleOf(const Tiling &tiling, func::FuncOp kernel, linalg::LinalgOp last) {
  KernelSchedule schedule;
  const SmallVector<int64_t> sizes = last.getStaticLoopRanges();
  for (unsigned loop : resultLoops(last)) {
    schedule.loops.push_back(sizes[loop]);
    schedule.tile.push_back(tiling.sizes[loop] ? tiling.sizes[loop] : sizes[loop]);
  }
  schedule.isUndivided = isUndivided(kernel);
  schedule.isParallel = tiling.isParallel;
  return schedule;
}

LogicalResult tile(linalg::LinalgOp last, const Tiling &tiling, const llvm::DenseSet<Value> &candidates) {
  IRRewriter rewriter(last.getContext());
  scf::SCFTileAndFuseOptions options;
  options.setTilingOptions(optionsOf(tiling, rewriter));
  options.setFusionControlFn([&](tensor::ExtractSliceOp slice, OpResult producer, bool isDestination) {
    const int64_t computed = tiling.count * slice.getType().getNumElements();
    const bool isDisjoint = computed <= cast<RankedTensorType>(producer.getType()).getNumElements();
    return std::make_tuple(isDestination || (isDisjoint && candidates.contains(producer)), false);
  });
  rewriter.setInsertionPoint(last);
  auto result = scf::tileConsumerAndFuseProducersUsingSCF(
      rewriter, cast<TilingInterface>(last.getOperation()), options);
  if (failed(result))
    return last->emitError() << "cannot be tiled for the CPU";
  for (auto [from, to] : result->replacements)
    rewriter.replaceAllUsesWith(from, to);
  return success();
}

} // namespace

FailureOr<std::optional<KernelSchedule>> tileAndFuse(func::FuncOp kernel, const GivenSchedule &given) {
  linalg::LinalgOp last;
  bool isTileable = true;
  kernel.walk([&](linalg::LinalgOp op) {
    last = op;
    isTileable &= hasTileableMaps(op);
  });
  if (!last || !isTileable)
    return std::optional<KernelSchedule>();
  const llvm::DenseSet<Value> candidates = valuesForTiles(kernel, last);
  const std::string fingerprint = fingerprintOf(kernel);
  const KernelOp entry = given.find(fingerprint);
  const FailureOr<Tiling> tiling =
      entry ? tilingOf(entry, kernel, last) : worthwhile(chooseTiling(kernel, last), !candidates.empty());
  if (failed(tiling))
    return failure();
  KernelSchedule schedule = scheduleOf(*tiling, kernel, last);
  schedule.fingerprint = fingerprint;
  schedule.given = entry;
  if (tiling->count > 1 && (failed(tile(last, *tiling, candidates)) || failed(padInTiles(kernel))))
    return failure();
  return std::optional(schedule);
}

} // namespace daedalus::cpu
