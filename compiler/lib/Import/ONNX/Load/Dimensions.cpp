// See Dimensions.h.

#include "Load/Dimensions.h"

#include <algorithm>
#include <map>

namespace daedalus::onnximport {
namespace {

bool isUnknown(const Dimension &dim) {
  return dim.has_dim_value() && dim.dim_value() == -1;
}

/// Other negative sizes are refused as they are.
void dropUnknownShape(onnx::ValueInfoProto &value) {
  if (!hasShape(value))
    return;
  const auto &dims = shapeOf(value).dim();
  const auto isWrong = [](const Dimension &dim) { return dim.dim_value() < -1; };
  if (std::any_of(dims.begin(), dims.end(), isUnknown) && std::none_of(dims.begin(), dims.end(), isWrong))
    value.mutable_type()->mutable_tensor_type()->clear_shape();
}

std::string dimensionText(const Dimension &dim) {
  if (dim.has_dim_value())
    return std::to_string(dim.dim_value());
  return isSymbol(dim.dim_param()) ? dim.dim_param() : "?";
}

} // namespace

bool isSymbol(const std::string &text) {
  return !text.empty() && text != "?";
}

bool hasShape(const onnx::ValueInfoProto &value) {
  return value.type().has_tensor_type() && value.type().tensor_type().has_shape();
}

onnx::TensorShapeProto &shapeOf(onnx::ValueInfoProto &value) {
  return *value.mutable_type()->mutable_tensor_type()->mutable_shape();
}

void clearUnknownSizes(onnx::GraphProto &graph) {
  for (auto &input : *graph.mutable_input())
    if (hasShape(input))
      for (Dimension &dim : *shapeOf(input).mutable_dim())
        if (isUnknown(dim))
          dim.clear_dim_value();
  for (auto *list : {graph.mutable_output(), graph.mutable_value_info()})
    std::for_each(list->begin(), list->end(), dropUnknownShape);
}

std::string dimensionsText(const onnx::TensorShapeProto &shape) {
  std::string text;
  for (const Dimension &dim : shape.dim())
    text += (text.empty() ? "" : ",") + dimensionText(dim);
  return "[" + text + "]";
}

std::string sizesText(const std::vector<int64_t> &sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

std::string exampleShapes(const std::vector<onnx::ValueInfoProto *> &inputs) {
  std::string options;
  std::map<std::string, int64_t> symbols;
  for (onnx::ValueInfoProto *input : inputs) {
    std::vector<int64_t> sizes;
    bool isOpen = false; // by more than what other inputs of the example say
    for (const Dimension &dim : input->type().tensor_type().shape().dim()) {
      const bool isImage = shapeOf(*input).dim_size() == 4 && sizes.size() >= 2;
      sizes.push_back(dim.has_dim_value() ? dim.dim_value() : sizes.empty() ? 1 : isImage ? 224 : 16);
      if (dim.has_dim_value())
        continue;
      const auto known = symbols.find(dim.dim_param());
      isOpen |= known == symbols.end();
      if (known != symbols.end())
        sizes.back() = known->second;
      else if (isSymbol(dim.dim_param()))
        symbols[dim.dim_param()] = sizes.back();
    }
    if (isOpen)
      options += " --shape " + input->name() + "=" + sizesText(sizes);
  }
  return options;
}

} // namespace daedalus::onnximport
