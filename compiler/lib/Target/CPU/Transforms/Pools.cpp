// On tensors of tiles: maxima of windows as those of their columns, then those of rows of these.

#include "MicroKernels/Contraction.h"
#include "Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

/// Of a dimension of the input along which windows lie.
struct Along {
  unsigned dimension;
  int64_t stride, dilation, size; ///< the last one of the window
};

/// The maxima of windows along two dimensions, of which each loop of the output is that of the input.
struct MaxPool {
  mutable linalg::LinalgOp op;
  Operation *join;     ///< the operation of the body, a maximum of two
  Along columns, rows; ///< windows are columns along the dimension that comes first
  static std::optional<MaxPool> of(linalg::LinalgOp op);

  OpOperand *input() const { return op.getDpsInputOperand(0); }
  ArrayRef<int64_t> shape() const { return cast<RankedTensorType>(input()->get().getType()).getShape(); }
};

Operation *maximumOf(linalg::LinalgOp op) {
  Operation *join = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  const auto arguments = op.getBlock()->getArguments();
  const auto isBoth = [&](Value a, Value b) { return a == arguments.front() && b == arguments.back(); };
  return isa_and_nonnull<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(join) &&
                 (isBoth(join->getOperand(0), join->getOperand(1)) ||
                  isBoth(join->getOperand(1), join->getOperand(0)))
             ? join
             : nullptr;
}

std::optional<MaxPool> MaxPool::of(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() != 2 || op.getNumDpsInputs() < 1 || op.getNumDpsInits() != 1 ||
      op.hasDynamicShape() || !op->getNumRegions() || llvm::is_contained(op.getStaticLoopRanges(), 0))
    return std::nullopt;
  Operation *join = maximumOf(op);
  const auto rows = coefficientsOf(op.getMatchingIndexingMap(op.getDpsInputOperand(0)));
  const AffineMap output = op.getIndexingMapsArray().back();
  if (!join || !rows || !output.isProjectedPermutation() || rows->size() != output.getNumResults())
    return std::nullopt;
  SmallVector<Along> windows;
  for (auto [dimension, row] : llvm::enumerate(*rows)) {
    Along along{unsigned(dimension), row[output.getDimPosition(dimension)], 0, 0};
    for (auto [loop, coefficient] : llvm::enumerate(row)) {
      if (loop == output.getDimPosition(dimension) || coefficient == 0)
        continue;
      if (along.dilation || !linalg::isReductionIterator(op.getIteratorTypesArray()[loop]))
        return std::nullopt;
      along.dilation = coefficient;
      along.size = op.getStaticLoopRanges()[loop];
    }
    if (along.dilation)
      windows.push_back(along);
    else if (along.stride != 1)
      return std::nullopt;
  }
  if (windows.size() != 2 || windows[0].dimension + 1 != windows[1].dimension)
    return std::nullopt;
  return MaxPool{op, join, windows[0], windows[1]};
}

/// What pads the input; null where nothing does.
tensor::PadOp padOf(const MaxPool &pool) {
  Value value = pool.input()->get();
  if (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  return value.getDefiningOp<tensor::PadOp>();
}

/// What is read and written for an element of the output, in vectors: every second number of a row costs two
/// of them and a permutation. As a whole its input is copied where it is padded.
bool isLessInTwo(const MaxPool &pool) {
  const bool isAlongRows = pool.rows.dimension + 1 == pool.shape().size();
  const int64_t ofRow = pool.rows.size * (isAlongRows && pool.rows.stride > 1 ? 3 : 1);
  const int64_t ofCopy = padOf(pool) ? 2 * pool.rows.stride * pool.columns.size : 0;
  const int64_t again = 2 * pool.rows.stride; // columns are stored, and loaded again
  return pool.rows.stride * pool.columns.size + ofRow + again < pool.columns.size * ofRow + ofCopy;
}

/// What a pool reads, without its padding along the rows.
class Input {
public:
  Input(const MaxPool &pool, OpBuilder &b) : b(b), loc(pool.op.getLoc()), dimension(pool.rows.dimension) {
    padded = pool.input()->get();
    shape.assign(pool.shape().begin(), pool.shape().end());
    pad = padOf(pool);
    if (!pad || !pad.getConstantPaddingValue() || ShapedType::isDynamic(pad.getStaticLow()[dimension]) ||
        ShapedType::isDynamic(pad.getStaticHigh()[dimension])) {
      pad = nullptr;
      return;
    }
    low = pad.getStaticLow()[dimension];
    high = pad.getStaticHigh()[dimension];
    shape[dimension] -= low + high;
  }

  /// Null where nothing is padded in rows.
  Value fill() { return low + high ? pad.getConstantPaddingValue() : Value(); }

  /// With the rest of its padding.
  Value get() {
    if (!fill())
      return padded;
    SmallVector<OpFoldResult> lows = pad.getMixedLowPad(), highs = pad.getMixedHighPad();
    lows[dimension] = highs[dimension] = b.getIndexAttr(0);
    const auto isNone = [](OpFoldResult size) { return isConstantIntValue(size, 0); };
    if (llvm::all_of(lows, isNone) && llvm::all_of(highs, isNone))
      return pad.getSource();
    return b.create<tensor::PadOp>(loc, type(), pad.getSource(), lows, highs, pad.getConstantPaddingValue());
  }

  /// Whether more than rows is padded, where that differs from tile to tile; else null.
  Value isAtEdge() {
    SmallVector<Value> dynamic;
    if (pad) {
      dynamic.append(pad.getLow().begin(), pad.getLow().end());
      dynamic.append(pad.getHigh().begin(), pad.getHigh().end());
      for (auto [i, size] : llvm::enumerate(llvm::zip(pad.getStaticLow(), pad.getStaticHigh())))
        for (int64_t known : {std::get<0>(size), std::get<1>(size)})
          if (i != dimension && !ShapedType::isDynamic(known) && known != 0)
            return nullptr;
    }
    if (dynamic.empty() || !slice())
      return nullptr;
    Value sum = dynamic.front();
    for (Value size : llvm::drop_begin(dynamic))
      sum = b.create<arith::OrIOp>(loc, sum, size);
    return b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, sum,
                                   b.create<arith::ConstantIndexOp>(loc, 0));
  }

  /// The part of a tensor that it is in all other tiles.
  Value insidePart() {
    return b.create<tensor::ExtractSliceOp>(loc, type(), slice().getSource(), slice().getMixedOffsets(),
                                            getAsIndexOpFoldResult(b.getContext(), shape),
                                            slice().getMixedStrides());
  }

  RankedTensorType type() {
    return RankedTensorType::get(shape, cast<RankedTensorType>(padded.getType()).getElementType());
  }

  int64_t low = 0, high = 0; ///< of its rows

private:
  /// Of what the padded elements are a part; null where they are none, or of another rank.
  tensor::ExtractSliceOp slice() {
    auto part = pad ? pad.getSource().getDefiningOp<tensor::ExtractSliceOp>() : nullptr;
    return part && part.getSourceType().getRank() == int64_t(shape.size()) ? part : nullptr;
  }

  OpBuilder &b;
  const Location loc;
  const unsigned dimension;
  Value padded;
  tensor::PadOp pad;
  SmallVector<int64_t> shape;
};

/// Row by row of the output: the maxima of the columns of its windows, then those of rows of these.
class Separation {
public:
  Separation(const MaxPool &pool, linalg::FillOp fill)
      : pool(pool), fill(fill), b(pool.op), loc(pool.op.getLoc()), input(pool, b), row(pool.rows.dimension) {}

  void run() {
    const Value place = fill.getOutputs()[0];
    Value isAtEdge = input.isAtEdge(), result;
    if (isAtEdge) {
      auto either = b.create<scf::IfOp>(loc, TypeRange(place.getType()), isAtEdge, true, true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(either.thenBlock());
      b.create<scf::YieldOp>(loc, maximaOf(input.get(), place));
      b.setInsertionPointToStart(either.elseBlock());
      b.create<scf::YieldOp>(loc, maximaOf(input.insidePart(), place));
      result = either.getResult(0);
    } else {
      result = maximaOf(input.get(), place);
    }
    pool.op->getResult(0).replaceAllUsesWith(result);
    pool.op->erase();
    if (fill->use_empty())
      fill->erase();
  }

private:
  using Sizes = SmallVector<int64_t>;
  using Indices = SmallVector<OpFoldResult>;

  Value maximaOf(Value source, Value place) {
    Sizes shape(cast<RankedTensorType>(source.getType()).getShape());
    std::fill_n(shape.begin(), row, 1);
    shape[pool.columns.dimension] = rowsAtOnce(place);
    Value line = emptyLine(shape);
    const auto iteration = [&](OpBuilder &, Location, ValueRange at, ValueRange carried) -> scf::ValueVector {
      return rowOf(at, source, carried[0], carried[1], shape);
    };
    SmallVector<Value> zeros(row, number(0)), steps(row, number(1)), ends;
    steps.back() = number(shape[pool.columns.dimension]);
    for (int64_t size : cast<RankedTensorType>(place.getType()).getShape().take_front(row))
      ends.push_back(number(size));
    return scf::buildLoopNest(b, loc, zeros, ends, steps, {place, line}, iteration).results[0];
  }

  /// Computes one row of the output, and leaves its columns in `line`.
  scf::ValueVector rowOf(ValueRange at, Value source, Value place, Value line, Sizes shape) {
    const Along &columns = pool.columns;
    Sizes ofColumns = shape, ofRow = shape;
    ofColumns[columns.dimension] =
        (shape[columns.dimension] - 1) * columns.stride + (columns.size - 1) * columns.dilation + 1;
    ofRow[row] = cast<RankedTensorType>(place.getType()).getShape()[row];
    Indices from(at.begin(), at.end()), to(at.begin(), at.end());
    Value first = b.create<arith::MulIOp>(loc, at[columns.dimension], number(columns.stride));
    from[columns.dimension] = first;
    from.resize(shape.size(), b.getIndexAttr(0));
    to.resize(shape.size(), b.getIndexAttr(0));
    Value maxima = pooled(part(source, ofColumns, from), part(line, shape, inLine(0)), columns);
    line = inserted(maxima, line, shape, inLine(0));
    shape[row] += input.low + input.high;
    maxima = pooled(part(line, shape, inLine(-input.low)), part(place, ofRow, to), pool.rows);
    return {inserted(maxima, place, ofRow, to), line};
  }

  /// Of short rows several, so that loops are not short.
  int64_t rowsAtOnce(Value place) {
    const int64_t size = cast<RankedTensorType>(place.getType()).getShape()[pool.columns.dimension];
    constexpr int64_t enoughBytes = 1024;
    int64_t bytes = input.type().getElementTypeBitWidth() / 8;
    for (int64_t inner : input.type().getShape().drop_front(row))
      bytes *= inner;
    int64_t rows = std::clamp<int64_t>(enoughBytes / std::max<int64_t>(bytes, 1), 1, size);
    while (size % rows != 0)
      --rows;
    return rows;
  }

  /// For columns of one row, which begin with a line of the caches, between what pads them.
  Value emptyLine(Sizes shape) {
    const int64_t size = shape[row];
    const int64_t whole = frontOfLine() + size + input.high;
    shape[row] = isLast() ? llvm::alignTo(whole, elementsOfLine()) : whole;
    Value line = b.create<tensor::EmptyOp>(loc, shape, input.type().getElementType());
    line = filled(line, shape, -input.low, input.low);
    return filled(line, shape, size, input.high);
  }

  bool isLast() { return row + 1 == input.type().getRank(); }
  int64_t elementsOfLine() { return 64 * 8 / input.type().getElementTypeBitWidth(); }
  int64_t frontOfLine() { return isLast() ? llvm::alignTo(input.low, elementsOfLine()) : input.low; }

  /// The place of a column in emptyLine.
  Indices inLine(int64_t column) {
    Indices at(input.type().getRank(), b.getIndexAttr(0));
    at[row] = b.getIndexAttr(frontOfLine() + column);
    return at;
  }

  Value filled(Value line, Sizes shape, int64_t column, int64_t count) {
    if (count == 0)
      return line;
    shape[row] = count;
    Value place = part(line, shape, inLine(column));
    place = b.create<linalg::FillOp>(loc, input.fill(), place).getResult(0);
    return inserted(place, line, shape, inLine(column));
  }

  Value number(int64_t value) { return b.create<arith::ConstantIndexOp>(loc, value); }

  Indices unitSteps() { return Indices(input.type().getRank(), b.getIndexAttr(1)); }

  Value part(Value all, ArrayRef<int64_t> shape, ArrayRef<OpFoldResult> at) {
    return b.create<tensor::ExtractSliceOp>(loc, all, at, getAsIndexOpFoldResult(b.getContext(), shape),
                                            unitSteps());
  }

  Value inserted(Value value, Value all, ArrayRef<int64_t> shape, ArrayRef<OpFoldResult> at) {
    return b.create<tensor::InsertSliceOp>(loc, value, all, at, getAsIndexOpFoldResult(b.getContext(), shape),
                                           unitSteps());
  }

  /// The maxima of windows along one dimension.
  Value pooled(Value source, Value place, const Along &along) {
    const unsigned rank = cast<RankedTensorType>(place.getType()).getRank();
    MLIRContext *context = b.getContext();
    SmallVector<AffineExpr> ofInput;
    for (unsigned i = 0; i < rank; ++i)
      ofInput.push_back(getAffineDimExpr(i, context));
    const AffineExpr window = getAffineDimExpr(rank, context);
    ofInput[along.dimension] = ofInput[along.dimension] * along.stride + window * along.dilation;
    const SmallVector<AffineMap> maps{AffineMap::get(rank + 1, 0, ofInput, context),
                                      AffineMap::get(rank + 1, 0, {window}, context),
                                      AffineMap::getMultiDimIdentityMap(rank + 1, context).dropResult(rank)};
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    loops.push_back(utils::IteratorType::reduction);
    Value extent = b.create<tensor::EmptyOp>(loc, ArrayRef{along.size}, b.getI8Type());
    Value least = b.create<linalg::FillOp>(loc, fill.getInputs()[0], place).getResult(0);
    const auto body = [&](OpBuilder &inner, Location, ValueRange x) {
      Operation *join = inner.create(loc, pool.join->getName().getIdentifier(),
                                     ValueRange{x.back(), x.front()}, x.front().getType());
      inner.create<linalg::YieldOp>(loc, join->getResult(0));
    };
    return b
        .create<linalg::GenericOp>(loc, place.getType(), ValueRange{source, extent}, least, maps, loops, body)
        .getResult(0);
  }

  const MaxPool pool;
  linalg::FillOp fill; ///< of what the maxima begin with
  OpBuilder b;
  const Location loc;
  Input input;
  const unsigned row; ///< the dimension of rows, behind that of columns
};

} // namespace

int64_t elementsOfPooledRow(linalg::LinalgOp op) {
  constexpr int64_t most = 65536; // of which the columns stay in the second cache
  const std::optional<MaxPool> pool = MaxPool::of(op);
  if (!pool || !isLessInTwo(*pool))
    return 1;
  const auto shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  const int64_t elements = ShapedType::getNumElements(shape.drop_front(pool->rows.dimension));
  return elements <= most ? elements : 1;
}

void separatePools(func::FuncOp kernel) {
  for (linalg::LinalgOp op : linalgOps(kernel)) {
    const std::optional<MaxPool> pool = MaxPool::of(op);
    auto fill = pool ? op.getDpsInits()[0].getDefiningOp<linalg::FillOp>() : nullptr;
    if (fill && isLessInTwo(*pool))
      Separation(*pool, fill).run();
  }
}

} // namespace daedalus::cpu
