// Add, Sub, Mul, BatchNormalization, Relu and Clip of real numbers.

#include "../Importer.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace daedalus::onnximport {

Importer::Covered Importer::importBinary(const Node &node) {
  if (!areReal(node) || node.proto.input_size() != 2)
    return false;
  const std::optional<Shape> shape = broadcastShapes(known(node, 0).shape, known(node, 1).shape);
  if (!shape)
    return false;
  const RankedTensorType type = realType(*shape);
  Value a = valueOf(node, 0), b = valueOf(node, 1);
  const std::string &name = node.proto.op_type();
  if (name == "Add")
    define(node, builder.create<qnn::AddOp>(node.loc, type, a, b));
  else if (name == "Sub")
    define(node, builder.create<qnn::SubOp>(node.loc, type, a, b));
  else
    define(node, builder.create<qnn::MulOp>(node.loc, type, a, b));
  return true;
}

Importer::Covered Importer::importBatchNormalization(const Node &node) {
  const Shape shape = known(node, 0).shape;
  const int64_t channels = shape.size() > 1 ? shape[1] : 1;
  if (!areReal(node) || node.proto.output_size() != 1 || intAttribute(node, "training_mode", 0) ||
      !intAttribute(node, "spatial", 1))
    return false;
  for (int input = 1; input < 5; ++input)
    if (known(node, input).shape != Shape{channels})
      return false;
  Value x = valueOf(node, 0), scale = valueOf(node, 1), bias = valueOf(node, 2), mean = valueOf(node, 3),
        variance = valueOf(node, 4);
  define(node,
         builder.create<qnn::BatchNormOp>(node.loc, realType(shape), x, scale, bias, mean, variance,
                                          builder.getF32FloatAttr(floatAttribute(node, "epsilon", 1e-5f))));
  return true;
}

/// Relu, and Clip with constant bounds.
Importer::Covered Importer::importClamp(const Node &node) {
  const float none = std::numeric_limits<float>::infinity();
  float bounds[2] = {0, none};
  if (node.proto.op_type() == "Clip") {
    bounds[0] = floatAttribute(node, "min", -none), bounds[1] = floatAttribute(node, "max", none);
    for (int i : {0, 1}) {
      const HostTensorPtr bound = constantInput(node, 1 + i);
      if (bound && bound->isFloat() && bound->size() == 1)
        bounds[i] = bound->floats[0];
      else if (has(node, 1 + i))
        return false;
    }
    bounds[0] = std::min(bounds[0], bounds[1]); // Clip is min(max(x, lo), hi)
  }
  if (!areReal(node) || std::isnan(bounds[0]) || std::isnan(bounds[1]))
    return false;
  Value x = valueOf(node, 0);
  define(node, builder.create<tosa::ClampOp>(
                   node.loc, x.getType(), x, builder.getI64IntegerAttr(std::numeric_limits<int64_t>::min()),
                   builder.getI64IntegerAttr(std::numeric_limits<int64_t>::max()),
                   builder.getF32FloatAttr(bounds[0]), builder.getF32FloatAttr(bounds[1])));
  return true;
}

} // namespace daedalus::onnximport
