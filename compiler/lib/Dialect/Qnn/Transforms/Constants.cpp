// See Constants.h.

#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include "llvm/ADT/Sequence.h"

#include <cmath>
#include <limits>

namespace daedalus::qnn {

using namespace mlir;

RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

bool isByte(Type element) {
  auto type = dyn_cast<UniformType>(element);
  return type && type.getStorageTypeIntegralWidth() == 8;
}

/// The largest size of an element less its zero point.
static int64_t mostOf(UniformType type) {
  return std::max(type.getStorageTypeMax() - type.getZeroPoint(),
                  type.getZeroPoint() - type.getStorageTypeMin());
}

int64_t mostOfProduct(UniformType left, UniformType right) {
  return mostOf(left) * mostOf(right);
}

int64_t mostProducts(UniformType left, UniformType right) {
  return std::numeric_limits<int32_t>::max() / mostOfProduct(left, right);
}

DenseElementsAttr constantOf(Value value) {
  auto constant = value ? value.getDefiningOp<tosa::ConstOp>() : nullptr;
  return constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
}

Value dequantized(Value real) {
  auto cast = real ? real.getDefiningOp<quant::DequantizeCastOp>() : nullptr;
  return cast ? cast.getArg() : nullptr;
}

Value dequantizedActivation(Value real) {
  Value quantized = dequantized(real);
  if (!quantized || constantOf(quantized))
    return nullptr;
  return isByte(tensorType(quantized).getElementType()) ? quantized : nullptr;
}

ScaleOf::ScaleOf(RankedTensorType type)
    : uniform(dyn_cast<UniformType>(type.getElementType())),
      perAxis(dyn_cast<PerAxisType>(type.getElementType())) {
  if (perAxis)
    for (int64_t size : type.getShape().drop_front(perAxis.getQuantizedDimension() + 1))
      inner *= size;
}

bool ScaleOf::hasZeroPoints() const {
  const auto isAny = [](int64_t zeroPoint) { return zeroPoint != 0; };
  return perAxis ? llvm::any_of(perAxis.getZeroPoints(), isAny) : uniform.getZeroPoint() != 0;
}

int64_t quantizeValue(float x, double scale, int64_t zeroPoint, int64_t lo, int64_t hi) {
  const double rounded = std::nearbyint(x / static_cast<float>(scale)) + static_cast<double>(zeroPoint);
  if (std::isnan(rounded))
    return zeroPoint;
  return static_cast<int64_t>(std::min<double>(hi, std::max<double>(lo, rounded)));
}

int64_t quantizeValue(float x, UniformType type) {
  return quantizeValue(x, type.getScale(), type.getZeroPoint(), type.getStorageTypeMin(),
                       type.getStorageTypeMax());
}

float realValue(int64_t q, double scale, int64_t zeroPoint) {
  return static_cast<float>(q - zeroPoint) * static_cast<float>(scale);
}

float realValue(int64_t q, UniformType type) {
  return realValue(q, type.getScale(), type.getZeroPoint());
}

SmallVector<int64_t> identityOrder(Value tensor) {
  return llvm::to_vector(llvm::seq<int64_t>(0, tensorType(tensor).getRank()));
}

SmallVector<int64_t> permuted(ArrayRef<int64_t> shape, ArrayRef<int64_t> order) {
  SmallVector<int64_t> result;
  for (int64_t from : order)
    result.push_back(shape[from]);
  return result;
}

Value reshaped(OpBuilder &builder, Location loc, Value tensor, ArrayRef<int64_t> shape) {
  return builder.create<tosa::ReshapeOp>(loc, tensorType(tensor).clone(shape), tensor,
                                         builder.getDenseI64ArrayAttr(shape));
}

Value transposed(OpBuilder &builder, Location loc, Value tensor, ArrayRef<int64_t> order) {
  const auto type = RankedTensorType::get(int64_t(order.size()), builder.getI64Type());
  Value permutation = builder.create<tosa::ConstOp>(loc, type, DenseElementsAttr::get(type, order));
  return builder.create<tosa::TransposeOp>(loc, tensorType(tensor).clone(permuted(shapeOf(tensor), order)),
                                           tensor, permutation);
}

std::vector<int64_t> integersOf(DenseElementsAttr elements, bool isSigned) {
  std::vector<int64_t> values;
  values.reserve(elements.getNumElements());
  if (elements.getElementType().isInteger(8)) {
    for (const int8_t value : elements.getValues<int8_t>())
      values.push_back(isSigned ? value : static_cast<uint8_t>(value));
    return values;
  }
  for (const APInt &value : elements.getValues<APInt>())
    values.push_back(isSigned ? value.getSExtValue() : static_cast<int64_t>(value.getZExtValue()));
  return values;
}

bool isRealConstant(Value value) {
  const DenseElementsAttr plain = constantOf(value);
  return (plain && plain.getElementType().isF32()) || constantOf(dequantized(value));
}

std::optional<std::vector<float>> realNumbers(Value value) {
  if (const DenseElementsAttr plain = constantOf(value); plain && plain.getElementType().isF32())
    return std::vector<float>(plain.value_begin<float>(), plain.value_end<float>());
  Value quantized = dequantized(value);
  const DenseElementsAttr elements = constantOf(quantized);
  if (!elements)
    return std::nullopt;
  const RankedTensorType type = tensorType(quantized);
  const ScaleOf of(type);
  std::vector<float> numbers;
  for (auto [i, q] :
       llvm::enumerate(integersOf(elements, cast<quant::QuantizedType>(type.getElementType()).isSigned())))
    numbers.push_back(realValue(q, of.scale(i), of.zeroPoint(i)));
  return numbers;
}

Type signedType(MLIRContext *context, unsigned bits, ArrayRef<double> scales, int32_t axis) {
  const Type storage = IntegerType::get(context, bits), real = Float32Type::get(context);
  const int64_t hi = (int64_t(1) << (bits - 1)) - 1;
  if (scales.size() == 1)
    return UniformType::get(quant::QuantizationFlags::Signed, storage, real, scales[0], 0, -hi - 1, hi);
  const SmallVector<int64_t> zeroPoints(scales.size(), 0);
  return PerAxisType::get(quant::QuantizationFlags::Signed, storage, real, scales, zeroPoints, axis, -hi - 1,
                          hi);
}

template <class T>
static Value constant(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, Type element,
                      ArrayRef<T> values) {
  auto stored = RankedTensorType::get(shape, builder.getIntegerType(8 * sizeof(T)));
  return builder.create<tosa::ConstOp>(loc, RankedTensorType::get(shape, element),
                                       DenseElementsAttr::get(stored, values));
}

Value quantizedConstant(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, Type element,
                        ArrayRef<int8_t> values) {
  return constant(builder, loc, shape, element, values);
}
Value quantizedConstant(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, Type element,
                        ArrayRef<int16_t> values) {
  return constant(builder, loc, shape, element, values);
}
Value quantizedConstant(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, Type element,
                        ArrayRef<int32_t> values) {
  return constant(builder, loc, shape, element, values);
}

} // namespace daedalus::qnn
