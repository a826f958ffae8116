// Factors of products as tensor cores read them: with elements behind each other that follow each other along
// K, or along rows where they have 16 bits, in chunks of 16 bytes. Others are copied one by one, many times
// over; moved once, they are copied in chunks.

#include "Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t bytesOfChunk = 16;
constexpr int64_t leastProducts = 1 << 24; ///< of an operation that is worth a launch more
constexpr int64_t leastUses = 32;          ///< of each element that is moved

class Products {
public:
  explicit Products(linalg::LinalgOp op)
      : op(op), maps(op.getIndexingMapsArray()), sizes(op.getStaticLoopRanges()),
        bytes(getElementTypeOrSelf(op.getDpsInputs()[0]).getIntOrFloatBitWidth() / 8),
        elements(bytesOfChunk / std::max<int64_t>(bytes, 1)) {}

  /// The loop of K that has to be the last one, and the last dimension of both factors; nothing where they
  /// are fine, or no loop can be.
  std::optional<unsigned> loopToMove() const {
    if (isInChunks(0) && isInChunks(1))
      return std::nullopt;
    std::optional<unsigned> best;
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (isOfK(loop) && sizes[loop] % elements == 0 && placeOf(0, loop) && placeOf(1, loop) &&
          (!best || sizes[loop] > sizes[*best]))
        best = loop;
    return best && isWorthwhile(*best) ? best : std::nullopt;
  }

  /// The dimension of a factor that is a loop alone.
  std::optional<unsigned> placeOf(unsigned factor, unsigned loop) const {
    std::optional<unsigned> place;
    for (auto [dimension, index] : llvm::enumerate(maps[factor].getResults())) {
      if (!index.isFunctionOfDim(loop))
        continue;
      if (place || index != getAffineDimExpr(loop, op.getContext()))
        return std::nullopt;
      place = dimension;
    }
    return place;
  }

private:
  bool isOfK(unsigned loop) const {
    return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
  }

  ArrayRef<int64_t> shapeOf(unsigned factor) const {
    return cast<RankedTensorType>(op.getDpsInputs()[factor].getType()).getShape();
  }

  /// The loop that a dimension is, beside loops of one step; nothing where it is none, or only a part.
  std::optional<unsigned> loopAt(unsigned factor, unsigned dimension) const {
    std::optional<unsigned> found;
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (sizes[loop] > 1 && maps[factor].getResult(dimension).isFunctionOfDim(loop)) {
        if (found || sizes[loop] != shapeOf(factor)[dimension])
          return std::nullopt;
        found = loop;
      }
    return found;
  }

  bool isPadded(unsigned factor, unsigned dimension) const {
    auto pad = op.getDpsInputs()[factor].getDefiningOp<tensor::PadOp>();
    return pad && pad.getPaddedDims().test(dimension);
  }

  unsigned lastOfK() const {
    unsigned last = 0;
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (isOfK(loop) && sizes[loop] > 1)
        last = loop;
    return last;
  }

  bool isInChunks(unsigned factor) const {
    int64_t neighbours = 1;
    std::optional<bool> isAlongK;
    for (unsigned dimension = shapeOf(factor).size(); dimension-- > 0;) {
      if (shapeOf(factor)[dimension] == 1)
        continue;
      const std::optional<unsigned> loop = loopAt(factor, dimension);
      if (!loop || isPadded(factor, dimension) || (isAlongK && *isAlongK != isOfK(*loop)) ||
          (!isAlongK && isOfK(*loop) && *loop != lastOfK()))
        break;
      isAlongK = isOfK(*loop);
      neighbours *= sizes[*loop];
    }
    return isAlongK && neighbours % elements == 0 && (*isAlongK || bytes == 2);
  }

  /// Constants are moved here and now.
  bool isWorthwhile(unsigned loop) const {
    int64_t products = 1;
    for (const int64_t size : sizes)
      products *= size;
    const auto isFree = [&](unsigned factor) {
      return *placeOf(factor, loop) + 1 == shapeOf(factor).size() ||
             matchPattern(op.getDpsInputs()[factor], m_Constant());
    };
    return llvm::all_of(ArrayRef<unsigned>{0, 1}, [&](unsigned factor) {
      return isFree(factor) || (products >= leastProducts &&
                                products / ShapedType::getNumElements(shapeOf(factor)) >= leastUses);
    });
  }

  mutable linalg::LinalgOp op;
  const SmallVector<AffineMap> maps;
  const SmallVector<int64_t> sizes;
  const int64_t bytes, elements;
};

/// Of 8 or 16 bits both, as tensor cores take them, in tensors of known sizes.
bool hasForm(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumReductionLoops() == 0 || op.hasDynamicShape() ||
      !llvm::all_of(op->getOperandTypes(), [](Type type) { return isa<RankedTensorType>(type); }))
    return false;
  const Type a = getElementTypeOrSelf(op.getDpsInputs()[0]), b = getElementTypeOrSelf(op.getDpsInputs()[1]);
  const auto isLinear = [](AffineMap map) { return map.getNumSymbols() == 0 && map.getNumResults() > 0; };
  return a == b && (a.isF16() || a.isBF16() || a.isSignlessInteger(8)) &&
         llvm::all_of(op.getIndexingMapsArray(), isLinear);
}

/// All dimensions but one, in order, and then that one.
SmallVector<int64_t> withLast(int64_t count, int64_t last) {
  SmallVector<int64_t> order;
  for (int64_t dimension = 0; dimension < count; ++dimension)
    if (dimension != last)
      order.push_back(dimension);
  order.push_back(last);
  return order;
}

template <class T> SmallVector<T> inOrder(ArrayRef<T> values, ArrayRef<int64_t> order) {
  SmallVector<T> made;
  for (const int64_t dimension : order)
    made.push_back(values[dimension]);
  return made;
}

/// A constant's bytes in another order of its dimensions.
DenseElementsAttr transposed(DenseElementsAttr constant, RankedTensorType type, ArrayRef<int64_t> order) {
  if (constant.isSplat())
    return constant.reshape(type);
  const auto from = cast<RankedTensorType>(constant.getType());
  const size_t bytes = from.getElementTypeBitWidth() / 8;
  SmallVector<int64_t> strides(from.getRank(), 1);
  for (int64_t dimension = from.getRank() - 1; dimension-- > 0;)
    strides[dimension] = strides[dimension + 1] * from.getDimSize(dimension + 1);
  const SmallVector<int64_t> steps = inOrder<int64_t>(strides, order);
  std::vector<char> made(constant.getRawData().size());
  SmallVector<int64_t> at(type.getRank(), 0);
  for (size_t place = 0; place < made.size(); place += bytes) {
    int64_t source = 0;
    for (auto [index, step] : llvm::zip(at, steps))
      source += index * step;
    std::copy_n(constant.getRawData().data() + source * bytes, bytes, made.data() + place);
    for (int64_t dimension = type.getRank();
         dimension-- > 0 && ++at[dimension] == type.getDimSize(dimension);)
      at[dimension] = 0;
  }
  return DenseElementsAttr::getFromRawBuffer(type, made);
}

Value transposed(Value value, ArrayRef<int64_t> order, IRRewriter &rewriter) {
  const auto from = cast<RankedTensorType>(value.getType());
  const auto type = RankedTensorType::get(inOrder(from.getShape(), order), from.getElementType());
  const Location loc = value.getLoc();
  if (auto pad = value.getDefiningOp<tensor::PadOp>(); pad && pad.getConstantPaddingValue()) {
    const auto low = pad.getMixedLowPad(), high = pad.getMixedHighPad();
    return rewriter.create<tensor::PadOp>(
        loc, type, transposed(pad.getSource(), order, rewriter), inOrder<OpFoldResult>(low, order),
        inOrder<OpFoldResult>(high, order), pad.getConstantPaddingValue(), pad.getNofold());
  }
  if (DenseElementsAttr constant; matchPattern(value, m_Constant(&constant)))
    return rewriter.create<arith::ConstantOp>(loc, transposed(constant, type, order));
  Value empty = rewriter.create<tensor::EmptyOp>(loc, type.getShape(), type.getElementType());
  return rewriter.create<linalg::TransposeOp>(loc, value, empty, order)->getResult(0);
}

void lineUp(linalg::GenericOp op, unsigned loop, IRRewriter &rewriter) {
  const Products products(op);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (unsigned factor = 0; factor < 2; ++factor) {
    const auto order = withLast(maps[factor].getNumResults(), *products.placeOf(factor, loop));
    if (llvm::is_sorted(order))
      continue;
    Value moved = transposed(op.getDpsInputs()[factor], order, rewriter);
    rewriter.modifyOpInPlace(op, [&] { op->setOperand(factor, moved); });
    maps[factor] = AffineMap::get(maps[factor].getNumDims(), 0, inOrder(maps[factor].getResults(), order),
                                  op.getContext());
  }
  rewriter.modifyOpInPlace(op, [&] { op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps)); });
  const auto loops = withLast(op.getNumLoops(), loop);
  if (!llvm::is_sorted(loops))
    (void)linalg::interchangeGenericOp(rewriter, op, SmallVector<unsigned>(loops.begin(), loops.end()));
}

} // namespace

void lineUpFactors(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  SmallVector<linalg::LinalgOp> ops;
  kernel.walk([&](linalg::LinalgOp op) {
    if (hasForm(op))
      ops.push_back(op);
  });
  for (linalg::LinalgOp op : ops) {
    const std::optional<unsigned> loop = Products(op).loopToMove();
    if (!loop)
      continue;
    rewriter.setInsertionPoint(op);
    if (const FailureOr<linalg::GenericOp> general = asGeneric(op, rewriter); succeeded(general)) {
      rewriter.setInsertionPoint(*general);
      lineUp(*general, *loop, rewriter);
    }
  }
}

} // namespace daedalus::cuda
