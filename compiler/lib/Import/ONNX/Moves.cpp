// Operators that only move elements: quantized values stay what they are.

#include "General/Kernel.h"

#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <cmath>
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

/// The node as a kernel on bytes; `tensor` takes the place of its first input, which is quantized.
FailureOr<Tensor> Importer::moveBytes(const Node &node, unsigned output, const Tensor &tensor,
                                      QuantType type) {
  FailureOr<std::vector<PlainType>> outputs = declaredOutputs(node);
  if (failed(outputs))
    return failure();
  for (PlainType &declared : *outputs)
    declared.dtype = onnx::TensorProto::INT8;
  Tensor bytes = toRowMajor(tensor, node.loc);
  auto stored = RankedTensorType::get(bytes.shape, builder.getI8Type());
  bytes.value = builder.create<quant::StorageCastOp>(node.loc, stored, bytes.value);
  std::vector<Operand> operands{{nullptr, bytes, int32_t(onnx::TensorProto::INT8), bytes.shape}};
  for (int i = 1; i < node.proto.input_size(); ++i) {
    FailureOr<Operand> operand = plainInput(node, i);
    if (failed(operand))
      return failure();
    operands.push_back(*operand);
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
  if (auto repeats = repeatsOf(node))
    return importRepeat(node, *repeats);
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
  const int64_t rank = declared->shape.size(), given = intAttribute(node, "axis", 1);
  const int64_t axis = given < 0 ? given + rank : given;
  if (axis < 0 || axis >= rank)
    return fail(node) << "attribute 'axis' has value " << given << "; expected " << -rank << " to "
                      << rank - 1;
  for (const Tensor &input : inputs)
    for (int64_t d = 0; d < rank; ++d)
      if (static_cast<int64_t>(input.shape.size()) != rank ||
          (d != axis && input.shape[d] != declared->shape[d]))
        return fail(node) << "joins shape " << shapeText(input.shape) << " along axis " << given << " into "
                          << shapeText(declared->shape) << "; expected the same other dimensions";
  Edge out;
  out.kind = Edge::Kind::Pending;
  out.tensor.shape = declared->shape;
  out.names = {node.name};
  out.emit = [this, inputs, shape = declared->shape, axis](const Output &output,
                                                           Location loc) -> FailureOr<Tensor> {
    SmallVector<Value> parts;
    Layout layout = Layout::RowMajor;
    for (Tensor tensor : inputs) {
      tensor = shape.size() == 4 ? toChannelsLast(tensor, loc) : toRowMajor(tensor, loc);
      layout = tensor.layout;
      auto type = cast<RankedTensorType>(tensor.value.getType()).clone(Type(output.type));
      if (tensor.elementType() != output.type)
        tensor.value = builder.create<tosa::CastOp>(loc, type, tensor.value);
      parts.push_back(clampTensor(tensor, output.lo, output.hi, loc).value);
    }
    return concatenate(parts, shape, axis, layout, loc);
  };
  define(node, out);
  return success();
}

Tensor Importer::concatenate(ArrayRef<Value> parts, const Shape &shape, int64_t axis, Layout layout,
                             Location loc) {
  static constexpr int64_t channelsLast[] = {0, 3, 1, 2}; // where N, C, H and W lie
  if (layout == Layout::ChannelsLast)
    axis = channelsLast[axis];
  auto type = cast<RankedTensorType>(parts[0].getType());
  SmallVector<int64_t> sizes(type.getShape());
  sizes[axis] = 0;
  for (Value part : parts)
    sizes[axis] += cast<RankedTensorType>(part.getType()).getDimSize(axis);
  return {builder.create<tosa::ConcatOp>(loc, type.clone(sizes), parts, axis), shape, layout};
}

/// How often a Resize repeats each row and column, where it does nothing else.
std::optional<std::pair<int64_t, int64_t>> Importer::repeatsOf(const Node &node) {
  const Edge in = edge(node, 0);
  auto text = [&](const char *name, const char *otherwise) {
    const auto *found = attribute(node, name);
    return found ? found->s() : std::string(otherwise);
  };
  // With a whole factor f these send the output's i f + r, r < f, to the input's i.
  static const std::set<std::pair<std::string, std::string>> repeating = {
      {"asymmetric", "floor"},
      {"tf_half_pixel_for_nn", "floor"},
      {"half_pixel", "round_prefer_floor"},
      {"half_pixel", "round_prefer_ceil"},
      {"pytorch_half_pixel", "round_prefer_floor"},
      {"pytorch_half_pixel", "round_prefer_ceil"}};
  const bool plain = !attribute(node, "axes") && text("keep_aspect_ratio_policy", "stretch") == "stretch";
  if (!plain || node.proto.op_type() != "Resize" || in.tensor.shape.size() != 4 ||
      text("mode", "nearest") != "nearest" ||
      !repeating.count(
          {text("coordinate_transformation_mode", "half_pixel"), text("nearest_mode", "round_prefer_floor")}))
    return std::nullopt;
  const HostTensorPtr scales = constantInput(node, 2), sizes = constantInput(node, 3);
  std::vector<int64_t> factors;
  for (size_t d = 0; d < 4; ++d) {
    double factor = 0;
    if (sizes && sizes->ints.size() == 4)
      factor = double(sizes->ints[d]) / double(in.tensor.shape[d]);
    else if (scales && scales->floats.size() == 4)
      factor = scales->floats[d];
    if (factor < 1 || factor > 64 || factor != std::floor(factor))
      return std::nullopt;
    factors.push_back(static_cast<int64_t>(factor));
  }
  if (factors[0] != 1 || factors[1] != 1)
    return std::nullopt;
  return std::pair(factors[2], factors[3]);
}

LogicalResult Importer::importRepeat(const Node &node, std::pair<int64_t, int64_t> repeats) {
  const Edge in = edge(node, 0);
  const Tensor x = toChannelsLast(in.tensor, node.loc);
  auto [fh, fw] = repeats;
  Shape shape = x.shape;
  shape[2] *= fh, shape[3] *= fw;
  auto type = cast<RankedTensorType>(x.value.getType());
  // Nearest by TOSA's rule: output row y takes the input's round((2 y - fh) / (2 fh)), halves up.
  auto resized = builder.create<tosa::ResizeOp>(
      node.loc, type.clone({shape[0], shape[2], shape[3], shape[1]}), x.value,
      builder.getDenseI64ArrayAttr({2 * fh, 2, 2 * fw, 2}), builder.getDenseI64ArrayAttr({-fh, -fw}),
      builder.getDenseI64ArrayAttr({fh - 2, fw - 2}), builder.getStringAttr("NEAREST_NEIGHBOR"));
  Edge out;
  out.kind = Edge::Kind::Real;
  out.tensor = {resized, shape, Layout::ChannelsLast};
  define(node, out);
  return success();
}

} // namespace daedalus::onnximport
