// Weights of sums of products in panels: PanelWidth columns side by side for each step of the reduction (for
// bytes, where a processor adds such products, DotWidth steps of each column), and panel behind panel. The
// operation stays one of linalg, with the same meaning.

#include "MicroKernels/Contraction.h"
#include "MicroKernels/WideBytes.h"
#include "Passes.h"
#include "Weights.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

class Blocking {
public:
  Blocking(const Contraction &contraction, IRRewriter &rewriter, bool dots)
      : c(contraction), op(contraction.op), rewriter(rewriter), sizes(op.getStaticLoopRanges()),
        hasDots(dots && !contraction.isFloat) {}

  bool isPossible() {
    const auto columns = sizes[c.inner];
    const bool padded = columns % PanelWidth != 0;
    return c.outputMap().isProjectedPermutation() && !c.scalarMap().isFunctionOfDim(c.inner) &&
           findWeights() && (!padded || initialFill()) && findDepth();
  }

  void run() {
    numberLoops();
    Value init = op.getDpsInits()[0];
    const auto type = cast<RankedTensorType>(init.getType());
    const int64_t columns = sizes[c.inner];
    rewriter.setInsertionPoint(op);
    SmallVector<Value> inputs = {nullptr, readOften()};
    if (initialFill())
      init = filledInit(type);
    SmallVector<AffineMap> maps = {panelMap(), replaced(c.scalarMap()), replaced(c.outputMap())};
    inputs[0] = panelsOfTile();
    if (c.vectors->getOperandNumber() == 1) {
      std::swap(inputs[0], inputs[1]);
      std::swap(maps[0], maps[1]);
    }
    auto blocked =
        rewriter.create<linalg::GenericOp>(op.getLoc(), init.getType(), inputs, init, maps, iterators);
    rewriter.cloneRegionBefore(op->getRegion(0), blocked.getRegion(), blocked.getRegion().begin());
    for (auto [input, argument] : llvm::zip(inputs, blocked.getBlock()->getArguments()))
      argument.setType(getElementTypeOrSelf(input.getType()));
    Value result = blocked.getResult(0);
    if (columns % PanelWidth) {
      SmallVector<OpFoldResult> zeros(type.getRank(), rewriter.getIndexAttr(0));
      SmallVector<OpFoldResult> ones(type.getRank(), rewriter.getIndexAttr(1)), extents;
      for (int64_t size : type.getShape())
        extents.push_back(rewriter.getIndexAttr(size));
      result = rewriter.create<tensor::ExtractSliceOp>(op.getLoc(), type, result, zeros, extents, ones);
    }
    rewriter.replaceOp(op, result);
  }

private:
  /// Of a tile, they have to be whole panels, or as many columns as every tile has: then each has panels of
  /// its own.
  bool findWeights() {
    const std::optional<Weights> found = Weights::of(c);
    if (!found)
      return false;
    weights = *found;
    columnsOfPanels = allColumns();
    if (!weights.firstColumn)
      return true;
    if (sizes[c.inner] % PanelWidth)
      columnsOfPanels = sizes[c.inner];
    return isMultipleOf(weights.firstColumn, sizes[c.inner] % PanelWidth ? sizes[c.inner] : PanelWidth) &&
           allColumns() % columnsOfPanels == 0;
  }

  linalg::FillOp initialFill() { return op.getDpsInits()[0].getDefiningOp<linalg::FillOp>(); }

  /// The loop of the reduction along which the other operand lies element behind element. Bytes need it, in
  /// whole steps of DotWidth.
  bool findDepth() {
    const auto coefficients = *coefficientsOf(c.scalarMap());
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (c.isReduction(loop) && c.vectorMap().isFunctionOfDim(loop) && !coefficients.empty() &&
          coefficients.back()[loop] == 1)
        depth = loop;
    return !hasDots || (depth >= 0 && sizes[depth] % DotWidth == 0);
  }

  /// The loops of the blocked operation: parallel ones, panels, columns, then the reduction with its depth
  /// last.
  void numberLoops() {
    MLIRContext *context = op.getContext();
    places.resize(sizes.size());
    unsigned next = 0;
    const auto add = [&](utils::IteratorType type) {
      iterators.push_back(type);
      return getAffineDimExpr(next++, context);
    };
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (loop != c.inner && !c.isReduction(loop))
        places[loop] = add(utils::IteratorType::parallel);
    panel = add(utils::IteratorType::parallel);
    column = add(utils::IteratorType::parallel);
    places[c.inner] = panel * PanelWidth + column;
    for (int loop = 0; loop < int(sizes.size()); ++loop)
      if (c.isReduction(loop) && loop != depth)
        places[loop] = add(utils::IteratorType::reduction);
    if (depth < 0)
      return;
    places[depth] = outerDepth = add(utils::IteratorType::reduction);
    if (!hasDots)
      return;
    dot = add(utils::IteratorType::reduction);
    places[depth] = outerDepth * DotWidth + dot;
  }

  AffineMap replaced(AffineMap map) const {
    return map.replaceDimsAndSymbols(places, {}, iterators.size(), 0);
  }

  /// Loops of the weights, in the order in which panels have them; the panel's own stands as `c.inner`.
  SmallVector<unsigned> weightLoops() const {
    SmallVector<unsigned> loops;
    const auto add = [&](bool isReduction) {
      for (int loop = 0; loop < int(sizes.size()); ++loop)
        if (loop != int(c.inner) && loop != depth && c.isReduction(loop) == isReduction &&
            c.vectorMap().isFunctionOfDim(loop))
          loops.push_back(loop);
    };
    add(false);
    loops.push_back(c.inner);
    add(true);
    if (depth >= 0)
      loops.push_back(depth);
    return loops;
  }

  AffineMap panelMap() const {
    SmallVector<AffineExpr> results;
    for (unsigned loop : weightLoops())
      results.push_back(loop == c.inner ? panel : int(loop) == depth ? outerDepth : places[loop]);
    results.push_back(column);
    if (hasDots)
      results.push_back(dot);
    return AffineMap::get(iterators.size(), 0, results, op.getContext());
  }

  int64_t panelCount() const { return llvm::divideCeil(sizes[c.inner], PanelWidth); }

  /// Of the weights, not of a tile.
  int64_t allColumns() const {
    const AffineExpr inner = getAffineDimExpr(c.inner, op.getContext());
    return weights.values.getType().getDimSize(*c.vectorMap().getResultPosition(inner));
  }

  /// The weights in panels, those of a tile's columns.
  Value panelsOfTile() {
    if (!weights.firstColumn)
      return rewriter.create<arith::ConstantOp>(op.getLoc(), panels());
    const SmallVector<unsigned> loops = weightLoops();
    const AffineExpr i = getAffineDimExpr(0, op.getContext());
    const bool isWhole = sizes[c.inner] % PanelWidth == 0;
    const OpFoldResult first = affine::makeComposedFoldedAffineApply(
        rewriter, op.getLoc(), isWhole ? i.floorDiv(PanelWidth) : i.floorDiv(columnsOfPanels) * panelCount(),
        {weights.firstColumn});
    return partOf(panels(), llvm::find(loops, c.inner) - loops.begin(), first, panelCount(), rewriter,
                  op.getLoc());
  }

  /// The weights in panels. Columns that no output has are 0, or those of the next tile.
  DenseElementsAttr panels() const {
    const SmallVector<int64_t> strides = stridesOf(c, weights.values);
    const int64_t parts = allColumns() / columnsOfPanels;
    const int64_t panels = llvm::divideCeil(columnsOfPanels, PanelWidth);
    SmallVector<Axis> axes;
    size_t dimension = 0;
    for (unsigned loop : weightLoops())
      if (loop == c.inner) {
        dimension = axes.size();
        axes.push_back({parts, columnsOfPanels * strides[loop], columnsOfPanels});
        axes.push_back({panels, PanelWidth * strides[loop], PanelWidth});
      } else if (int(loop) == depth && hasDots) {
        axes.push_back({sizes[loop] / DotWidth, DotWidth * strides[loop], 0});
      } else {
        axes.push_back({sizes[loop], strides[loop], 0});
      }
    axes.push_back({PanelWidth, strides[c.inner], 1});
    if (hasDots)
      axes.push_back({DotWidth, strides[depth], 0});
    DenseElementsAttr all = rearranged(weights.values, axes, allColumns());
    SmallVector<int64_t> shape(all.getType().getShape()); // where parts and their panels are one dimension
    shape[dimension] = parts * panels;
    shape.erase(shape.begin() + dimension + 1);
    return all.reshape(all.getType().clone(shape));
  }

  /// What is multiplied with the weights: bytes once more as int16, for processors that multiply such.
  Value readOften() {
    constexpr int64_t mostWidened = 1 << 18; // of the memory that a thread has for it
    Value values = c.scalars->get();
    const bool isWidened =
        hasDots && cast<RankedTensorType>(values.getType()).getNumElements() <= mostWidened;
    return isWidened ? widenBytes(values, rewriter, op.getLoc()) : values;
  }

  /// What the sums begin with, right in front of them, for the columns of all panels.
  Value filledInit(RankedTensorType type) {
    if (sizes[c.inner] % PanelWidth == 0)
      return rewriter.clone(*initialFill())->getResult(0);
    SmallVector<int64_t> shape(type.getShape());
    shape.back() = panelCount() * PanelWidth;
    Value empty = rewriter.create<tensor::EmptyOp>(op.getLoc(), shape, type.getElementType());
    return rewriter.create<linalg::FillOp>(op.getLoc(), initialFill().getInputs()[0], empty).getResult(0);
  }

  const Contraction &c;
  mutable linalg::LinalgOp op;
  IRRewriter &rewriter;
  const SmallVector<int64_t> sizes;
  const bool hasDots; ///< DotWidth weights of each column lie side by side
  Weights weights;
  int64_t columnsOfPanels = 0; ///< columns of the weights that have panels of their own
  int depth = -1;
  SmallVector<AffineExpr> places; ///< of each loop, in those of the blocked operation
  AffineExpr panel, column, outerDepth, dot;
  SmallVector<utils::IteratorType> iterators;
};

/// Where both operands are read along the columns, as of depthwise convolutions: the weights with these last.
class ColumnsLast {
public:
  ColumnsLast(const Contraction &contraction, IRRewriter &rewriter)
      : c(contraction), rewriter(rewriter), sizes(c.op.getStaticLoopRanges()) {}

  bool isPossible() {
    const std::optional<Weights> found = Weights::of(c);
    if (!found || !c.scalarMap().isFunctionOfDim(c.inner) ||
        c.vectorMap().getResults().back().isFunctionOfDim(c.inner))
      return false;
    weights = *found;
    return true;
  }

  void run() {
    const SmallVector<int64_t> strides = stridesOf(c, weights.values);
    SmallVector<Axis> axes;
    SmallVector<AffineExpr> results;
    for (unsigned loop = 0; loop <= sizes.size(); ++loop) {
      const unsigned next = loop < sizes.size() ? loop : c.inner; // which is the last one
      if (loop == c.inner || !c.vectorMap().isFunctionOfDim(next))
        continue;
      const unsigned place = *c.vectorMap().getResultPosition(getAffineDimExpr(next, rewriter.getContext()));
      axes.push_back({weights.values.getType().getDimSize(place), strides[next], 0});
      results.push_back(getAffineDimExpr(next, rewriter.getContext()));
    }
    rewriter.setInsertionPoint(c.op);
    SmallVector<AffineMap> maps = c.op.getIndexingMapsArray();
    SmallVector<Value> inputs = c.op.getDpsInputs();
    const unsigned at = c.vectors->getOperandNumber();
    maps[at] = AffineMap::get(sizes.size(), 0, results, rewriter.getContext());
    inputs[at] = weightsOfTile(rearranged(weights.values, axes, 1));
    Value init = c.op.getDpsInits()[0];
    auto generic = rewriter.create<linalg::GenericOp>(c.op.getLoc(), init.getType(), inputs, init, maps,
                                                      c.op.getIteratorTypesArray());
    rewriter.cloneRegionBefore(c.op->getRegion(0), generic.getRegion(), generic.getRegion().begin());
    rewriter.replaceOp(c.op, generic);
  }

private:
  Value weightsOfTile(DenseElementsAttr all) {
    if (!weights.firstColumn)
      return rewriter.create<arith::ConstantOp>(c.op.getLoc(), all);
    return partOf(all, all.getType().getRank() - 1, weights.firstColumn, sizes[c.inner], rewriter,
                  c.op.getLoc());
  }

  const Contraction &c;
  IRRewriter &rewriter;
  const SmallVector<int64_t> sizes;
  Weights weights;
};

} // namespace

void blockContractions(func::FuncOp kernel, bool dots) {
  IRRewriter rewriter(kernel.getContext());
  for (linalg::LinalgOp op : linalgOps(kernel))
    if (const std::optional<Contraction> contraction = Contraction::of(op)) {
      if (Blocking blocking(*contraction, rewriter, dots); blocking.isPossible())
        blocking.run();
      else if (ColumnsLast last(*contraction, rewriter); last.isPossible())
        last.run();
    }
}

} // namespace daedalus::cpu
