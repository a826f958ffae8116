// Reshape and Flatten whose shape is known, Concat, and what is known when the model is compiled.

#include "../General/Kernel.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;

namespace daedalus::onnximport {

Importer::Covered Importer::importReshape(const Node &node) {
  if (has(node, 1) && !constantInput(node, 1))
    return false;
  FailureOr<PlainType> output = declaredType(node, node.proto.output(0));
  if (failed(output))
    return failure();
  if (llvm::is_contained(output->shape, 0)) // tosa has no empty tensors
    return false;
  const OnnxValue in = known(node, 0);
  Value x = valueOf(node, 0);
  const auto type = cast<RankedTensorType>(x.getType());
  define(node, builder.create<tosa::ReshapeOp>(node.loc, type.clone(output->shape), x,
                                               builder.getDenseI64ArrayAttr(output->shape)));
  values[node.proto.output(0)].dtype = in.dtype;
  return true;
}

Importer::Covered Importer::importConcat(const Node &node) {
  if (!areReal(node) || node.proto.input_size() == 0)
    return false;
  FailureOr<PlainType> output = declaredType(node, node.proto.output(0));
  if (failed(output))
    return failure();
  const int64_t rank = output->shape.size(), given = intAttribute(node, "axis", 1);
  SmallVector<Value> parts;
  for (int i = 0; i < node.proto.input_size(); ++i)
    parts.push_back(valueOf(node, i));
  define(node, builder.create<qnn::ConcatOp>(node.loc, realType(output->shape), parts,
                                             given < 0 ? given + rank : given));
  return true;
}

Importer::Covered Importer::importConstant(const Node &node) {
  const Result<HostTensorPtr> constant = readConstant(node);
  if (!constant)
    return LogicalResult(fail(node) << constant.error());
  defineConstant(node, *constant);
  return true;
}

/// Shapes are static, so Shape and Size are constants.
Importer::Covered Importer::importSize(const Node &node) {
  const Shape shape = known(node, 0).shape;
  auto numbers = std::make_shared<HostTensor>();
  numbers->dtype = onnx::TensorProto::INT64;
  if (node.proto.op_type() == "Size") {
    numbers->ints = {elementCount({shape.begin(), shape.end()})};
  } else {
    const auto [start, end] = shapeRange(node, shape.size());
    numbers->ints = std::vector<int64_t>(shape.begin() + start, shape.begin() + end);
    numbers->shape = {end - start};
  }
  defineConstant(node, numbers);
  return true;
}

/// Of a constant: a call that passes fold. Its numbers are known behind it.
Importer::Covered Importer::importIdentity(const Node &node) {
  const OnnxValue in = known(node, 0);
  if (!in.isConstant)
    return false;
  const std::vector<Operand> operands = {{nullptr, {valueOf(node, 0), in.shape}, in.dtype, in.shape}};
  FailureOr<Value> copy = callOf(node, 0, operands, {{in.dtype, in.shape}});
  if (failed(copy))
    return failure();
  define(node, *copy);
  OnnxValue &out = values[node.proto.output(0)];
  out.dtype = in.dtype;
  out.copied = in.quantized ? nullptr : in.constant ? in.constant : in.copied;
  out.isConstant = true;
  return true;
}

} // namespace daedalus::onnximport
