// See Describe.h.

#include "daedalus/Import/ONNX/Describe.h"

#include "Load/Load.h"
#include "Load/QOperators.h"
#include "OperatorTable.h"
#include "Values/HostTensor.h"

#include "daedalus/support/input_file.h"

#include <google/protobuf/stubs/logging.h>

#include <set>

namespace daedalus {
namespace {

using namespace onnximport;

OnnxValueInfo infoOf(const onnx::ValueInfoProto &value) {
  OnnxValueInfo info{value.name(), "unknown", std::nullopt};
  if (!value.type().has_tensor_type())
    return info;
  const auto &type = value.type().tensor_type();
  info.type = dtypeName(type.elem_type());
  if (!type.has_shape())
    return info;
  info.shape.emplace();
  for (const auto &dim : type.shape().dim())
    info.shape->push_back(dim.has_dim_value()       ? std::to_string(dim.dim_value())
                          : dim.dim_param().empty() ? "?"
                                                    : dim.dim_param());
  return info;
}

class Describer {
public:
  explicit Describer(const onnx::ModelProto &model) : model(model) {}

  OnnxDescription run() {
    result.producer = model.producer_name();
    if (!model.producer_version().empty())
      result.producer += " " + model.producer_version();
    result.irVersion = model.ir_version();
    for (const auto &import : model.opset_import())
      result.opsets[isOnnxDomain(import.domain()) ? "ai.onnx" : import.domain()] = import.version();
    for (const auto &function : model.functions())
      functions.insert({function.domain(), function.name()});
    result.functions = functions.size();
    result.initializers = model.graph().initializer_size();
    addValues();
    addNodes(model.graph().node());
    for (const auto &function : model.functions())
      addNodes(function.node());
    return std::move(result);
  }

private:
  void addValues() {
    std::set<std::string> constants;
    for (const auto &tensor : model.graph().initializer())
      constants.insert(tensor.name());
    for (const auto &input : model.graph().input())
      if (!constants.count(input.name())) {
        result.inputs.push_back(infoOf(input));
        result.inputs.back().scale = scaleOfInput(input.name());
      }
    for (const auto &output : model.graph().output()) {
      result.outputs.push_back(infoOf(output));
      result.outputs.back().step = stepOf(output.name());
      result.outputs.back().scale = scaleOfOutput(output.name());
    }
  }

  float stepOf(const std::string &output) const {
    for (const auto &node : model.graph().node())
      if (node.op_type() == "DequantizeLinear" && node.output_size() == 1 && node.output(0) == output &&
          node.input_size() > 1)
        return scalarOf(node.input(1));
    return 0;
  }

  /// The inputs `at` and `at + 1` of a node.
  std::optional<OnnxScale> scaleAt(const onnx::NodeProto &node, int at) const {
    OnnxScale scale;
    if (node.input_size() > at)
      scale.scale = scalarOf(node.input(at));
    if (node.input_size() > at + 1)
      scale.zeroPoint = integerOf(node.input(at + 1));
    return scale.scale > 0 ? std::optional<OnnxScale>(scale) : std::nullopt;
  }

  std::optional<OnnxScale> scaleOfInput(const std::string &input) const {
    for (const auto &node : model.graph().node()) {
      const bool reads = node.op_type() == "DequantizeLinear" || node.op_type().rfind("QLinear", 0) == 0;
      if (reads && node.input_size() > 1 && node.input(0) == input)
        return scaleAt(node, 1);
    }
    return std::nullopt;
  }

  std::optional<OnnxScale> scaleOfOutput(const std::string &output) const {
    for (const auto &node : model.graph().node()) {
      if (node.output_size() != 1 || node.output(0) != output)
        continue;
      if (node.op_type() == "QuantizeLinear")
        return scaleAt(node, 1);
      if (node.op_type() == "QLinearConv" || node.op_type() == "QLinearMatMul")
        return scaleAt(node, 6);
    }
    return std::nullopt;
  }

  /// A constant of one integer; 0 where there is none of that name.
  int64_t integerOf(const std::string &name) const {
    for (const auto &tensor : model.graph().initializer())
      if (tensor.name() == name)
        if (const auto host = decodeTensor(tensor); host && (*host)->ints.size() == 1)
          return (*host)->ints[0];
    return 0;
  }

  /// A constant of one float; 0 where there is none of that name.
  float scalarOf(const std::string &name) const {
    for (const auto &tensor : model.graph().initializer())
      if (tensor.name() == name)
        if (const auto host = decodeTensor(tensor); host && (*host)->isFloat() && (*host)->size() == 1)
          return (*host)->floats[0];
    return 0;
  }

  template <class Nodes> void addNodes(const Nodes &nodes) {
    for (const onnx::NodeProto &node : nodes) {
      if (functions.count({node.domain(), node.op_type()}))
        continue;
      const bool isOnnx = isOnnxDomain(node.domain());
      OnnxOperatorUse &use = result.operators[isOnnx ? node.op_type() : node.domain() + "." + node.op_type()];
      ++use.nodes;
      use.isSupported =
          node.domain() == externalDomain || isQOperator(node) || (isOnnx && operatorOf(node.op_type()));
    }
  }

  const onnx::ModelProto &model;
  std::set<std::pair<std::string, std::string>> functions;
  OnnxDescription result;
};

} // namespace

Result<OnnxDescription> describeOnnx(const std::string &path) {
  google::protobuf::SetLogHandler(nullptr); // the error says it
  const Result<std::vector<uint8_t>> bytes = readFile(path, input::Model);
  if (!bytes)
    return error(bytes.error());
  onnx::ModelProto model;
  if (!model.ParseFromArray(bytes->data(), static_cast<int>(bytes->size())) || !model.has_graph())
    return error("'" + path +
                 "' is not an ONNX model: the file is truncated or corrupt; export the model again");
  return Describer(model).run();
}

} // namespace daedalus
