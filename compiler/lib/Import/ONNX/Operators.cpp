// Add, MaxPool, GlobalAveragePool, Reshape and Flatten.

#include "General/Kernel.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

using namespace mlir;

namespace daedalus::onnximport {

/// Whether input `bias` is a constant that a pending product without bias can take as its bias.
bool Importer::addsBias(const Node &node, int product, int bias) {
  const Edge &left = edge(node, product), &right = edge(node, bias);
  if (left.kind != Edge::Kind::Pending || !left.product || left.product->hasBias || left.clamped())
    return false;
  if (right.kind != Edge::Kind::QuantizedConstant &&
      !(right.kind == Edge::Kind::Constant && right.constant->isFloat()))
    return false;
  int64_t channels = left.product->weights.channels();
  if (right.constant->size() == 1)
    return right.constant->shape.size() <= left.tensor.shape.size();
  Shape shape(right.constant->shape.begin(), right.constant->shape.end());
  size_t fromEnd = left.product->window ? 3 : 1; // position of the channels
  return right.constant->size() == channels && shape.size() >= fromEnd &&
         shape.size() <= left.tensor.shape.size() && shape[shape.size() - fromEnd] == channels &&
         (fromEnd == 1 || right.kind == Edge::Kind::Constant || right.quantization.scales.size() == 1);
}

/// An operand of Add as a quantized tensor of `rank` dimensions, channels last where there are four.
FailureOr<Tensor> Importer::addOperand(const Node &node, int input, size_t rank) {
  const Edge &in = edge(node, input);
  if (in.kind != Edge::Kind::QuantizedConstant) {
    const Tensor &tensor = in.tensor;
    if (tensor.shape.size() == rank && rank == 4)
      return toChannelsLast(tensor, node.loc);
    Shape shape = tensor.shape;
    shape.insert(shape.begin(), rank - shape.size(), 1);
    return toChannelsLast(reshapeValue(toRowMajor(tensor, node.loc), shape, node.loc), node.loc);
  }
  const int32_t dtype = in.constant->dtype;
  const int64_t shift = dtype == onnx::TensorProto::UINT8 ? 128 : 0;
  if ((!shift && dtype != onnx::TensorProto::INT8) || in.quantization.scales.size() != 1)
    return fail(node) << "constant '" << inputName(node, input) << "' has type " << dtypeName(dtype)
                      << " and " << in.quantization.scales.size()
                      << " scales; expected int8 or uint8 and one scale";
  Shape shape(in.constant->shape.begin(), in.constant->shape.end());
  shape.insert(shape.begin(), rank - shape.size(), 1);
  std::vector<int8_t> data;
  for (int64_t value : in.constant->ints)
    data.push_back(static_cast<int8_t>(value - shift));
  const QuantType type = activationType(in.quantization, dtype);
  Tensor tensor{nullptr, shape};
  if (rank == 4) {
    std::vector<int8_t> rowMajor = data;
    int64_t hw = shape[2] * shape[3], c = shape[1];
    for (size_t i = 0; i < data.size(); ++i)
      data[(i / (c * hw) * hw + i % hw) * c + i / hw % c] = rowMajor[i];
    tensor.layout = Layout::ChannelsLast;
    shape = {shape[0], shape[2], shape[3], shape[1]};
  }
  tensor.value = constantOf(node.loc, shape, data, type);
  return tensor;
}

/// Add of a constant to a product, which takes it as its bias.
LogicalResult Importer::importBias(const Node &node, int product) {
  const Edge left = edge(node, product);
  Product with = *left.product;
  const Edge &right = edge(node, 1 - product);
  const bool quantized = right.kind == Edge::Kind::QuantizedConstant;
  Bias bias;
  for (int64_t c = 0; c < with.weights.channels(); ++c) {
    int64_t at = right.constant->size() == 1 ? 0 : c;
    size_t s = quantized && right.quantization.scales.size() > 1 ? at : 0;
    bias.values.push_back(constantValue(right, at, s));
    bias.scales.push_back(quantized ? right.quantization.scales[s] : 1.0);
  }
  std::vector<std::string> names = left.names;
  names.push_back(node.name);
  return pendProduct(node, with, bias, names);
}

LogicalResult Importer::importBinary(const Node &node) {
  const std::string &type = node.proto.op_type();
  for (int product : {0, 1})
    if (type == "Add" && addsBias(node, product, 1 - product))
      return importBias(node, product);
  auto shapeOf = [&](int input) {
    const Edge &in = edge(node, input);
    return in.constant ? Shape(in.constant->shape.begin(), in.constant->shape.end()) : in.tensor.shape;
  };
  const Shape shape = *broadcastShapes(shapeOf(0), shapeOf(1));
  FailureOr<Tensor> a = addOperand(node, 0, shape.size());
  if (failed(a))
    return failure();
  FailureOr<Tensor> b = addOperand(node, 1, shape.size());
  if (failed(b))
    return failure();
  Edge out;
  out.kind = Edge::Kind::Pending;
  out.tensor.shape = shape;
  out.names = {node.name};
  out.emit = [this, a = *a, b = *b, shape, type](const Output &output, Location loc) -> FailureOr<Tensor> {
    bool channelsLast = shape.size() == 4;
    Shape value = channelsLast ? Shape{shape[0], shape[2], shape[3], shape[1]} : shape;
    const Type result = RankedTensorType::get(value, output.type);
    Value combined;
    if (type == "Add")
      combined = builder.create<qnn::AddOp>(loc, result, a.value, b.value);
    else if (type == "Sub")
      combined = builder.create<qnn::SubOp>(loc, result, a.value, b.value);
    else
      combined = builder.create<qnn::MulOp>(loc, result, a.value, b.value);
    Tensor tensor{combined, shape, channelsLast ? Layout::ChannelsLast : Layout::RowMajor};
    return clampTensor(tensor, output.lo, output.hi, loc);
  };
  define(node, out);
  return success();
}

LogicalResult Importer::importMaxPool(const Node &node) {
  const Edge in = edge(node, 0);
  Shape kernel = intsAttribute(node, "kernel_shape", {});
  FailureOr<Window> window = windowOf(node, in.tensor.shape, kernel);
  if (failed(window))
    return failure();
  for (int i = 0; i < 2; ++i)
    if (window->padBegin[i] > (kernel[i] - 1) * window->dilations[i] ||
        window->padEnd[i] > (kernel[i] - 1) * window->dilations[i])
      return fail(node) << "has padding as large as its window; expected every window to cover an element";
  Shape shape = {in.tensor.shape[0], in.tensor.shape[1], window->output[0], window->output[1]};
  auto pool = [this, window = *window, shape](const Tensor &x, Location loc) {
    Tensor tensor = toChannelsLast(x, loc);
    auto type = RankedTensorType::get({shape[0], shape[2], shape[3], shape[1]}, tensor.elementType());
    auto op = builder.create<qnn::MaxPoolOp>(loc, type, tensor.value, window.kernel, window.pad(),
                                             window.strides, window.dilations);
    return Tensor{op, shape, Layout::ChannelsLast};
  };
  Edge out = in;
  out.product = nullptr;
  out.tensor.shape = shape;
  out.names.push_back(node.name);
  // Quantization is monotone: the largest of the quantized is the quantized largest.
  if (in.kind == Edge::Kind::Pending) {
    out.emit = [this, pool, in, name = node.loc](const Output &output, Location) -> FailureOr<Tensor> {
      FailureOr<Tensor> x = in.emit(output, locationOf(in.names));
      return failed(x) ? x : FailureOr<Tensor>(pool(*x, name));
    };
  } else {
    out.tensor = pool(in.tensor, node.loc);
    out.names = in.names;
  }
  define(node, out);
  return success();
}

/// AveragePool, and GlobalAveragePool, whose window is the image.
LogicalResult Importer::importAveragePool(const Node &node) {
  const Tensor x = edge(node, 0).tensor;
  Window window{{x.shape[2], x.shape[3]}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, {1, 1}, {0, 0}};
  if (node.proto.op_type() == "AveragePool") {
    FailureOr<Window> read = windowOf(node, x.shape, intsAttribute(node, "kernel_shape", {}));
    if (failed(read))
      return failure();
    window = *read;
  }
  for (int i = 0; i < 2; ++i)
    if (window.padBegin[i] >= window.kernel[i] || window.padEnd[i] >= window.kernel[i])
      return fail(node) << "has padding as large as its window; expected every window to cover an element";
  const bool countsPadding = intAttribute(node, "count_include_pad", 0) != 0;
  Edge out;
  out.kind = Edge::Kind::Pending;
  out.names = {node.name};
  out.tensor.shape = {x.shape[0], x.shape[1], window.output[0], window.output[1]};
  Tensor input = toChannelsLast(x, node.loc);
  out.emit = [this, input, window, countsPadding,
              shape = out.tensor.shape](const Output &output, Location loc) -> FailureOr<Tensor> {
    auto type = RankedTensorType::get({shape[0], shape[2], shape[3], shape[1]}, output.type);
    DenseI64ArrayAttr counted;
    if (countsPadding)
      counted = builder.getDenseI64ArrayAttr(
          {window.padEnd[0] - window.ceilExtra[0], window.padEnd[1] - window.ceilExtra[1]});
    auto mean = builder.create<qnn::AveragePoolOp>(loc, type, input.value, window.kernel, window.pad(),
                                                   window.strides, counted);
    return clampTensor(Tensor{mean, shape, Layout::ChannelsLast}, output.lo, output.hi, loc);
  };
  define(node, out);
  return success();
}

/// Reshape and Flatten, whose shape is known.
LogicalResult Importer::importReshape(const Node &node) {
  FailureOr<PlainType> output = declaredType(node, node.proto.output(0));
  if (failed(output))
    return failure();
  if (llvm::is_contained(output->shape, 0)) // tosa has no empty tensors
    return importGeneral(node);
  return reshapeTo(node, output->shape);
}

LogicalResult Importer::reshapeTo(const Node &node, const Shape &shape) {
  Edge out = edge(node, 0);
  const Tensor &x = out.tensor;
  bool keepsBatch = shape.size() == 2 && x.shape.size() == 4 && shape[0] == x.shape[0];
  if (x.layout == Layout::ChannelsLast && keepsBatch && x.shape[1] > 1 && x.shape[2] * x.shape[3] > 1) {
    out.tensor.shape = shape;
    out.tensor.layout = Layout::FlatChannelsLast;
  } else if (shape != x.shape) {
    out.tensor = reshapeValue(toRowMajor(x, node.loc), shape, node.loc);
  }
  define(node, out);
  return success();
}

} // namespace daedalus::onnximport
