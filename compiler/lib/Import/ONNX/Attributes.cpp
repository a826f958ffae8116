// Attributes of nodes, the constants and windows that they describe, and numpy's broadcast of shapes.

#include "Node.h"

using namespace mlir;

namespace daedalus::onnximport {

constexpr int64_t mostElements = int64_t(1) << 31; // of a tensor

Location sentenceLocation(MLIRContext *context, StringRef name, StringRef kind) {
  return NameLoc::get(StringAttr::get(context, name), NameLoc::get(StringAttr::get(context, kind)));
}

const onnx::AttributeProto *attribute(const Node &node, StringRef name) {
  for (const auto &attribute : node.proto.attribute())
    if (attribute.name() == name)
      return &attribute;
  return nullptr;
}

int64_t intAttribute(const Node &node, StringRef name, int64_t otherwise) {
  const auto *found = attribute(node, name);
  return found ? found->i() : otherwise;
}

int32_t typeAttribute(const Node &node, StringRef name, int32_t otherwise) {
  constexpr int64_t most = 1 << 16; // of TensorProto.DataType
  const int64_t value = intAttribute(node, name, otherwise);
  return value < 0 || value > most ? -1 : static_cast<int32_t>(value);
}

float floatAttribute(const Node &node, StringRef name, float otherwise) {
  const auto *found = attribute(node, name);
  return found ? found->f() : otherwise;
}

Shape intsAttribute(const Node &node, StringRef name, const Shape &otherwise) {
  const auto *found = attribute(node, name);
  return found ? Shape(found->ints().begin(), found->ints().end()) : otherwise;
}

Result<Shape> listAttribute(const Node &node, const char *name, size_t count, int64_t otherwise,
                            int64_t least) {
  const Shape list = intsAttribute(node, name, Shape(count, otherwise));
  const std::string found = std::string("attribute '") + name + "' has value " + shapeText(list);
  if (list.size() != count)
    return error(found + "; expected " + std::to_string(count) + " integers");
  for (int64_t value : list)
    if (value < least || value > mostElements)
      return error(found + "; expected integers from " + std::to_string(least) + " to 2^31");
  return list;
}

std::string textAttribute(const Node &node, StringRef name, StringRef otherwise) {
  const auto *found = attribute(node, name);
  return found ? found->s() : otherwise.str();
}

std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (int64_t dim : shape)
    text += (text.size() > 1 ? "," : "") + std::to_string(dim);
  return text + "]";
}

int32_t quantizedType(const Node &node, int32_t zeroPoint) {
  const int32_t given = typeAttribute(node, "output_dtype", 0);
  return given ? given : zeroPoint ? zeroPoint : int32_t(onnx::TensorProto::UINT8);
}

Result<HostTensorPtr> readConstant(const Node &node) {
  if (node.proto.attribute_size() != 1)
    return error("has " + std::to_string(node.proto.attribute_size()) + " attributes; expected one constant");
  const auto &value = node.proto.attribute(0);
  if (value.name() == "value") {
    Result<HostTensorPtr> tensor = decodeTensor(value.t());
    return tensor ? tensor : error("its constant " + tensor.error());
  }
  auto host = std::make_shared<HostTensor>();
  host->dtype = value.name() == "value_float" ? onnx::TensorProto::FLOAT : onnx::TensorProto::INT64;
  if (value.name() == "value_float") {
    host->floats = {value.f()};
  } else if (value.name() == "value_int") {
    host->ints = {value.i()};
  } else if (value.name() == "value_ints") {
    host->ints = std::vector<int64_t>(value.ints().begin(), value.ints().end());
    host->shape = {value.ints_size()};
  } else {
    return error("has a constant in attribute '" + value.name() +
                 "'; expected value, value_float, value_int or value_ints");
  }
  return HostTensorPtr(host);
}

std::pair<int64_t, int64_t> shapeRange(const Node &node, int64_t rank) {
  auto bound = [&](StringRef name, int64_t otherwise) {
    const int64_t value = intAttribute(node, name, otherwise);
    return std::clamp<int64_t>(value < 0 ? value + rank : value, 0, rank);
  };
  const int64_t start = bound("start", 0);
  return {start, std::max(bound("end", rank), start)};
}

std::optional<Shape> broadcastShapes(const Shape &a, const Shape &b) {
  Shape result = a, next = b;
  const size_t rank = std::max(a.size(), b.size());
  result.insert(result.begin(), rank - a.size(), 1);
  next.insert(next.begin(), rank - b.size(), 1);
  for (size_t d = 0; d < rank; ++d) {
    if (result[d] != next[d] && result[d] != 1 && next[d] != 1)
      return std::nullopt;
    result[d] = result[d] == 1 ? next[d] : result[d];
  }
  return result;
}

namespace {

/// Sizes of one dimension, where a window fits.
Result<void> setDimension(Window &window, size_t i, int64_t size, const std::string &mode, const Shape &pads,
                          bool ceil) {
  const int64_t kernel = window.kernel[i], stride = window.strides[i], dilation = window.dilations[i];
  const int64_t padBegin = pads[i], padEnd = pads[pads.size() / 2 + i];
  if (kernel < 1 || stride < 1 || dilation < 1)
    return error("has a kernel " + shapeText(window.kernel) + ", strides " + shapeText(window.strides) +
                 " and dilations " + shapeText(window.dilations) + "; expected sizes of at least 1");
  for (int64_t pad : {padBegin, padEnd})
    if (pad < 0 || pad > mostElements)
      return error("attribute 'pads' holds " + std::to_string(pad) + "; expected 0 to 2^31");
  const int64_t extent = (kernel - 1) * dilation + 1;
  if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
    window.output[i] = (size + stride - 1) / stride;
    const int64_t total = std::max<int64_t>((window.output[i] - 1) * stride + extent - size, 0);
    window.padBegin[i] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
    window.padEnd[i] = total - window.padBegin[i];
    return {};
  }
  if (mode == "NOTSET") {
    window.padBegin[i] = padBegin;
    window.padEnd[i] = padEnd;
  }
  const int64_t room = size + window.padBegin[i] + window.padEnd[i] - extent;
  if (room < 0)
    return error("its window covers " + std::to_string(extent) + " of dimension " + std::to_string(2 + i) +
                 ", which has only " + std::to_string(room + extent) +
                 " with its padding; expected a smaller kernel or dilation");
  window.output[i] = room / stride + 1;
  if (!ceil || room % stride == 0)
    return {};
  if (window.output[i] * stride >= size + window.padBegin[i])
    return error("attribute 'ceil_mode' has value 1 and adds a window that lies in the padding alone; "
                 "expected 0");
  ++window.output[i];
  window.ceilExtra[i] = stride - room % stride;
  window.padEnd[i] += window.ceilExtra[i];
  return {};
}

/// An attribute of a pool, or the weights' of a convolution.
std::string kernelText(const Node &node, const Shape &kernel) {
  return (attribute(node, "kernel_shape") ? "attribute 'kernel_shape' has value " : "has a kernel ") +
         shapeText(kernel);
}

/// What the attributes say goes together.
Result<void> checkWindow(const Node &node, const Window &window, const std::string &mode,
                         const Shape &declared, const Shape &pads, const Shape &input) {
  const size_t rank = window.kernel.size();
  if (mode != "NOTSET" && mode != "VALID" && mode != "SAME_UPPER" && mode != "SAME_LOWER")
    return error("attribute 'auto_pad' has value '" + mode +
                 "'; expected NOTSET, VALID, SAME_UPPER or SAME_LOWER");
  if (declared != window.kernel)
    return error("attribute 'kernel_shape' has value " + shapeText(declared) + "; expected " +
                 shapeText(window.kernel));
  if (input.size() != rank + 2)
    return error(kernelText(node, window.kernel) + " for an input of shape " + shapeText(input) +
                 "; expected " +
                 (input.size() < 3 ? "at least 3 dimensions" : std::to_string(input.size() - 2) + " sizes"));
  const std::pair<const char *, const Shape *> lists[] = {
      {"strides", &window.strides}, {"dilations", &window.dilations}, {"pads", &pads}};
  for (const auto &[name, list] : lists)
    if (const size_t count = list == &pads ? 2 * rank : rank; list->size() != count)
      return error(std::string("attribute '") + name + "' has value " + shapeText(*list) + "; expected " +
                   std::to_string(count) + " integers");
  return {};
}

} // namespace

Window Window::ofImage() const {
  Window window = *this;
  if (window.kernel.size() == 1) {
    for (Shape *sizes : {&window.kernel, &window.strides, &window.dilations, &window.output})
      sizes->insert(sizes->begin(), 1);
    for (Shape *paddings : {&window.padBegin, &window.padEnd, &window.ceilExtra})
      paddings->insert(paddings->begin(), 0);
  }
  return window;
}

Result<Window> readWindow(const Node &node, const Shape &input, const Shape &kernel) {
  const size_t rank = kernel.size();
  const Shape ones(rank, 1), zeros(rank, 0);
  Window window{
      {kernel, intsAttribute(node, "strides", ones), intsAttribute(node, "dilations", ones), zeros, zeros},
      zeros,
      zeros};
  const Shape pads = intsAttribute(node, "pads", Shape(2 * rank, 0));
  const auto *autoPad = attribute(node, "auto_pad");
  const std::string mode = autoPad && !autoPad->s().empty() ? autoPad->s() : "NOTSET";
  const Shape declared = intsAttribute(node, "kernel_shape", kernel);
  if (Result<void> good = checkWindow(node, window, mode, declared, pads, input); !good)
    return error(good.error());
  const bool ceil = intAttribute(node, "ceil_mode", 0) != 0;
  double padded = static_cast<double>(input[0]) * input[1];
  for (size_t i = 0; i < rank; ++i) {
    if (Result<void> set = setDimension(window, i, input[2 + i], mode, pads, ceil); !set)
      return error(set.error());
    padded *= static_cast<double>(input[2 + i]) + window.padBegin[i] + window.padEnd[i];
  }
  if (padded <= mostElements)
    return window;
  return error("its padded input has " + std::to_string(padded) + " elements; expected at most " +
               std::to_string(mostElements));
}

} // namespace daedalus::onnximport
