// On tensors: the order of an operation's loops, and tiles of it with what computes its operands.

#include "Contraction.h"
#include "Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
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

bool isFloat(linalg::LinalgOp op) {
  return isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
}

/// What may be computed in the tiles of what reads it: what one operation reads. A chain of a float's
/// additions is none of it: it waits for its accumulator, which in a tile lies behind a pointer.
llvm::DenseSet<Value> valuesForTiles(func::FuncOp kernel) {
  llvm::DenseSet<Value> values;
  kernel.walk([&](linalg::LinalgOp op) {
    const Value value = op->getResult(0);
    const bool isChain =
        op.getNumLoops() > 0 && linalg::isReductionIterator(op.getIteratorTypesArray().back());
    if (!(isChain && isFloat(op) && !Contraction::of(op)) &&
        llvm::all_of(value.getUsers(), [&](Operation *user) { return user == *value.user_begin(); }))
      values.insert(value);
  });
  return values;
}

/// How large the tiles of an operation become: elements of its output, and rows of its last dimension that
/// they may have beyond that, with so many elements.
struct TileSizes {
  int64_t elements, rows = 1, elementsOfRows = 0;
  bool hasParts = true; ///< else tiles are single rows: what they read is no range of rows
};

/// What a tile's sums are kept in is read again: small tiles stay in the first cache. Weights that do not
/// stay in the second one are read once for each tile: then tiles are large.
TileSizes tileSizesOf(func::FuncOp kernel) {
  constexpr int64_t secondCache = 256 << 10; // bytes of it that weights may take
  TileSizes sizes{4096};
  bool hasParts = true;
  kernel.walk([&](linalg::LinalgOp op) {
    hasParts &= llvm::all_of(op.getIndexingMapsArray(),
                             [](AffineMap map) { return coefficientsOf(map).has_value(); });
    const std::optional<Contraction> sum = Contraction::of(op);
    if (!sum)
      return;
    const auto weights = cast<ShapedType>(sum->vectors->get().getType());
    const bool isLarge = weights.getNumElements() * weights.getElementTypeBitWidth() / 8 > secondCache;
    sizes = isLarge ? TileSizes{65536, 64, 131072} : TileSizes{16384, 16, 65536};
  });
  sizes.hasParts = hasParts;
  return sizes;
}

/// The largest part of `size` rows of `inner` elements that divides it and may be a tile.
int64_t rowsOfTile(int64_t size, int64_t inner, const TileSizes &sizes) {
  for (int64_t rows = size; rows > 1; --rows)
    if (size % rows == 0 && (sizes.hasParts || rows == size) &&
        (rows * inner <= sizes.elements || (rows <= sizes.rows && rows * inner <= sizes.elementsOfRows)))
      return rows;
  return 1;
}

/// Tiles of an operation whose loops are all parallel: 1, a part, or all (0) of each loop; and how many.
std::pair<SmallVector<OpFoldResult>, int64_t> tilesOf(linalg::LinalgOp op, const TileSizes &sizes,
                                                      OpBuilder &builder) {
  const SmallVector<int64_t> shape = op.getStaticLoopRanges();
  SmallVector<OpFoldResult> tiles(shape.size());
  int64_t inner = 1, count = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    const bool isLast = i + 1 == shape.size();
    const int64_t rows = isLast ? shape[i] : count > 1 ? 1 : rowsOfTile(shape[i], inner, sizes);
    inner *= rows;
    count *= shape[i] / rows;
    tiles[i] = builder.getIndexAttr(rows == shape[i] ? 0 : rows);
  }
  return {tiles, count};
}

/// The loops of a float's reduction in an order that vectorizes, or nothing where they are: the parallel ones
/// as the output has them, the last of them inside of the reduction. So a vector of accumulators takes each
/// step of the reduction, whose additions stay in their order. Not where an operand would be read across its
/// rows.
std::optional<SmallVector<unsigned>> vectorOrder(linalg::LinalgOp op) {
  const AffineMap output = op.getIndexingMapsArray().back();
  if (op.getNumReductionLoops() == 0 || output.getNumResults() == 0 || !output.isProjectedPermutation() ||
      !isFloat(op))
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

void fuseElementwise(func::FuncOp kernel) {
  const auto isParallel = [](Operation *op) {
    auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
    return generic && generic.getNumParallelLoops() == generic.getNumLoops();
  };
  const auto isSplat = [](Value value) {
    DenseElementsAttr constant;
    return matchPattern(value, m_Constant(&constant)) && constant.isSplat();
  };
  bool isFused = false;
  SmallVector<Operation *> ops;
  kernel.walk([&](linalg::GenericOp op) {
    if (!isParallel(op))
      return;
    ops.push_back(op);
    isFused |= llvm::any_of(op.getDpsInputs(),
                            [&](Value input) { return isSplat(input) || isParallel(input.getDefiningOp()); });
  });
  if (!isFused)
    return;
  RewritePatternSet patterns(kernel.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, [&](OpOperand *operand) {
    Operation *producer = operand->get().getDefiningOp();
    return isParallel(producer) && isParallel(operand->getOwner()) && operand->get().hasOneUse();
  });
  GreedyRewriteConfig config;
  config.strictMode = GreedyRewriteStrictness::ExistingAndNewOps; // not of sums, whose weights stay constants
  (void)applyOpPatternsAndFold(ops, std::move(patterns), config);
}

LogicalResult orderLoops(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  for (linalg::LinalgOp op : linalgOps(kernel)) {
    const auto order = Contraction::of(op) ? std::nullopt : vectorOrder(op);
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
  linalg::LinalgOp last;
  bool isTileable = true;
  kernel.walk([&](linalg::LinalgOp op) {
    last = op;
    isTileable &= hasTileableMaps(op);
  });
  if (!last || !isTileable || last.getNumParallelLoops() != last.getNumLoops())
    return success();
  const llvm::DenseSet<Value> candidates = valuesForTiles(kernel);
  IRRewriter rewriter(kernel.getContext());
  const auto [tiles, count] = tilesOf(last, tileSizesOf(kernel), rewriter);
  if (count <= 1 || llvm::none_of(last.getDpsInputs(), [&](Value v) { return candidates.contains(v); }))
    return success();
  scf::SCFTileAndFuseOptions options;
  options.setTilingOptions(scf::SCFTilingOptions().setTileSizes(tiles));
  options.setFusionControlFn(
      [&, count = count](tensor::ExtractSliceOp slice, OpResult producer, bool isDestination) {
        const int64_t computed = count * slice.getType().getNumElements();
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
  RewritePatternSet patterns(kernel.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns); // what a tile computes lies in memory of a tile's size
  return applyPatternsAndFoldGreedily(kernel, std::move(patterns));
}

} // namespace daedalus::cpu
