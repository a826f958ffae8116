// Verifiers of the qnn operations on quantized tensors.

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Quant/QuantTypes.h"

namespace daedalus::qnn {
namespace {

using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;
using mlir::Value;
using Shape = llvm::ArrayRef<int64_t>;

mlir::RankedTensorType tensorType(Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

Shape shapeOf(Value value) {
  return tensorType(value).getShape();
}

LogicalResult checkShape(Operation *op, Value value, llvm::StringRef name, unsigned rank) {
  const mlir::RankedTensorType type = tensorType(value);
  if (type.getRank() == rank && type.hasStaticShape() && type.getNumElements() > 0)
    return success();
  return op->emitOpError("has ") << name << " of type " << type << "; expected " << rank
                                 << " dimensions of at least 1";
}

/// Activations: int8 with one scale.
LogicalResult checkActivation(Operation *op, Value value, llvm::StringRef name, unsigned rank) {
  auto quantized = mlir::dyn_cast<mlir::quant::UniformQuantizedType>(tensorType(value).getElementType());
  if (!quantized || !quantized.isSigned() || quantized.getStorageTypeIntegralWidth() != 8 ||
      quantized.getStorageTypeMin() != -128 || quantized.getStorageTypeMax() != 127)
    return op->emitOpError("has ") << name << " of type " << value.getType()
                                   << "; expected elements of type !quant.uniform<i8:...> with one scale";
  return checkShape(op, value, name, rank);
}

/// Constants of one of these widths, with one scale or one along the first dimension and zero points of 0.
LogicalResult checkConstant(Operation *op, Value value, llvm::StringRef name, unsigned rank,
                            llvm::ArrayRef<unsigned> widths) {
  const mlir::Type element = tensorType(value).getElementType();
  auto quantized = mlir::dyn_cast<mlir::quant::QuantizedType>(element);
  bool isKnown = quantized && quantized.isSigned() &&
                 llvm::is_contained(widths, quantized.getStorageTypeIntegralWidth());
  if (auto uniform = mlir::dyn_cast<mlir::quant::UniformQuantizedType>(element))
    isKnown &= uniform.getZeroPoint() == 0;
  else if (auto perAxis = mlir::dyn_cast<mlir::quant::UniformQuantizedPerAxisType>(element))
    isKnown &= perAxis.getQuantizedDimension() == 0 && llvm::all_equal(perAxis.getZeroPoints()) &&
               perAxis.getZeroPoints().front() == 0 &&
               perAxis.getScales().size() == size_t(tensorType(value).getDimSize(0));
  else
    isKnown = false;
  if (!isKnown)
    return op->emitOpError("has ")
           << name << " of type " << value.getType()
           << "; expected quantized integers with zero point 0, and one scale or one along "
              "the first dimension";
  return checkShape(op, value, name, rank);
}

LogicalResult checkWeights(Operation *op, Value weights, Value bias, unsigned rank) {
  if (failed(checkConstant(op, weights, "weights", rank, {8, 16})) ||
      failed(checkConstant(op, bias, "bias", 1, {32})))
    return failure();
  if (shapeOf(bias)[0] == shapeOf(weights)[0])
    return success();
  return op->emitOpError("has ") << shapeOf(bias)[0] << " biases for " << shapeOf(weights)[0]
                                 << " output channels of its weights";
}

LogicalResult checkResult(Operation *op, Shape expected) {
  const Shape found = shapeOf(op->getResult(0));
  if (found == expected)
    return success();
  auto diagnostic = op->emitOpError("has a result of ");
  llvm::interleave(found, diagnostic, "x");
  diagnostic << " elements; expected ";
  llvm::interleave(expected, diagnostic, "x");
  return diagnostic;
}

/// How often windows fit along rows and columns of an image.
LogicalResult countWindows(Operation *op, Value image, Shape kernel, Shape pad, Shape strides,
                           Shape dilations, int64_t (&count)[2]) {
  constexpr int64_t most = int64_t(1) << 31; // of each number, so that none overflows
  for (const Shape numbers : {kernel, pad, strides, dilations})
    for (int64_t number : numbers)
      if (number > most)
        return op->emitOpError("has a window with ") << number << "; expected numbers up to 2^31";
  for (int d : {0, 1}) {
    const int64_t size = shapeOf(image)[1 + d] + pad[2 * d] + pad[2 * d + 1];
    const int64_t window = (kernel[d] - 1) * dilations[d] + 1;
    if (window > size)
      return op->emitOpError("has a window of ") << window << " in a padded image of " << size;
    count[d] = (size - window) / strides[d] + 1;
  }
  return success();
}

/// Whether every window covers an element of the image.
LogicalResult checkCover(Operation *op, Shape kernel, Shape pad, Shape dilations) {
  for (int d : {0, 1})
    for (int64_t padding : pad.slice(2 * d, 2))
      if (padding > (kernel[d] - 1) * dilations[d])
        return op->emitOpError("has padding ") << padding << ", as large as its window";
  return success();
}

/// Pools keep batch and channels.
LogicalResult checkPool(Operation *op, Shape kernel, Shape pad, Shape strides, Shape dilations) {
  const Value input = op->getOperand(0);
  int64_t count[2];
  if (failed(checkActivation(op, input, "an input", 4)) ||
      failed(checkActivation(op, op->getResult(0), "a result", 4)) ||
      failed(countWindows(op, input, kernel, pad, strides, dilations, count)) ||
      failed(checkCover(op, kernel, pad, dilations)))
    return failure();
  return checkResult(op, {shapeOf(input)[0], count[0], count[1], shapeOf(input)[3]});
}

LogicalResult checkBinary(Operation *op) {
  const Value output = op->getResult(0);
  const unsigned rank = tensorType(output).getRank();
  if (failed(checkActivation(op, output, "a result", rank)))
    return failure();
  llvm::SmallVector<int64_t> shape(rank, 1);
  for (Value operand : op->getOperands()) {
    if (failed(checkActivation(op, operand, "an operand", rank)))
      return failure();
    for (auto [size, at] : llvm::zip(shapeOf(operand), shape))
      if (at == 1)
        at = size;
      else if (size != 1 && size != at)
        return op->emitOpError("has operands of types ")
               << op->getOperand(0).getType() << " and " << operand.getType() << ", which do not broadcast";
  }
  return checkResult(op, shape);
}

} // namespace

LogicalResult ConvOp::verify() {
  int64_t count[2];
  if (failed(checkActivation(*this, getInput(), "an input", 4)) ||
      failed(checkActivation(*this, getOutput(), "a result", 4)) ||
      failed(checkWeights(*this, getWeights(), getBias(), 4)))
    return failure();
  const Shape input = shapeOf(getInput()), weights = shapeOf(getWeights());
  const int64_t groups = getGroups();
  if (weights[0] % groups || input[3] % groups || weights[3] != input[3] / groups)
    return emitOpError("has ") << groups << " groups of " << input[3] << " input and " << weights[0]
                               << " output channels, and weights of " << weights[3] << " input channels";
  if (failed(countWindows(*this, getInput(), weights.slice(1, 2), getPad(), getStrides(), getDilations(),
                          count)))
    return failure();
  return checkResult(*this, {input[0], count[0], count[1], weights[0]});
}

LogicalResult MatmulOp::verify() {
  if (failed(checkActivation(*this, getInput(), "an input", 2)) ||
      failed(checkActivation(*this, getOutput(), "a result", 2)) ||
      failed(checkWeights(*this, getWeights(), getBias(), 2)))
    return failure();
  const Shape input = shapeOf(getInput()), weights = shapeOf(getWeights());
  if (weights[1] != input[1])
    return emitOpError("has an input of ") << input[1] << " columns and weights of " << weights[1];
  return checkResult(*this, {input[0], weights[0]});
}

LogicalResult AddOp::verify() {
  return checkBinary(*this);
}
LogicalResult SubOp::verify() {
  return checkBinary(*this);
}
LogicalResult MulOp::verify() {
  return checkBinary(*this);
}

LogicalResult MaxPoolOp::verify() {
  return checkPool(*this, getKernel(), getPad(), getStrides(), getDilations());
}

LogicalResult AveragePoolOp::verify() {
  if (failed(checkPool(*this, getKernel(), getPad(), getStrides(), {1, 1})))
    return failure();
  if (const auto counted = getCountedEnd())
    for (int d : {0, 1})
      if ((*counted)[d] > getPad()[2 * d + 1])
        return emitOpError("counts ")
               << (*counted)[d] << " of " << getPad()[2 * d + 1] << " elements of padding behind the image";
  return success();
}

} // namespace daedalus::qnn
