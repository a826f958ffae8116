// Clip, Relu, PRelu and Where: which of two numbers an element is.

#include "Elementwise/Elementwise.h"
#include "OperatorTable.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

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

Value relu(K &k) {
  return unary(k, [&](Value x) { return k.max(x, k.number(0, x.getType())); });
}

/// Up to opset 6 the slope is one number, or one a channel.
Value prelu(K &k) {
  const bool byChannel = k.node.opset < 7 && product(k.shape(1)) != 1;
  const Read slopes = byChannel ? k.read(1, k.loops(k.output.shape.size(), 1)) : k.read(1);
  return k.elementwiseOutput({k.read(0), slopes}, [&](ValueRange elements) {
    Value x = elements[0], slope = elements[1];
    return k.select(k.compare(Compare::Less, x, k.number(0, x.getType())), k.mul(slope, x), x);
  });
}

Value where(K &k) {
  return k.elementwiseOutput({k.read(0), k.read(1), k.read(2)},
                             [&](ValueRange x) { return k.select(k.truth(x[0]), x[1], x[2]); });
}

/// The bounds are attributes up to opset 6, and inputs that may come at run time from 11 on.
Value clip(K &k) {
  const auto isThere = [&](size_t input, const char *name) {
    return k.has(input) || attribute(k.node, name);
  };
  const auto bound = [&](size_t input, const char *name) {
    return k.has(input) ? k.readScalar(input) : k.read(k.real(name, 0), k.elementType(0));
  };
  const bool isUnsigned = isUnsignedType(k.dtype(0)), hasLeast = isThere(1, "min"),
             hasMost = isThere(2, "max");
  SmallVector<Read> reads{k.read(0)};
  if (hasLeast)
    reads.push_back(bound(1, "min"));
  if (hasMost)
    reads.push_back(bound(2, "max"));
  return k.elementwiseOutput(reads, [&](ValueRange elements) {
    Value x = elements[0];
    x = hasLeast ? k.max(x, elements[1], isUnsigned) : x;
    return hasMost ? k.min(x, elements.back(), isUnsigned) : x;
  });
}

/// Relu, and Clip with constant bounds.
Covered importClamp(Importer &im, const Node &node) {
  const float none = std::numeric_limits<float>::infinity();
  float bounds[2] = {0, none};
  if (node.proto.op_type() == "Clip") {
    bounds[0] = floatAttribute(node, "min", -none), bounds[1] = floatAttribute(node, "max", none);
    for (int i : {0, 1}) {
      const HostTensorPtr bound = im.constantInput(node, 1 + i);
      if (bound && bound->isFloat() && bound->size() == 1)
        bounds[i] = bound->floats[0];
      else if (im.has(node, 1 + i))
        return false;
    }
    bounds[0] = std::min(bounds[0], bounds[1]); // Clip is min(max(x, lo), hi)
  }
  if (!im.areReal(node) || std::isnan(bounds[0]) || std::isnan(bounds[1]))
    return false;
  Value x = im.valueOf(node, 0);
  im.define(node,
            im.builder.create<tosa::ClampOp>(
                node.loc, x.getType(), x, im.builder.getI64IntegerAttr(std::numeric_limits<int64_t>::min()),
                im.builder.getI64IntegerAttr(std::numeric_limits<int64_t>::max()),
                im.builder.getF32FloatAttr(bounds[0]), im.builder.getF32FloatAttr(bounds[1])));
  return true;
}

} // namespace

void addClamps(Operators &all) {
  const std::string joined = "accelerator, joined to the operator before";
  all["Clip"] = {1, clip, clip, importClamp, joined + "; constant bounds"};
  all["PRelu"] = {1, prelu, prelu};
  all["Relu"] = {1, sameShape, relu, importClamp, joined, true};
  all["Where"] = {9, where, where};
}

} // namespace daedalus::onnximport
