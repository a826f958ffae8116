// Attributes of nodes, and the window that those of convolutions and pools describe.

#include "Importer.h"

using namespace mlir;

namespace daedalus::onnximport {

constexpr int64_t mostElements = int64_t(1) << 31; // of a tensor

const onnx::AttributeProto *Importer::attribute(const Node &node, StringRef name) {
  for (const auto &attribute : node.proto.attribute())
    if (attribute.name() == name)
      return &attribute;
  return nullptr;
}

int64_t Importer::intAttribute(const Node &node, StringRef name, int64_t otherwise) {
  const auto *found = attribute(node, name);
  return found ? found->i() : otherwise;
}

float Importer::floatAttribute(const Node &node, StringRef name, float otherwise) {
  const auto *found = attribute(node, name);
  return found ? found->f() : otherwise;
}

Shape Importer::intsAttribute(const Node &node, StringRef name, const Shape &otherwise) {
  const auto *found = attribute(node, name);
  return found ? Shape(found->ints().begin(), found->ints().end()) : otherwise;
}

LogicalResult Importer::expectInt(const Node &node, StringRef name, int64_t expected, int64_t otherwise) {
  int64_t value = intAttribute(node, name, otherwise);
  if (value != expected)
    return fail(node) << "attribute '" << name << "' has value " << value << "; expected " << expected;
  return success();
}

LogicalResult Importer::checkSpatial(const Node &node, const Shape &shape) {
  if (shape.size() == 4)
    return success();
  return fail(node) << "its input has shape " << shapeText(shape)
                    << "; expected four dimensions [N,C,H,W]: only two spatial dimensions are supported";
}

/// ONNX's Conv and MaxPool: auto_pad, pads, strides, dilations, ceil_mode.
FailureOr<Window> Importer::readWindow(const Node &node, const Shape &input, const Shape &kernel) {
  Window window{kernel,
                intsAttribute(node, "strides", {1, 1}),
                intsAttribute(node, "dilations", {1, 1}),
                {0, 0},
                {0, 0},
                {0, 0}};
  Shape pads = intsAttribute(node, "pads", {0, 0, 0, 0});
  const auto *autoPad = attribute(node, "auto_pad");
  std::string mode = autoPad && !autoPad->s().empty() ? autoPad->s() : "NOTSET";
  if (mode != "NOTSET" && mode != "VALID" && mode != "SAME_UPPER" && mode != "SAME_LOWER")
    return fail(node) << "attribute 'auto_pad' has value '" << mode
                      << "'; expected NOTSET, VALID, SAME_UPPER or SAME_LOWER";
  Shape declared = intsAttribute(node, "kernel_shape", kernel);
  if (declared != kernel)
    return fail(node) << "attribute 'kernel_shape' has value " << shapeText(declared) << "; expected "
                      << shapeText(kernel);
  if (window.strides.size() != 2 || window.dilations.size() != 2 || pads.size() != 4)
    return fail(node) << "has strides, dilations or pads for another number of dimensions than two";
  bool ceil = intAttribute(node, "ceil_mode", 0) != 0;
  for (int i = 0; i < 2; ++i) {
    int64_t size = input[2 + i], stride = window.strides[i], dilation = window.dilations[i];
    if (kernel[i] < 1 || stride < 1 || dilation < 1 || pads[i] < 0 || pads[2 + i] < 0)
      return fail(node) << "has a kernel, stride or dilation below 1 or a negative pad; expected "
                        << "positive sizes and pads of at least 0";
    int64_t extent = (kernel[i] - 1) * dilation + 1;
    if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
      window.output[i] = (size + stride - 1) / stride;
      int64_t total = std::max<int64_t>((window.output[i] - 1) * stride + extent - size, 0);
      window.padBegin[i] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
      window.padEnd[i] = total - window.padBegin[i];
      continue;
    }
    if (mode == "NOTSET") {
      window.padBegin[i] = pads[i];
      window.padEnd[i] = pads[2 + i];
    }
    int64_t room = size + window.padBegin[i] + window.padEnd[i] - extent;
    if (room < 0)
      return fail(node) << "its window covers " << extent << " of dimension " << 2 + i << ", which has only "
                        << room + extent << " with its padding; expected a smaller kernel or dilation";
    window.output[i] = room / stride + 1;
    if (ceil && room % stride != 0) {
      if (window.output[i] * stride >= size + window.padBegin[i])
        return fail(node)
               << "attribute 'ceil_mode' has value 1 and adds a window that lies in the padding alone; "
                  "expected 0";
      ++window.output[i];
      window.padEnd[i] += stride - room % stride;
    }
  }
  double padded = static_cast<double>(input[0]) * input[1];
  for (int i = 0; i < 2; ++i)
    padded *= static_cast<double>(input[2 + i]) + window.padBegin[i] + window.padEnd[i];
  if (padded > mostElements)
    return fail(node) << "its padded input has " << padded << " elements; expected at most " << mostElements;
  return window;
}

} // namespace daedalus::onnximport
