// What is known of ONNX values, and small helpers of the importer.

#include "Importer.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;

namespace daedalus::onnximport {

Type Tensor::elementType() const {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

bool Edge::clamped() const {
  return lo != -std::numeric_limits<float>::infinity() || hi != std::numeric_limits<float>::infinity();
}

HostTensorPtr dequantizedConstant(const Edge &edge) {
  if (edge.kind == Edge::Kind::Constant)
    return edge.constant;
  auto tensor = std::make_shared<HostTensor>();
  tensor->dtype = onnx::TensorProto::FLOAT;
  tensor->shape = edge.constant->shape;
  const ChannelOf channelOf(tensor->shape, edge.quantization);
  for (size_t i = 0; i < edge.constant->ints.size(); ++i) {
    const size_t channel = channelOf(i);
    const auto value = static_cast<float>(edge.constant->ints[i] - edge.quantization.zeroPoints[channel]);
    tensor->floats.push_back(value * edge.quantization.scales[channel]);
  }
  return tensor;
}

std::string joinNames(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : " + ") + name;
  return text;
}

std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (int64_t dim : shape)
    text += (text.size() > 1 ? "," : "") + std::to_string(dim);
  return text + "]";
}

const Edge &Importer::edge(const Node &node, int input) {
  static const Edge absent;
  if (input >= node.proto.input_size() || node.proto.input(input).empty())
    return absent;
  auto found = edges.find(node.proto.input(input));
  return found == edges.end() ? absent : found->second;
}

StringRef Importer::inputName(const Node &node, int input) {
  return input < node.proto.input_size() ? StringRef(node.proto.input(input)) : StringRef();
}

HostTensorPtr Importer::constantInput(const Node &node, int input) {
  const Edge &in = edge(node, input);
  return in.kind == Edge::Kind::Constant ? in.constant : nullptr;
}

void Importer::define(const Node &node, Edge edge, int output) {
  edge.general = nullptr;
  if (edge.kind == Edge::Kind::Pending || edge.clamped())
    edge.general = [this, node, output] { return generalOutput(node, output); };
  edges[node.proto.output(output)] = std::move(edge);
}

Location Importer::locationOf(const std::vector<std::string> &names) {
  return NameLoc::get(builder.getStringAttr(joinNames(names)));
}

template <class T>
Value Importer::constantOf(Location loc, ArrayRef<int64_t> shape, const std::vector<T> &data,
                           Type elementType) {
  auto stored = RankedTensorType::get(shape, builder.getIntegerType(8 * sizeof(T)));
  auto values = DenseElementsAttr::get(stored, ArrayRef<T>(data));
  return builder.create<tosa::ConstOp>(loc, RankedTensorType::get(shape, elementType), values);
}
template Value Importer::constantOf(Location, ArrayRef<int64_t>, const std::vector<int8_t> &, Type);
template Value Importer::constantOf(Location, ArrayRef<int64_t>, const std::vector<int16_t> &, Type);

} // namespace daedalus::onnximport
