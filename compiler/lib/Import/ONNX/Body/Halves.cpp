// See Halves.h.

#include "Body/Halves.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

/// Operators whose kernels compute nothing with elements, or know 16 bits themselves.
bool takesHalves(StringRef type) {
  static const std::set<StringRef> all = {
      "BitCast",      "Cast",     "CastLike", "CenterCropPad", "Compress",        "Concat",
      "DepthToSpace", "Dropout",  "Expand",   "Flatten",       "Gather",          "GatherElements",
      "GatherND",     "Identity", "Pad",      "Reshape",       "ReverseSequence", "Slice",
      "SpaceToDepth", "Split",    "Squeeze",  "Tile",          "Transpose",       "Trilu",
      "Unsqueeze",    "Where"};
  return all.count(type) != 0;
}

int32_t widened(int32_t dtype) {
  return isHalfType(dtype) ? int32_t(onnx::TensorProto::FLOAT) : dtype;
}

/// The numbers of a constant are there in float32.
HostTensorPtr widened(const HostTensorPtr &constant) {
  if (!constant || !isHalfType(constant->dtype))
    return constant;
  auto wide = std::make_shared<HostTensor>(*constant);
  wide->dtype = onnx::TensorProto::FLOAT;
  return wide;
}

bool isHalf(Value tensor) {
  return elementOf(tensor).isF16() || elementOf(tensor).isBF16();
}

} // namespace

Widened::Widened(const Node &node, const std::vector<Operand> &operands,
                 const std::vector<PlainType> &outputs)
    : operands(operands), outputs(outputs), isWide(!takesHalves(node.proto.op_type())) {
  if (!isWide)
    return;
  for (Operand &operand : this->operands) {
    operand.dtype = widened(operand.dtype);
    operand.constant = widened(operand.constant);
  }
  for (PlainType &output : this->outputs)
    output.dtype = widened(output.dtype);
}

std::vector<Value> Widened::arguments(Body &body, ValueRange all) const {
  std::vector<Value> wide(all.begin(), all.end());
  for (Value &value : wide)
    if (isWide && isHalf(value))
      value = body.elementwise(shapeOf(value), body.b.getF32Type(), body.broadcast(value, shapeOf(value)),
                               [&](ValueRange x) -> Value {
                                 return body.b.create<arith::ExtFOp>(body.loc, body.b.getF32Type(), x[0]);
                               });
  return wide;
}

Value Widened::result(Body &body, Value value, Type element) const {
  if (elementOf(value) == element)
    return value;
  return body.elementwise(
      shapeOf(value), element, body.broadcast(value, shapeOf(value)),
      [&](ValueRange x) -> Value { return body.b.create<arith::TruncFOp>(body.loc, element, x[0]); });
}

} // namespace daedalus::onnximport
