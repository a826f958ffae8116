// See ImageLayouts.h. A permutation that moves no element is a reshape.

#include "ImageLayouts.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace daedalus::qnn {

using namespace mlir;

bool movesElements(ArrayRef<int64_t> shape, ArrayRef<int64_t> permutation) {
  int64_t last = -1;
  for (int64_t from : permutation) {
    if (shape[from] == 1)
      continue;
    if (from < last)
      return true;
    last = from;
  }
  return false;
}

/// The elements of `data` of shape [a, b, c] in the order [a, c, b].
template <class T> static std::vector<T> swappedInner(ArrayRef<T> data, int64_t a, int64_t b, int64_t c) {
  std::vector<T> result(data.size());
  for (int64_t i = 0; i < a; ++i)
    for (int64_t j = 0; j < b; ++j)
      for (int64_t k = 0; k < c; ++k)
        result[(i * c + k) * b + j] = data[(i * b + j) * c + k];
  return result;
}

DenseElementsAttr swappedInner(DenseElementsAttr elements, int64_t a, int64_t b, int64_t c,
                               ArrayRef<int64_t> shape) {
  const auto swap = [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> data(elements.value_begin<T>(), elements.value_end<T>());
    return DenseElementsAttr::get(elements.getType().clone(shape),
                                  ArrayRef<T>(swappedInner<T>(data, a, b, c)));
  };
  if (elements.getElementType().isF32())
    return swap(float());
  return elements.getElementType().isInteger(16) ? swap(int16_t()) : swap(int8_t());
}

Sizes imageShape(Value value) {
  Sizes shape(shapeOf(value));
  if (shape.size() == 3)
    shape.insert(shape.begin() + 2, 1);
  return shape;
}

RankedTensorType imageType(Value value) {
  return tensorType(value).clone(permuted(imageShape(value), channelsLast));
}

void ImageLayouts::define(Operation *op, Value value, Source like) {
  sources[op->getResult(0)] = {value, like.kind};
}

std::optional<ImageLayouts::Source> ImageLayouts::sourceOf(Value value) const {
  auto found = sources.find(value);
  return found == sources.end() ? std::nullopt : std::optional(found->second);
}

bool ImageLayouts::isOfImage(Value value) const {
  const auto source = sourceOf(value);
  return source && source->kind == Source::Image;
}

Value ImageLayouts::image(Value value, Location loc) {
  const Sizes from = imageShape(value), shape = permuted(from, channelsLast);
  if (isOfImage(value))
    return reshaped(sourceOf(value)->value, shape, loc);
  if (DenseElementsAttr elements = constantOf(value))
    return builder.create<tosa::ConstOp>(value.getLoc(), tensorType(value).clone(shape),
                                         swappedInner(elements, from[0], from[1], from[2] * from[3], shape));
  return transposed(reshaped(inOrder(value, loc), from, loc), channelsLast, loc);
}

/// Whether the image is a transposition of the value itself, which lies in ONNX's order then.
static bool liesInOrder(Value value, const ImageLayouts::Source &source) {
  auto transpose = source.value.getDefiningOp<tosa::TransposeOp>();
  return transpose && transpose.getInput1() == value;
}

Value ImageLayouts::inOrder(Value value, Location loc) {
  const auto source = sourceOf(value);
  if (!source || liesInOrder(value, *source))
    return value;
  Value ordered =
      source->kind == Source::Rows ? source->value : transposed(source->value, channelsFirst, loc);
  return reshaped(ordered, shapeOf(value), loc);
}

void ImageLayouts::readInOrder(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    operand.set(inOrder(operand.get(), op->getLoc()));
}

Value ImageLayouts::reshaped(Value value, ArrayRef<int64_t> shape, Location loc) {
  if (shapeOf(value) == shape)
    return value;
  return qnn::reshaped(builder, loc, value, shape);
}

Value ImageLayouts::transposed(Value value, ArrayRef<int64_t> permutation, Location loc) {
  const Sizes shape = permuted(shapeOf(value), permutation);
  if (!movesElements(shapeOf(value), permutation))
    return reshaped(value, shape, loc);
  ++transposes;
  return qnn::transposed(builder, loc, value, permutation);
}

Value ImageLayouts::ofRank(Value value, size_t rank, Location loc) {
  Sizes shape(shapeOf(value));
  if (shape.size() == rank)
    return value;
  shape.insert(shape.begin(), rank - shape.size(), 1);
  if (DenseElementsAttr elements = constantOf(value))
    return builder.create<tosa::ConstOp>(value.getLoc(), tensorType(value).clone(shape),
                                         elements.reshape(elements.getType().clone(shape)));
  return reshaped(inOrder(value, loc), shape, loc);
}

ImageLayouts::Lying ImageLayouts::lyingOf(Value value, Location loc) {
  const ArrayRef<int64_t> shape = shapeOf(value);
  if (const auto source = sourceOf(value); source && liesInOrder(value, *source))
    return {value, identityOrder(value)};
  if (isOfImage(value) && shape.size() == 4)
    return {sourceOf(value)->value, {0, 3, 1, 2}};
  if (isOfImage(value) && shape.size() == 3)
    return {reshaped(sourceOf(value)->value, {shape[0], shape[2], shape[1]}, loc), {0, 2, 1}};
  return {inOrder(value, loc), identityOrder(value)};
}

} // namespace daedalus::qnn
