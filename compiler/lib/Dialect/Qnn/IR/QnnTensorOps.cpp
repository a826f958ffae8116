// Verifiers of the qnn operations on quantized tensors.

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Shapes.h"

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

LogicalResult checkShape(Operation *op, Value value, llvm::StringRef name, unsigned rank) {
  const mlir::RankedTensorType type = tensorType(value);
  if (type.getRank() == rank && type.hasStaticShape() && type.getNumElements() > 0)
    return success();
  return op->emitOpError("has ") << name << " of type " << type << "; expected " << rank
                                 << " dimensions of at least 1";
}

/// Activations: f32, or int8 or uint8 with one scale, as the result is.
LogicalResult checkActivation(Operation *op, Value value, llvm::StringRef name, unsigned rank) {
  const mlir::Type element = elementOf(value);
  auto quantized = mlir::dyn_cast<mlir::quant::UniformQuantizedType>(element);
  const bool isByte = quantized && quantized.getStorageTypeIntegralWidth() == 8 &&
                      quantized.getStorageTypeMax() - quantized.getStorageTypeMin() == 255;
  if (!isByte && !element.isF32())
    return op->emitOpError("has ")
           << name << " of type " << value.getType()
           << "; expected elements of type f32, or !quant.uniform of 8 bits with one scale";
  if (const mlir::Type result = elementOf(op->getResult(0)); element.isF32() != result.isF32())
    return op->emitOpError("has ") << name << " of type " << value.getType() << " and a result of type "
                                   << op->getResult(0).getType()
                                   << "; expected both quantized or both of f32";
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

/// Weights of f32, or quantized where the result is; their `channels` output channels have a bias or not.
LogicalResult checkWeights(Operation *op, Value weights, Value bias, unsigned rank, int64_t channels) {
  const bool isFloat = elementOf(op->getResult(0)).isF32();
  const auto check = [&](Value value, llvm::StringRef name, unsigned rank, llvm::ArrayRef<unsigned> widths) {
    return isFloat ? checkActivation(op, value, name, rank) : checkConstant(op, value, name, rank, widths);
  };
  if (failed(check(weights, "weights", rank, {8, 16})))
    return failure();
  if (!bias)
    return success();
  const mlir::RankedTensorType type = tensorType(bias);
  if (failed(check(bias, "a bias", type.getRank(), {32})))
    return failure();
  if (type.getNumElements() == 1 || (type.getNumElements() == channels && type.getShape().back() == channels))
    return success();
  return op->emitOpError("has a bias of type ")
         << type << " for " << channels
         << " output channels of its weights; expected one number or one per channel";
}

/// Of a product of integers: i32, which nothing is added to, or as an activation.
LogicalResult checkProduct(Operation *op, unsigned rank) {
  const Value result = op->getResult(0);
  if (!elementOf(result).isSignlessInteger(32))
    return checkActivation(op, result, "a result", rank);
  if (op->getNumOperands() == 2 && !elementOf(op->getOperand(0)).isF32())
    return checkShape(op, result, "a result", rank);
  return op->emitOpError("has a result of type ")
         << result.getType() << "; expected such sums of quantized tensors, without a bias or a residual";
}

/// What is added to a quantized product before it is quantized.
LogicalResult checkResidual(Operation *op, Value residual) {
  if (!residual)
    return success();
  const mlir::RankedTensorType result = tensorType(op->getResult(0));
  if (failed(checkActivation(op, residual, "a residual", result.getRank())))
    return failure();
  if (!result.getElementType().isF32() && shapeOf(residual) == result.getShape())
    return success();
  return op->emitOpError("has a residual of type ") << residual.getType() << " and a result of type "
                                                    << result << "; expected quantized tensors of one shape";
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

/// The dimension of rows, before that of columns, and that of channels.
template <class Op> unsigned rowsOf(Op op) {
  return op.getChannelsLast() ? 1 : 2;
}
template <class Op> unsigned channelsOf(Op op) {
  return op.getChannelsLast() ? 3 : 1;
}

/// How often windows fit along rows and columns of an image.
LogicalResult countWindows(Operation *op, Value image, unsigned rows, Shape kernel, Shape pad, Shape strides,
                           Shape dilations, int64_t (&count)[2]) {
  constexpr int64_t most = int64_t(1) << 31; // of each number, so that none overflows
  for (const Shape numbers : {kernel, pad, strides, dilations})
    for (int64_t number : numbers)
      if (number > most)
        return op->emitOpError("has a window with ") << number << "; expected numbers up to 2^31";
  for (int d : {0, 1}) {
    const int64_t size = shapeOf(image)[rows + d] + pad[2 * d] + pad[2 * d + 1];
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

/// The image with other rows and columns.
llvm::SmallVector<int64_t> withImage(Shape shape, unsigned rows, int64_t height, int64_t width) {
  llvm::SmallVector<int64_t> result(shape);
  result[rows] = height;
  result[rows + 1] = width;
  return result;
}

/// Pools keep batch and channels.
template <class Op> LogicalResult checkPool(Op op, Shape dilations) {
  const Value input = op.getInput();
  int64_t count[2];
  if (failed(checkActivation(op, input, "an input", 4)) ||
      failed(checkActivation(op, op.getOutput(), "a result", 4)) ||
      failed(countWindows(op, input, rowsOf(op), op.getKernel(), op.getPad(), op.getStrides(), dilations,
                          count)) ||
      failed(checkCover(op, op.getKernel(), op.getPad(), dilations)))
    return failure();
  return checkResult(op, withImage(shapeOf(input), rowsOf(op), count[0], count[1]));
}

/// Whether an order of dimensions names each of them once.
LogicalResult checkOrder(Operation *op, Value operand, std::optional<Shape> order) {
  const unsigned rank = tensorType(operand).getRank();
  llvm::SmallVector<bool> named(rank, false);
  bool isPermutation = !order || order->size() == rank;
  for (int64_t d : order.value_or(Shape())) {
    isPermutation &= d >= 0 && d < int64_t(rank) && !named[d];
    if (isPermutation)
      named[d] = true;
  }
  if (isPermutation)
    return success();
  auto diagnostic = op->emitOpError("has an operand of type ") << operand.getType() << " in the order ";
  llvm::interleaveComma(*order, diagnostic);
  return diagnostic << "; expected each of its " << rank << " dimensions once";
}

/// The batches of both, by numpy's rule; `batch` has the rank of the larger one.
LogicalResult broadcastBatch(Operation *op, Shape own, llvm::MutableArrayRef<int64_t> batch) {
  for (auto [size, at] : llvm::zip(own, batch.take_back(own.size())))
    if (at == 1)
      at = size;
    else if (size != 1 && size != at)
      return op->emitOpError("has operands of types ")
             << op->getOperand(0).getType() << " and " << op->getOperand(1).getType()
             << ", whose batches do not broadcast";
  return success();
}

LogicalResult checkBinary(Operation *op) {
  const Value output = op->getResult(0);
  const unsigned rank = tensorType(output).getRank();
  if (failed(checkActivation(op, output, "a result", rank)))
    return failure();
  llvm::SmallVector<int64_t> shape(rank, 1);
  for (Value operand : op->getOperands()) {
    const unsigned own = tensorType(operand).getRank();
    if (failed(checkActivation(op, operand, "an operand", own)))
      return failure();
    if (own > rank)
      return op->emitOpError("has an operand of type ")
             << operand.getType() << " and a result of " << rank << " dimensions; expected at least as many";
    for (auto [size, at] : llvm::zip(shapeOf(operand), llvm::MutableArrayRef(shape).take_back(own)))
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
  if (failed(checkActivation(*this, getInput(), "an input", 4)) || failed(checkProduct(*this, 4)))
    return failure();
  const Shape input = shapeOf(getInput()), weights = shapeOf(getWeights());
  if (failed(checkWeights(*this, getWeights(), getBias(), 4, weights.empty() ? 0 : weights[0])) ||
      failed(checkResidual(*this, getResidual())))
    return failure();
  const int64_t groups = getGroups();
  const unsigned rows = rowsOf(*this), channels = channelsOf(*this);
  if (weights[0] % groups || input[channels] % groups || weights[channels] != input[channels] / groups)
    return emitOpError("has ") << groups << " groups of " << input[channels] << " input and " << weights[0]
                               << " output channels, and weights of " << weights[channels]
                               << " input channels";
  if (failed(countWindows(*this, getInput(), rows, weights.slice(rows, 2), getPad(), getStrides(),
                          getDilations(), count)))
    return failure();
  llvm::SmallVector<int64_t> expected = withImage(input, rows, count[0], count[1]);
  expected[channels] = weights[0];
  return checkResult(*this, expected);
}

LogicalResult TransposedConvOp::verify() {
  for (auto [value, name] : {std::pair<Value, llvm::StringRef>{getInput(), "an input"},
                             {getWeights(), "weights"},
                             {getOutput(), "a result"}})
    if (failed(checkActivation(*this, value, name, 4)))
      return failure();
  const Shape input = shapeOf(getInput()), weights = shapeOf(getWeights()), output = shapeOf(getOutput());
  if (!elementOf(getOutput()).isF32())
    return emitOpError("has a result of type ") << getOutput().getType() << "; expected elements of type f32";
  if (failed(checkWeights(*this, getWeights(), getBias(), 4, weights[1])))
    return failure();
  if (weights[0] != input[1])
    return emitOpError("has an input of ")
           << input[1] << " channels and weights of " << weights[0] << " input channels";
  constexpr int64_t most = int64_t(1) << 31;
  for (int64_t number : llvm::concat<const int64_t>(getCut(), getStrides()))
    if (number > most)
      return emitOpError("cuts or strides by ") << number << "; expected at most 2^31";
  return checkResult(*this, {input[0], weights[1], output[2], output[3]});
}

LogicalResult MatmulOp::verify() {
  const unsigned rank = tensorType(getInput()).getRank();
  if (failed(checkActivation(*this, getInput(), "an input", std::max(rank, 2u))) ||
      failed(checkProduct(*this, rank)))
    return failure();
  const Shape input = shapeOf(getInput()), weights = shapeOf(getWeights());
  const unsigned column = getTransposed() ? 0 : 1;
  if (failed(checkWeights(*this, getWeights(), getBias(), 2, weights.size() == 2 ? weights[column] : 0)) ||
      failed(checkResidual(*this, getResidual())))
    return failure();
  if (weights[1 - column] != input.back())
    return emitOpError("has an input of ")
           << input.back() << " columns and weights of " << weights[1 - column];
  llvm::SmallVector<int64_t> expected(input);
  expected.back() = weights[column];
  return checkResult(*this, expected);
}

llvm::SmallVector<int64_t> BatchMatmulOp::orderOf(unsigned operand) {
  if (const std::optional<Shape> order = operand == 0 ? getLeftOrder() : getRightOrder())
    return llvm::SmallVector<int64_t>(*order);
  return llvm::to_vector(llvm::seq<int64_t>(0, tensorType(getOperand(operand)).getRank()));
}

llvm::SmallVector<int64_t> BatchMatmulOp::matricesOf(unsigned operand) {
  llvm::SmallVector<int64_t> shape;
  for (int64_t d : orderOf(operand))
    shape.push_back(shapeOf(getOperand(operand))[d]);
  return shape;
}

LogicalResult BatchMatmulOp::verify() {
  const std::pair<Value, std::optional<Shape>> operands[] = {{getLeft(), getLeftOrder()},
                                                             {getRight(), getRightOrder()}};
  for (const auto &[operand, order] : operands)
    if (failed(checkActivation(*this, operand, "an operand",
                               std::max<unsigned>(tensorType(operand).getRank(), 2))) ||
        failed(checkOrder(*this, operand, order)))
      return failure();
  if (failed(checkProduct(*this, tensorType(getOutput()).getRank())))
    return failure();
  const llvm::SmallVector<int64_t> left = matricesOf(0), right = matricesOf(1);
  if (left.back() != right[right.size() - 2])
    return emitOpError("multiplies matrices of ")
           << left.back() << " columns with matrices of " << right[right.size() - 2] << " rows";
  llvm::SmallVector<int64_t> expected(std::max(left.size(), right.size()) - 2, 1);
  if (failed(broadcastBatch(*this, Shape(left).drop_back(2), expected)) ||
      failed(broadcastBatch(*this, Shape(right).drop_back(2), expected)))
    return failure();
  expected.append({left[left.size() - 2], right.back()});
  return checkResult(*this, expected);
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
  return checkPool(*this, getDilations());
}

mlir::OpFoldResult MaxPoolOp::fold(FoldAdaptor) {
  const auto areOnes = [](Shape numbers) {
    return llvm::all_of(numbers, [](int64_t number) { return number == 1; });
  };
  return areOnes(getKernel()) && areOnes(getStrides()) && getInput().getType() == getType() ? getInput()
                                                                                            : Value();
}

LogicalResult AveragePoolOp::verify() {
  if (failed(checkPool(*this, {1, 1})))
    return failure();
  if (const auto counted = getCountedEnd())
    for (int d : {0, 1})
      if ((*counted)[d] > getPad()[2 * d + 1])
        return emitOpError("counts ")
               << (*counted)[d] << " of " << getPad()[2 * d + 1] << " elements of padding behind the image";
  return success();
}

LogicalResult UpsampleOp::verify() {
  if (failed(checkActivation(*this, getInput(), "an input", 4)) ||
      failed(checkActivation(*this, getOutput(), "a result", 4)))
    return failure();
  if (elementOf(getInput()) != elementOf(getOutput()))
    return emitOpError("has an input of type ") << getInput().getType() << " and a result of type "
                                                << getOutput().getType() << "; expected the same elements";
  constexpr int64_t most = int64_t(1) << 31;
  for (int64_t factor : getFactors())
    if (factor > most)
      return emitOpError("repeats ") << factor << " times; expected at most 2^31";
  const Shape input = shapeOf(getInput());
  const unsigned rows = rowsOf(*this);
  return checkResult(
      *this, withImage(input, rows, input[rows] * getFactors()[0], input[rows + 1] * getFactors()[1]));
}

mlir::OpFoldResult UpsampleOp::fold(FoldAdaptor) {
  return getFactors()[0] == 1 && getFactors()[1] == 1 ? getInput() : Value();
}

LogicalResult ConcatOp::verify() {
  const unsigned rank = tensorType(getOutput()).getRank();
  if (getParts().empty())
    return emitOpError("has no parts; expected at least one");
  if (getAxis() >= rank)
    return emitOpError("has axis ") << getAxis() << " and a result of " << rank << " dimensions";
  llvm::SmallVector<int64_t> expected(shapeOf(getParts()[0]));
  if (!expected.empty() && expected.size() == rank)
    expected[getAxis()] = 0;
  for (Value part : getParts()) {
    if (failed(checkActivation(*this, part, "a part", rank)))
      return failure();
    if (elementOf(part) != elementOf(getOutput()))
      return emitOpError("has a part of type ") << part.getType() << " and a result of type "
                                                << getOutput().getType() << "; expected the same elements";
    for (unsigned d = 0; d < rank; ++d)
      if (d == getAxis())
        expected[d] += shapeOf(part)[d];
      else if (shapeOf(part)[d] != expected[d])
        return emitOpError("has parts of types ") << getParts()[0].getType() << " and " << part.getType()
                                                  << "; expected the same dimensions but " << getAxis();
  }
  return checkResult(*this, expected);
}

mlir::OpFoldResult ConcatOp::fold(FoldAdaptor) {
  return getParts().size() == 1 ? getParts()[0] : Value();
}

LogicalResult BatchNormOp::verify() {
  for (Value operand : getOperands())
    if (!elementOf(operand).isF32())
      return emitOpError("has an operand of type ") << operand.getType() << "; expected elements of type f32";
  const unsigned rank = tensorType(getInput()).getRank();
  if (failed(checkActivation(*this, getInput(), "an input", rank)))
    return failure();
  const int64_t channels = rank > 1 ? shapeOf(getInput())[1] : 1;
  for (Value parameter : getOperands().drop_front()) {
    if (failed(checkActivation(*this, parameter, "a parameter", 1)))
      return failure();
    if (shapeOf(parameter)[0] != channels)
      return emitOpError("has a parameter of type ")
             << parameter.getType() << "; expected " << channels << " numbers, one per channel";
  }
  return checkResult(*this, shapeOf(getInput()));
}

} // namespace daedalus::qnn
