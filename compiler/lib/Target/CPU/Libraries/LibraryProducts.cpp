// How a sum of products reads and writes its tensors, compared with a product of matrices and with a
// convolution: whatever operation it was written as.

#include "LibraryProducts.h"

#include "MicroKernels/Contraction.h"

#include "daedalus/Analysis/Views.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

RankedTensorType withShape(ArrayRef<int64_t> shape, Value value) {
  return RankedTensorType::get(shape, typeOf(value).getElementType());
}

/// The loops that the results of a map are; none where one is anything else.
SmallVector<unsigned> loopsOf(AffineMap map) {
  SmallVector<unsigned> loops;
  for (AffineExpr result : map.getResults())
    if (const std::optional<unsigned> loop = loopOf(result))
      loops.push_back(*loop);
  return loops.size() == map.getNumResults() ? loops : SmallVector<unsigned>();
}

/// Whether a factor is [batch,] rows and columns, or transposed.
std::optional<bool> isTransposed(ArrayRef<unsigned> loops, ArrayRef<unsigned> batch, unsigned row,
                                 unsigned column) {
  if (loops.size() != batch.size() + 2 || loops.drop_back(2) != batch)
    return std::nullopt;
  const ArrayRef<unsigned> matrix = loops.take_back(2);
  if (matrix == ArrayRef<unsigned>{row, column})
    return false;
  return matrix == ArrayRef<unsigned>{column, row} ? std::optional(true) : std::nullopt;
}

} // namespace

std::optional<LibraryCall> matMulOf(linalg::LinalgOp op) {
  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  const SmallVector<unsigned> out = loopsOf(maps[2]);
  if ((out.size() != 2 && out.size() != 3) || op.getNumLoops() != out.size() + 1 ||
      op.getNumReductionLoops() != 1)
    return std::nullopt;
  const ArrayRef<unsigned> batch = ArrayRef(out).drop_back(2);
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  for (unsigned left : {0, 1}) {
    const auto a = isTransposed(loopsOf(maps[left]), batch, out[out.size() - 2], reductions[0]);
    const auto b = isTransposed(loopsOf(maps[1 - left]), batch, reductions[0], out.back());
    if (!a || !b)
      continue;
    const Value factors[] = {op.getDpsInputs()[left], op.getDpsInputs()[1 - left]};
    const Value result = op->getResult(0);
    return LibraryCall{"matmul",
                       {factors[0], factors[1]},
                       {typeOf(factors[0]), typeOf(factors[1])},
                       typeOf(result),
                       {*a, *b, 0},
                       result};
  }
  return std::nullopt;
}

namespace {

/// A convolution of images with their channels last, whose loops are
///   N, OH, OW, [groups,] OC of the group | KH, KW, C of the group
struct Window {
  mutable linalg::LinalgOp op;
  SmallVector<unsigned> out, filter;       ///< loops of their dimensions
  SmallVector<SmallVector<int64_t>> steps; ///< of the image's dimensions with each loop
  bool isGrouped = false;

  static std::optional<Window> of(linalg::LinalgOp op) {
    const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    const auto steps = coefficientsOf(maps[0]);
    Window window{op, loopsOf(maps[2]), loopsOf(maps[1]),
                  steps.value_or(SmallVector<SmallVector<int64_t>>())};
    const size_t rank = window.out.size();
    window.isGrouped = rank == 5;
    const bool fits = (rank == 4 || rank == 5) && window.filter.size() == rank &&
                      window.steps.size() == rank && op.getNumLoops() == rank + 3 &&
                      op.getNumReductionLoops() == 3 && window.areLoopsInPlace();
    return fits ? std::optional(window) : std::nullopt;
  }

  unsigned groupLoop() const { return out[3]; }
  unsigned spatial(unsigned d) const { return out[1 + d]; }
  unsigned kernel(unsigned d) const { return filter[filter.size() - 3 + d]; }
  int64_t stride(unsigned d) const { return steps[1 + d][spatial(d)]; }
  int64_t dilation(unsigned d) const { return steps[1 + d][kernel(d)]; }

private:
  /// That dimension `result` of the image is `loop`, or the sum of these two.
  bool isRead(unsigned result, ArrayRef<unsigned> loops) const {
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
      const int64_t step = steps[result][loop];
      if (llvm::is_contained(loops, loop) ? step < 1 || (loops.size() == 1 && step != 1) : step != 0)
        return false;
    }
    return true;
  }

  bool areLoopsInPlace() const {
    const bool isOfFilter =
        isGrouped ? filter[0] == groupLoop() && filter[1] == out.back() : filter[0] == out.back();
    return isOfFilter && isRead(0, {out[0]}) && isRead(1, {spatial(0), kernel(0)}) &&
           isRead(2, {spatial(1), kernel(1)}) && (!isGrouped || isRead(3, {groupLoop()})) &&
           isRead(steps.size() - 1, {filter.back()});
  }
};

/// What is padded with zeros around the image's rows and columns; else the value itself.
Value withoutPads(Value value, MutableArrayRef<int64_t> pads) {
  auto pad = value.getDefiningOp<tensor::PadOp>();
  if (!pad || !pad.getConstantPaddingValue() || !isZero(pad.getConstantPaddingValue()) ||
      ShapedType::isDynamicShape(pad.getStaticLow()) || ShapedType::isDynamicShape(pad.getStaticHigh()))
    return value;
  const ArrayRef<int64_t> low = pad.getStaticLow(), high = pad.getStaticHigh();
  const auto isNegative = [](int64_t size) { return size < 0; };
  if (low[0] || low[3] || high[0] || high[3] || llvm::any_of(low, isNegative) ||
      llvm::any_of(high, isNegative))
    return value;
  for (unsigned d : {0, 1})
    pads[d] = low[1 + d], pads[2 + d] = high[1 + d];
  return pad.getSource();
}

} // namespace

std::optional<LibraryCall> convolutionOf(linalg::LinalgOp op) {
  const std::optional<Window> window = Window::of(op);
  if (!window)
    return std::nullopt;
  const Value result = op->getResult(0), filter = op.getDpsInputs()[1];
  const ArrayRef<int64_t> in = typeOf(op.getDpsInputs()[0]).getShape(), out = typeOf(result).getShape();
  SmallVector<int64_t> weights(typeOf(filter).getShape()), image(in), product(out);
  if (window->isGrouped) {
    image = {in[0], in[1], in[2], in[3] * in[4]};
    product = {out[0], out[1], out[2], out[3] * out[4]};
  } else {
    weights.insert(weights.begin(), 1);
  }
  for (unsigned d : {0, 1})
    if ((image[1 + d] - (weights[2 + d] - 1) * window->dilation(d) - 1) / window->stride(d) + 1 !=
        product[1 + d])
      return std::nullopt; // rows that nobody asks for
  Value x = op.getDpsInputs()[0];
  int64_t pads[4] = {0, 0, 0, 0};
  if (typeOf(rootOf(x)).getShape() == ArrayRef(image))
    x = withoutPads(rootOf(x), pads);
  const RankedTensorType type = withShape(image, x);
  return LibraryCall{
      "conv",
      {x, filter},
      {pads[0] || pads[1] || pads[2] || pads[3] ? typeOf(x) : type, withShape(weights, filter)},
      withShape(product, result),
      {window->stride(0), window->stride(1), pads[0], pads[1], pads[2], pads[3], window->dilation(0),
       window->dilation(1), 0},
      result};
}

} // namespace daedalus::cpu
