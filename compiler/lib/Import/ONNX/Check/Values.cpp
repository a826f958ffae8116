// The integers that shapes are computed with, followed through the nodes that exporters put between a Shape
// and a Reshape (what ONNX calls data propagation). Tensors of at most one dimension; anything else is
// unknown.

#include "NodeCheck.h"

namespace daedalus::onnximport {
namespace {

using C = NodeCheck;
using Integers = std::optional<Shape>;

constexpr int64_t most = 4096; // elements that are followed

Integers shapeValues(const C &c) {
  const Shape &shape = c.shape(0);
  if (c.node.proto.op_type() == "Size")
    return Shape{c.elements(0)};
  const auto [start, end] = shapeRange(c.node, shape.size());
  return Shape(shape.begin() + start, shape.begin() + end);
}

Integers gathered(const C &c) {
  const Integers from = c.integers(0), at = c.integers(1);
  if (!from || !at || c.rank(0) != 1)
    return std::nullopt;
  Shape result;
  for (int64_t index : *at)
    result.push_back((*from)[index < 0 ? index + int64_t(from->size()) : index]);
  return result;
}

Integers joined(const C &c) {
  Shape result;
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const Integers part = c.integers(i);
    if (!part)
      return std::nullopt;
    result.append(part->begin(), part->end());
  }
  return result;
}

Integers sliced(const C &c) {
  const Integers from = c.integers(0);
  const bool byInput = c.has(1);
  const Integers starts = byInput ? c.integers(1) : c.list("starts", {});
  const Integers steps = c.has(4) ? c.integers(4) : Shape{1};
  if (!from || !starts || !steps || starts->size() != 1 || steps->size() != 1 || c.outputs[0].isShapeOpen)
    return std::nullopt;
  const int64_t size = from->size(), step = (*steps)[0];
  int64_t at = (*starts)[0] < 0 ? (*starts)[0] + size : (*starts)[0];
  at = std::clamp<int64_t>(at, 0, step > 0 ? size : size - 1);
  Shape result;
  for (int64_t i = 0; i < c.outputs[0].shape[0]; ++i, at += step)
    result.push_back((*from)[at]);
  return result;
}

bool arithmetic(const std::string &type, int64_t x, int64_t y, int64_t &result) {
  if (type == "Add")
    return !__builtin_add_overflow(x, y, &result);
  if (type == "Sub")
    return !__builtin_sub_overflow(x, y, &result);
  if (type == "Mul")
    return !__builtin_mul_overflow(x, y, &result);
  if (y == 0 || (x == INT64_MIN && y == -1))
    return false;
  result = x / y;
  return true;
}

Integers computed(const C &c) {
  const Integers x = c.integers(0), y = c.integers(1);
  if (!x || !y || x->empty() || y->empty())
    return std::nullopt;
  Shape result(std::max(x->size(), y->size()));
  for (size_t i = 0; i < result.size(); ++i)
    if (!arithmetic(c.node.proto.op_type(), (*x)[x->size() == 1 ? 0 : i], (*y)[y->size() == 1 ? 0 : i],
                    result[i]))
      return std::nullopt;
  return result;
}

Integers filled(const C &c) {
  const auto *value = c.attribute("value");
  if (!value || c.outputs[0].isShapeOpen)
    return std::nullopt;
  return Shape(c.outputs[0].shape.empty() ? 1 : c.outputs[0].shape[0],
               (*decodeTensor(value->t()))->ints[0]); // the rule has decoded it
}

Integers valuesOf(const C &c) {
  const std::string &type = c.node.proto.op_type();
  if (type == "Shape" || type == "Size")
    return shapeValues(c);
  if (type == "ConstantOfShape")
    return filled(c);
  if (type == "Neg") {
    const Integers x = c.integers(0);
    Shape result;
    for (int64_t value : x.value_or(Shape()))
      result.push_back(value == INT64_MIN ? value : -value);
    return x ? Integers(result) : x;
  }
  if (type == "Gather")
    return gathered(c);
  if (type == "Concat")
    return joined(c);
  if (type == "Slice")
    return sliced(c);
  if (type == "Add" || type == "Sub" || type == "Mul" || type == "Div")
    return computed(c);
  if (type == "Identity" || type == "Cast" || type == "Squeeze" || type == "Unsqueeze" || type == "Reshape")
    return c.integers(0);
  return std::nullopt;
}

} // namespace

HostTensorPtr foldIntegers(const NodeCheck &c) {
  const Known &out = c.outputs.empty() ? Known() : c.outputs[0];
  if ((out.dtype != onnx::TensorProto::INT64 && out.dtype != onnx::TensorProto::INT32) ||
      out.shape.size() > 1 || (!out.shape.empty() && out.shape[0] > most))
    return nullptr;
  const Integers values = valuesOf(c);
  const size_t count = out.shape.empty() ? 1 : out.shape[0];
  if (!values || values->size() != count)
    return nullptr;
  auto host = std::make_shared<HostTensor>();
  host->dtype = out.dtype;
  host->shape.assign(out.shape.begin(), out.shape.end());
  if (out.dtype == onnx::TensorProto::INT32)
    host->ints = std::vector<int32_t>(values->begin(), values->end());
  else
    host->ints = std::vector<int64_t>(values->begin(), values->end());
  return host;
}

} // namespace daedalus::onnximport
