// Operators of tensors that numpy's broadcast brings to one shape: arithmetic, comparisons, logic.

#include "Elementwise/Elementwise.h"
#include "OperatorTable.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

/// Up to opset 6 the second operand is broadcast only where an attribute says so, from dimension `axis` on.
/// What is implemented is numpy's rule: its dimensions are the last ones.
bool oldBroadcast(C &c) {
  if (!c.isFlag("broadcast"))
    return false;
  if (!c.integer("broadcast", 0))
    return c.shape(0) == c.shape(1) ||
           c.fail("combines shapes " + shapeText(c.shape(0)) + " and " + shapeText(c.shape(1)) +
                  " without attribute 'broadcast'; expected one shape");
  const int64_t axis = c.integer("axis", c.rank(0) - c.rank(1));
  if (axis != c.rank(0) - c.rank(1))
    return c.failAttribute("axis", llvm::Twine(axis),
                           llvm::Twine(c.rank(0) - c.rank(1)) + ": the last dimensions of input '" +
                               c.name(0) + "'");
  return c.broadcastsTo(1, c.shape(0)) && c.like(0);
}

bool variadic(C &c) {
  Shape shape;
  if (c.version < 8)
    for (size_t i = 1; i < c.inputs.size(); ++i)
      if (!c.hasShape(i, c.shape(0)))
        return false;
  return c.broadcastAll(shape) && c.output(0, shape);
}

Value add(K &k) {
  return k.binaryOutput([&](Value x, Value y) { return k.add(x, y); });
}
Value sub(K &k) {
  return k.binaryOutput([&](Value x, Value y) { return k.sub(x, y); });
}
Value mul(K &k) {
  return k.binaryOutput([&](Value x, Value y) { return k.mul(x, y); });
}
Value div(K &k) {
  return k.binaryOutput([&](Value x, Value y) { return k.div(x, y, isUnsignedType(k.dtype(0))); });
}

/// The first input with the gate of a swish, times the second.
Value swiGlu(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  const float alpha = k.real("alpha", 1);
  return k.binaryOutput(
      [&](Value x, Value y) { return k.mul(k.mul(x, sigmoidOf(k, k.mul(k.f32(alpha), x))), y); });
}

template <Compare how> Value comparison(K &k) {
  return k.binaryOutput(
      [&](Value x, Value y) { return k.stored(k.compare(how, x, y, isUnsignedType(k.dtype(0)))); });
}

template <class Op> Value logical(K &k) {
  return k.binaryOutput([&](Value x, Value y) -> Value { return k.b.create<Op>(k.loc, x, y); });
}

/// Of one or more inputs; `last` makes the output of what f has joined.
template <class F, class L> Value variadic(K &k, F f, L last) {
  SmallVector<Read> inputs;
  for (size_t i = 0; i < k.operands.size(); ++i)
    inputs.push_back(k.read(i));
  return k.elementwiseOutput(inputs, [&](ValueRange elements) {
    Value result = elements[0];
    for (Value element : elements.drop_front())
      result = f(result, element);
    return last(result);
  });
}
template <class F> Value variadic(K &k, F f) {
  return variadic(k, f, [](Value x) { return x; });
}

Value minimum(K &k) {
  return variadic(k, [&](Value x, Value y) { return k.min(x, y, isUnsignedType(k.dtype(0))); });
}
Value maximum(K &k) {
  return variadic(k, [&](Value x, Value y) { return k.max(x, y, isUnsignedType(k.dtype(0))); });
}
Value sum(K &k) {
  return variadic(k, [&](Value x, Value y) { return k.add(x, y); });
}

Value mean(K &k) {
  const auto quotient = [&](Value sum) {
    return k.div(sum, k.number(double(k.operands.size()), sum.getType()));
  };
  return variadic(
      k, [&](Value x, Value y) { return k.add(x, y); }, quotient);
}

Covered importBinary(Importer &im, const Node &node) {
  if (!im.areReal(node) || node.proto.input_size() != 2)
    return false;
  const std::optional<Shape> shape = broadcastShapes(im.known(node, 0).shape, im.known(node, 1).shape);
  if (!shape)
    return false;
  const RankedTensorType type = im.realType(*shape);
  Value a = im.valueOf(node, 0), b = im.valueOf(node, 1);
  const std::string &name = node.proto.op_type();
  if (name == "Add")
    im.define(node, im.builder.create<qnn::AddOp>(node.loc, type, a, b));
  else if (name == "Sub")
    im.define(node, im.builder.create<qnn::SubOp>(node.loc, type, a, b));
  else
    im.define(node, im.builder.create<qnn::MulOp>(node.loc, type, a, b));
  return true;
}

} // namespace

bool sameShape(NodeCheck &c) {
  return c.like(0);
}

Operator functionOf(BuildKernel build) {
  return {1, sameShape, build, nullptr, byTable, true};
}

bool binary(C &c) {
  if (c.version < 7)
    return oldBroadcast(c) && c.like(0);
  Shape shape;
  return c.broadcast({0, 1}, shape) && c.output(0, shape);
}

void addArithmetic(Operators &all) {
  const char *quantized = "accelerator; a constant or a broadcast on the CPU in int8";
  all["Add"] = {1, binary, add, importBinary, quantized};
  all["And"] = {1, binary, logical<arith::AndIOp>};
  all["Div"] = {1, binary, div, nullptr, "accelerator by a table, with a scalar"};
  all["Equal"] = {1, binary, comparison<Compare::Equal>};
  all["Greater"] = {1, binary, comparison<Compare::Greater>};
  all["GreaterOrEqual"] = {1, binary, comparison<Compare::GreaterOrEqual>};
  all["Less"] = {1, binary, comparison<Compare::Less>};
  all["LessOrEqual"] = {1, binary, comparison<Compare::LessOrEqual>};
  all["Max"] = {1, variadic, maximum};
  all["Mean"] = {1, variadic, mean};
  all["Min"] = {1, variadic, minimum};
  all["Mul"] = {1, binary, mul, importBinary, quantized};
  all["Or"] = {1, binary, logical<arith::OrIOp>};
  all["Sub"] = {1, binary, sub, importBinary, quantized};
  all["Sum"] = {1, variadic, sum};
  all["SwiGLU"] = {28, binary, swiGlu};
  all["Xor"] = {1, binary, logical<arith::XOrIOp>};
}

} // namespace daedalus::onnximport
