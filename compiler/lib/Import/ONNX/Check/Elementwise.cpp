// Operators whose output has the shape of one input, or the one that all inputs broadcast to.

#include "NodeCheck.h"

#include "../General/Builds.h"
#include "../General/Types.h"

namespace daedalus::onnximport {
namespace {

using C = NodeCheck;

bool same(C &c) {
  return c.like(0);
}

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

bool binary(C &c) {
  if (c.version < 7)
    return oldBroadcast(c) && c.like(0);
  Shape shape;
  return c.broadcast({0, 1}, shape) && c.output(0, shape);
}

bool variadic(C &c) {
  Shape shape;
  if (c.version < 8)
    for (size_t i = 1; i < c.inputs.size(); ++i)
      if (!c.hasShape(i, c.shape(0)))
        return false;
  return c.broadcastAll(shape) && c.output(0, shape);
}

bool where(C &c) {
  Shape shape;
  return c.broadcast({0, 1, 2}, shape) && c.output(0, shape);
}

/// Up to opset 6 the slope is one number, or one a channel.
bool prelu(C &c) {
  if (c.version < 7)
    return (c.elements(1) == 1 || (c.rankAtLeast(0, 2) && c.hasShape(1, {c.shape(0)[1]}))) && c.like(0);
  return c.broadcastsTo(1, c.shape(0)) && c.like(0);
}

bool clip(C &c) {
  for (size_t bound : {1, 2})
    if (c.has(bound) && !c.isScalar(bound, "bound"))
      return false;
  return c.like(0);
}

/// What floats of 8 bits alone take notice of.
bool roundsAs(C &c) {
  return c.isFlag("saturate") && c.oneOf("round_mode", "up", {"up", "down", "nearest"});
}

bool castLike(C &c) {
  return roundsAs(c) && c.like(0);
}

bool cast(C &c) {
  const int64_t to = c.integer("to", 0);
  if (to < 1 || to > 16)
    return c.failAttribute("to", llvm::Twine(to), "1 to 16, a type of ONNX");
  c.outputs[0].dtype = static_cast<int32_t>(to);
  return roundsAs(c) && c.like(0);
}

/// The bits of a type of the same width.
bool bitCast(C &c) {
  const int32_t to = typeAttribute(c.node, "to", 0);
  const mlir::Builder builder(c.node.loc.getContext());
  const unsigned bits = elementType(builder, c.dtype(0)).getIntOrFloatBitWidth();
  if (!isPlainType(to) || elementType(builder, to).getIntOrFloatBitWidth() != bits)
    return c.failAttribute("to", llvm::Twine(c.integer("to", 0)),
                           "a type of " + llvm::Twine(bits) + " bits, like " + dtypeName(c.dtype(0)));
  c.outputs[0].dtype = to;
  return c.like(0);
}

bool gelu(C &c) {
  return c.oneOf("approximate", "none", {"none", "tanh"}) && c.like(0);
}

bool isInf(C &c) {
  return c.isFlag("detect_negative") && c.isFlag("detect_positive") && c.like(0);
}

bool bitShift(C &c) {
  return c.oneOf("direction", "", {"LEFT", "RIGHT"}) && binary(c);
}

/// Integers take the divisor's sign or with `fmod` the dividend's, floats the dividend's.
bool modulo(C &c) {
  if (!c.isFlag("fmod"))
    return false;
  if (c.version < 28 && isFloatType(c.dtype(0)) && !c.integer("fmod", 0))
    return c.fail("attribute 'fmod' has value 0 for inputs of type " + dtypeName(c.dtype(0)) +
                  "; expected 1");
  return binary(c);
}

bool dropout(C &c) {
  if (c.version < 7 && !c.integer("is_test", 0))
    return c.fail("trains (attribute 'is_test' has value 0); expected inference: export the model in "
                  "evaluation mode");
  for (size_t input : {1, 2})
    if (c.has(input) && !c.rankIs(input, 0))
      return false;
  return c.like(0) && c.output(1, c.shape(0));
}

} // namespace

void addElementwiseChecks(Checks &checks) {
  for (const auto &[name, build] : functionBuilds())
    checks[name] = {1, same};
  for (const char *name : {"Add", "And", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Div", "Equal", "Greater",
                           "GreaterOrEqual", "Less", "LessOrEqual", "Mul", "Or", "Pow", "Sub", "Xor"})
    checks[name] = {1, binary};
  for (const char *name : {"Max", "Mean", "Min", "Sum"})
    checks[name] = {1, variadic};
  checks["SwiGLU"] = {28, binary};
  checks["Where"] = {9, where};
  checks["PRelu"] = {1, prelu};
  checks["Clip"] = {1, clip};
  checks["BitShift"] = {11, bitShift};
  checks["BitCast"] = {26, bitCast};
  checks["Cast"] = {6, cast};
  checks["CastLike"] = {15, castLike};
  checks["Gelu"] = {20, gelu};
  checks["IsInf"] = {10, isInf};
  checks["Mod"] = {10, modulo};
  checks["Dropout"] = {1, dropout};
}

} // namespace daedalus::onnximport
