// Weights of sums of products in panels: PanelWidth columns side by side for each step of the reduction (for
// bytes, DotWidth steps of each column), and panel behind panel. The operation stays one of linalg, with the
// same meaning.

#include "Contraction.h"
#include "Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

/// What slices that hold all of a tensor are slices of.
Value wholeOf(Value value) {
  for (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
       slice && slice.getType() == slice.getSourceType();
       slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    value = slice.getSource();
  return value;
}

class Blocking {
public:
  Blocking(const Contraction &contraction, IRRewriter &rewriter)
      : c(contraction), op(contraction.op), rewriter(rewriter), sizes(op.getStaticLoopRanges()) {}

  bool isPossible() {
    const auto columns = sizes[c.inner];
    const bool padded = columns % PanelWidth != 0;
    return c.vectorMap().isProjectedPermutation() && c.outputMap().isProjectedPermutation() &&
           !c.scalarMap().isFunctionOfDim(c.inner) &&
           matchPattern(wholeOf(c.vectors->get()), m_Constant(&weights)) && (!padded || initialFill()) &&
           findDepth();
  }

  void run() {
    numberLoops();
    Value init = op.getDpsInits()[0];
    const auto type = cast<RankedTensorType>(init.getType());
    const int64_t columns = sizes[c.inner];
    rewriter.setInsertionPoint(op);
    if (columns % PanelWidth)
      init = paddedInit(type);
    SmallVector<Value> inputs = {c.vectors->get(), c.scalars->get()};
    SmallVector<AffineMap> maps = {panelMap(), replaced(c.scalarMap()), replaced(c.outputMap())};
    inputs[0] = rewriter.create<arith::ConstantOp>(op.getLoc(), panels());
    if (c.vectors->getOperandNumber() == 1) {
      std::swap(inputs[0], inputs[1]);
      std::swap(maps[0], maps[1]);
    }
    auto blocked =
        rewriter.create<linalg::GenericOp>(op.getLoc(), init.getType(), inputs, init, maps, iterators);
    rewriter.cloneRegionBefore(op->getRegion(0), blocked.getRegion(), blocked.getRegion().begin());
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
  linalg::FillOp initialFill() { return op.getDpsInits()[0].getDefiningOp<linalg::FillOp>(); }

  /// The loop of the reduction along which the other operand lies element behind element. Bytes need it, in
  /// whole steps of DotWidth.
  bool findDepth() {
    const auto coefficients = *coefficientsOf(c.scalarMap());
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (c.isReduction(loop) && c.vectorMap().isFunctionOfDim(loop) && !coefficients.empty() &&
          coefficients.back()[loop] == 1)
        depth = loop;
    return c.isFloat || (depth >= 0 && sizes[depth] % DotWidth == 0);
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
    if (c.isFloat)
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
    if (!c.isFloat)
      results.push_back(dot);
    return AffineMap::get(iterators.size(), 0, results, op.getContext());
  }

  int64_t panelCount() const { return llvm::divideCeil(sizes[c.inner], PanelWidth); }

  /// The weights in panels; columns that no output has are 0.
  DenseElementsAttr panels() const {
    const int64_t dots = c.isFloat ? 1 : DotWidth, bytes = c.isFloat ? 4 : 1;
    const auto type = cast<RankedTensorType>(weights.getType());
    SmallVector<int64_t> stride(sizes.size(), 0), shape; // of the weights, by loop; of the panels
    int64_t step = bytes;
    for (int i = type.getRank() - 1; i >= 0; --i) {
      stride[c.vectorMap().getDimPosition(i)] = step;
      step *= type.getDimSize(i);
    }
    const SmallVector<unsigned> loops = weightLoops();
    for (unsigned loop : loops)
      shape.push_back(loop == c.inner ? panelCount() : int(loop) == depth ? sizes[loop] / dots : sizes[loop]);
    const int64_t rows = ShapedType::getNumElements(shape);
    shape.push_back(PanelWidth);
    if (!c.isFloat)
      shape.push_back(dots);
    std::vector<char> data(rows * PanelWidth * dots * bytes, 0);
    const ArrayRef<char> from = weights.getRawData();
    const int64_t columnStride = stride[c.inner], depthStride = depth >= 0 ? stride[depth] : 0;
    SmallVector<int64_t> at(loops.size(), 0);
    char *to = data.data();
    for (int64_t row = 0; row < rows; ++row) {
      int64_t offset = 0, first = 0;
      for (auto [i, loop] : llvm::enumerate(loops)) {
        first = loop == c.inner ? at[i] * PanelWidth : first;
        offset += at[i] * stride[loop] * (loop == c.inner ? PanelWidth : int(loop) == depth ? dots : 1);
      }
      for (int64_t i = 0; i < PanelWidth; ++i)
        for (int64_t j = 0; j < dots; ++j, to += bytes)
          if (first + i < sizes[c.inner]) {
            const int64_t source = weights.isSplat() ? 0 : offset + i * columnStride + j * depthStride;
            std::copy_n(from.data() + source, bytes, to);
          }
      for (int i = loops.size() - 1; i >= 0 && ++at[i] == shape[i]; --i)
        at[i] = 0;
    }
    return DenseElementsAttr::getFromRawBuffer(RankedTensorType::get(shape, type.getElementType()), data);
  }

  /// Zeros for the columns of all panels.
  Value paddedInit(RankedTensorType type) {
    SmallVector<int64_t> shape(type.getShape());
    shape.back() = panelCount() * PanelWidth;
    Value empty = rewriter.create<tensor::EmptyOp>(op.getLoc(), shape, type.getElementType());
    return rewriter.create<linalg::FillOp>(op.getLoc(), initialFill().getInputs()[0], empty).getResult(0);
  }

  const Contraction &c;
  mutable linalg::LinalgOp op;
  IRRewriter &rewriter;
  const SmallVector<int64_t> sizes;
  DenseElementsAttr weights;
  int depth = -1;
  SmallVector<AffineExpr> places; ///< of each loop, in those of the blocked operation
  AffineExpr panel, column, outerDepth, dot;
  SmallVector<utils::IteratorType> iterators;
};

} // namespace

void blockContractions(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  SmallVector<linalg::LinalgOp> ops;
  kernel.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops)
    if (const std::optional<Contraction> contraction = Contraction::of(op))
      if (Blocking blocking(*contraction, rewriter); blocking.isPossible())
        blocking.run();
}

} // namespace daedalus::cpu
