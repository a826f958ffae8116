// Operators that only move elements: quantized values stay what they are.

#include "General/Kernel.h"

#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <set>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

QuantType quantTypeOf(const Edge &edge) {
  return cast<QuantType>(edge.tensor.elementType());
}

HostTensorPtr scalarByte(int64_t value) {
  auto scalar = std::make_shared<HostTensor>();
  scalar->dtype = onnx::TensorProto::INT8;
  scalar->ints = {value};
  return scalar;
}

} // namespace

/// Whether the node moves elements of its first input alone, or of all for Concat, and these are quantized.
bool Importer::movesQuantized(const Node &node) {
  static const std::set<std::string> moves = {
      "DepthToSpace", "Expand",       "Gather", "GatherElements", "Identity", "Pad",       "Resize",
      "Slice",        "SpaceToDepth", "Split",  "Squeeze",        "Tile",     "Transpose", "Unsqueeze"};
  auto isReal = [&](int input) {
    return edge(node, input).kind == Edge::Kind::Real && !edge(node, input).clamped();
  };
  const std::string &type = node.proto.op_type();
  if (type == "Concat") {
    for (int i = 0; i < node.proto.input_size(); ++i)
      if (!isReal(i))
        return false;
    return node.proto.input_size() > 0;
  }
  if (type == "Pad" && !inputName(node, 2).empty() && !edge(node, 2).constant)
    return false;
  return moves.count(type) && isReal(0);
}

/// The node as a kernel on bytes; `tensors` take the place of its quantized inputs.
FailureOr<Tensor> Importer::moveBytes(const Node &node, unsigned output, ArrayRef<Tensor> tensors,
                                      QuantType type) {
  FailureOr<std::vector<PlainType>> outputs = declaredOutputs(node);
  if (failed(outputs))
    return failure();
  for (PlainType &declared : *outputs)
    declared.dtype = onnx::TensorProto::INT8;
  std::vector<Operand> operands;
  for (int i = 0; i < node.proto.input_size(); ++i) {
    if (static_cast<size_t>(i) >= tensors.size()) {
      FailureOr<Operand> operand = plainInput(node, i);
      if (failed(operand))
        return failure();
      operands.push_back(*operand);
      continue;
    }
    Tensor bytes = toRowMajor(tensors[i], node.loc);
    auto stored = RankedTensorType::get(bytes.shape, builder.getI8Type());
    bytes.value = builder.create<quant::StorageCastOp>(node.loc, stored, bytes.value);
    operands.push_back({nullptr, bytes, int32_t(onnx::TensorProto::INT8), bytes.shape});
  }
  if (node.proto.op_type() == "Pad") {
    const HostTensorPtr given = operands.size() > 2 && operands[2].constant ? operands[2].constant : nullptr;
    const float value = given ? given->floats.at(0) : floatAttribute(node, "value", 0);
    if (operands.size() < 3)
      operands.resize(3);
    operands[2] = {scalarByte(quantizeValue(value, type.getScale(), type.getZeroPoint())),
                   {},
                   int32_t(onnx::TensorProto::INT8),
                   {}};
  }
  FailureOr<Tensor> moved = buildGeneral(node, output, operands, *outputs, "moves elements");
  if (failed(moved))
    return failure();
  moved->value =
      builder.create<quant::StorageCastOp>(node.loc, RankedTensorType::get(moved->shape, type), moved->value);
  return toChannelsLast(*moved, node.loc);
}

LogicalResult Importer::importMove(const Node &node) {
  if (node.proto.op_type() == "Concat")
    return importConcat(node);
  const Edge in = edge(node, 0);
  for (int i = 0; i < node.proto.output_size(); ++i) {
    if (node.proto.output(i).empty())
      continue;
    FailureOr<Tensor> moved = moveBytes(node, i, in.tensor, quantTypeOf(in));
    if (failed(moved))
      return failure();
    Edge out;
    out.kind = Edge::Kind::Real;
    out.tensor = *moved;
    define(node, out, i);
  }
  return success();
}

/// Inputs of other scales than the output's are rescaled first.
LogicalResult Importer::importConcat(const Node &node) {
  FailureOr<PlainType> declared = declaredType(node, node.proto.output(0));
  if (failed(declared))
    return failure();
  std::vector<Tensor> inputs;
  for (int i = 0; i < node.proto.input_size(); ++i)
    inputs.push_back(edge(node, i).tensor);
  Edge out;
  out.kind = Edge::Kind::Pending;
  out.tensor.shape = declared->shape;
  out.names = {node.name};
  out.emit = [this, node, inputs](const Output &output, Location loc) -> FailureOr<Tensor> {
    std::vector<Tensor> rescaled;
    for (Tensor tensor : inputs) {
      auto type = cast<RankedTensorType>(tensor.value.getType()).clone(Type(output.type));
      if (tensor.elementType() != output.type)
        tensor.value = builder.create<tosa::CastOp>(loc, type, tensor.value);
      rescaled.push_back(clampTensor(tensor, output.lo, output.hi, loc));
    }
    return moveBytes(node, 0, rescaled, output.type);
  };
  define(node, out);
  return success();
}

} // namespace daedalus::onnximport
