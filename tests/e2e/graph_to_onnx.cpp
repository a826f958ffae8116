#include "graph_to_onnx.h"

#include <onnx/onnx_pb.h>

#include <map>

namespace daedalus::testing {
namespace {

using Shape = std::vector<int64_t>;

template <class T> std::string bytesOf(const std::vector<T> &values) {
  return {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)};
}

class Builder {
public:
  explicit Builder(const Graph &source) : source(source), shareDequantize(source.seed % 2) {
    model.set_ir_version(7);
    model.set_producer_name("random_graphs_test");
    auto *opset = model.add_opset_import();
    opset->set_domain("");
    opset->set_version(14);
    graph = model.mutable_graph();
    graph->set_name("seed" + std::to_string(source.seed));
  }

  std::string run() {
    declare(*graph->add_input(), source.values[0]);
    for (int output : source.outputs)
      declare(*graph->add_output(), source.values[output]);
    for (const GraphNode &node : source.nodes)
      addNode(node);
    if (usesMicrosoft) {
      auto *opset = model.add_opset_import();
      opset->set_domain("com.microsoft");
      opset->set_version(1);
    }
    return model.SerializeAsString();
  }

private:
  int32_t activationType() const {
    return source.unsignedActivations ? onnx::TensorProto::UINT8 : onnx::TensorProto::INT8;
  }

  void declare(onnx::ValueInfoProto &info, const GraphValue &value) const {
    info.set_name(value.name);
    auto *type = info.mutable_type()->mutable_tensor_type();
    type->set_elem_type(activationType());
    for (int64_t size : value.shape)
      type->mutable_shape()->add_dim()->set_dim_value(size);
  }

  template <class T>
  std::string constant(const std::string &name, onnx::TensorProto::DataType type, const Shape &shape,
                       const std::vector<T> &values) {
    auto *tensor = graph->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(type);
    for (int64_t size : shape)
      tensor->add_dims(size);
    tensor->set_raw_data(bytesOf(values));
    return name;
  }

  onnx::NodeProto &add(const std::string &kind, const std::string &name,
                       const std::vector<std::string> &inputs, const std::string &output) {
    auto *node = graph->add_node();
    node->set_op_type(kind);
    node->set_name(name);
    for (const std::string &input : inputs)
      node->add_input(input);
    node->add_output(output);
    return *node;
  }

  static void attribute(onnx::NodeProto &node, const std::string &name, int64_t value) {
    auto *attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto::INT);
    attribute->set_i(value);
  }

  template <class Values>
  static void attributeList(onnx::NodeProto &node, const std::string &name, const Values &values) {
    auto *attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto::INTS);
    for (int64_t value : values)
      attribute->add_ints(value);
  }

  // Names of the constants for scale and zero point, made once for each owner.
  std::vector<std::string> quantization(const std::string &owner, const Quantization &q) {
    std::string scale = owner + ".scale", zero = owner + ".zero";
    if (!made[owner]++) {
      constant<float>(scale, onnx::TensorProto::FLOAT, {}, {q.scale});
      constant<int8_t>(zero, static_cast<onnx::TensorProto::DataType>(activationType()), {},
                       {static_cast<int8_t>(q.zeroPoint + (source.unsignedActivations ? 128 : 0))});
    }
    return {scale, zero};
  }

  std::string real(int value, const std::string &reader) {
    const GraphValue &from = source.values[value];
    std::string name = from.name + ".real" + (shareDequantize ? "" : "." + reader);
    if (!made[name]++) {
      std::vector<std::string> scale = quantization(from.name, from.quantization);
      add("DequantizeLinear", name + ".dq", {from.name, scale[0], scale[1]}, name);
    }
    return name;
  }

  // A constant behind its DequantizeLinear; one scale, or one for each index of `axis`.
  template <class T>
  std::string realConstant(const std::string &name, onnx::TensorProto::DataType type, const Shape &shape,
                           const std::vector<T> &values, const std::vector<float> &scales, int64_t axis) {
    Shape scaleShape;
    if (scales.size() > 1)
      scaleShape = {static_cast<int64_t>(scales.size())};
    constant(name, type, shape, values);
    constant(name + ".scale", onnx::TensorProto::FLOAT, scaleShape, scales);
    constant(name + ".zero", type, scaleShape, std::vector<T>(scales.size(), 0));
    auto &node =
        add("DequantizeLinear", name + ".dq", {name, name + ".scale", name + ".zero"}, name + ".real");
    if (scales.size() > 1)
      attribute(node, "axis", axis);
    return name + ".real";
  }

  std::string bias(const GraphNode &node, int64_t channels) {
    std::vector<float> scales = node.weightScales;
    for (float &scale : scales)
      scale *= source.values[node.inputs[0]].quantization.scale;
    return realConstant(node.name + ".bias", onnx::TensorProto::INT32, {channels}, node.bias, scales, 0);
  }

  // The weights as the model stores them, of the given order.
  std::string storedWeights(const GraphNode &node, const Shape &shape, const std::vector<int16_t> &weights) {
    std::vector<int8_t> stored;
    for (int16_t weight : weights)
      stored.push_back(static_cast<int8_t>(weight + storedZero(node)));
    return constant(node.name + ".weight", weightType(node), shape, stored);
  }

  static onnx::TensorProto::DataType weightType(const GraphNode &node) {
    return node.unsignedWeights ? onnx::TensorProto::UINT8 : onnx::TensorProto::INT8;
  }

  static int storedZero(const GraphNode &node) { return node.weightZero + (node.unsignedWeights ? 128 : 0); }

  // Weights, scale and zero point.
  std::vector<std::string> weightInputs(const GraphNode &node, const Shape &shape,
                                        const std::vector<int16_t> &weights) {
    const auto scales = static_cast<int64_t>(node.weightScales.size());
    const Shape scaleShape = scales > 1 ? Shape{scales} : Shape{};
    return {storedWeights(node, shape, weights),
            constant(node.name + ".weight.scale", onnx::TensorProto::FLOAT, scaleShape, node.weightScales),
            constant(node.name + ".weight.zero", weightType(node), scaleShape,
                     std::vector<int8_t>(scales, static_cast<int8_t>(storedZero(node))))};
  }

  std::string realWeights(const GraphNode &node, const Shape &shape, const std::vector<int16_t> &weights,
                          int64_t axis) {
    auto &dequantize = add("DequantizeLinear", node.name + ".weight.dq", weightInputs(node, shape, weights),
                           node.name + ".weight.real");
    if (node.weightScales.size() > 1)
      attribute(dequantize, "axis", axis);
    return dequantize.output(0);
  }

  // The value with its scale and zero point.
  void append(std::vector<std::string> &inputs, int value) {
    const GraphValue &from = source.values[value];
    const auto scale = quantization(from.name, from.quantization);
    inputs.insert(inputs.end(), {from.name, scale[0], scale[1]});
  }

  // Whether the node was written in QOperator form.
  bool addQOperator(const GraphNode &node) {
    if (!node.qOperator || node.activation != Activation::None)
      return false;
    const GraphValue &output = source.values[node.output];
    const auto scale = quantization(output.name, output.quantization);
    std::vector<std::string> inputs;
    if (node.kind == NodeKind::Concat)
      inputs = scale;
    for (int input : node.inputs)
      append(inputs, input);
    static const std::map<NodeKind, std::string> microsoft = {{NodeKind::Add, "QLinearAdd"},
                                                              {NodeKind::Mul, "QLinearMul"},
                                                              {NodeKind::Concat, "QLinearConcat"},
                                                              {NodeKind::AveragePool, "QLinearAveragePool"}};
    std::string type;
    if (auto found = microsoft.find(node.kind); found != microsoft.end())
      type = found->second;
    else if (node.kind == NodeKind::Lookup && node.function == Function::Sigmoid)
      type = "QLinearSigmoid";
    else if (node.kind == NodeKind::Lookup && node.function == Function::LeakyRelu)
      type = "QLinearLeakyRelu";
    else if (node.kind != NodeKind::Conv && node.kind != NodeKind::Product)
      return false;
    if (node.kind == NodeKind::Product)
      return addQLinearMatMul(node, inputs, scale);
    if (node.kind == NodeKind::Conv)
      return addQLinearConv(node, inputs, scale);
    if (node.kind != NodeKind::Concat)
      inputs.insert(inputs.end(), scale.begin(), scale.end());
    auto &made = add(type, node.name, inputs, output.name);
    made.set_domain("com.microsoft");
    usesMicrosoft = true;
    if (node.kind == NodeKind::Concat)
      attribute(made, "axis", 1);
    if (node.kind == NodeKind::AveragePool)
      poolAttributes(made, node);
    if (type == "QLinearLeakyRelu")
      real(made, "alpha", node.alpha);
    return true;
  }

  bool addQLinearMatMul(const GraphNode &node, std::vector<std::string> inputs,
                        const std::vector<std::string> &scale) {
    for (int number : {0, 1})
      inputs[3 * number] = side(node, number, inputs[3 * number]);
    inputs.insert(inputs.end(), scale.begin(), scale.end());
    add("QLinearMatMul", node.name, inputs, source.values[node.output].name);
    return true;
  }

  bool addQLinearConv(const GraphNode &node, std::vector<std::string> inputs,
                      const std::vector<std::string> &scale) {
    const int64_t out = source.values[node.output].shape[1],
                  in = source.values[node.inputs[0]].shape[1] / node.groups;
    for (const std::string &input :
         weightInputs(node, {out, in, node.kernel[0], node.kernel[1]}, node.weights))
      inputs.push_back(input);
    inputs.insert(inputs.end(), scale.begin(), scale.end());
    if (!node.bias.empty())
      inputs.push_back(constant(node.name + ".bias", onnx::TensorProto::INT32, {out}, node.bias));
    convAttributes(add("QLinearConv", node.name, inputs, source.values[node.output].name), node);
    return true;
  }

  static void real(onnx::NodeProto &node, const std::string &name, float value) {
    auto *attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto::FLOAT);
    attribute->set_f(value);
  }

  static void convAttributes(onnx::NodeProto &made, const GraphNode &node) {
    attributeList(made, "kernel_shape", node.kernel);
    attributeList(made, "strides", node.strides);
    attributeList(made, "pads", node.pads);
    attributeList(made, "dilations", node.dilations);
    if (node.groups != 1)
      attribute(made, "group", node.groups);
  }

  static void poolAttributes(onnx::NodeProto &made, const GraphNode &node) {
    attributeList(made, "kernel_shape", node.kernel);
    attributeList(made, "strides", node.strides);
    attributeList(made, "pads", node.pads);
    if (node.kind == NodeKind::AveragePool)
      attribute(made, "count_include_pad", node.countsPadding);
  }

  std::string addFunction(const GraphNode &node, const std::string &input, const std::string &output) {
    static const char *names[] = {"Sigmoid", "Tanh", "HardSigmoid", "HardSwish", "LeakyRelu"};
    if (node.function == Function::ScaleAndShift) {
      std::string factor = constant<float>(node.name + ".factor", onnx::TensorProto::FLOAT, {}, {node.alpha});
      std::string summand =
          constant<float>(node.name + ".summand", onnx::TensorProto::FLOAT, {1}, {node.beta});
      add("Mul", node.name, {factor, input}, output + ".scaled");
      add("Add", node.name + ".shift", {output + ".scaled", summand}, output);
      return output;
    }
    auto &made = add(names[static_cast<int>(node.function)], node.name, {input}, output);
    if (node.function == Function::LeakyRelu || node.function == Function::HardSigmoid)
      real(made, "alpha", node.alpha);
    if (node.function == Function::HardSigmoid)
      real(made, "beta", node.beta);
    return output;
  }

  std::string addMove(const GraphNode &node, const std::string &input, const std::string &output) {
    const auto list = [&](const char *what, const Shape &values) {
      return constant<int64_t>(node.name + what, onnx::TensorProto::INT64,
                               {static_cast<int64_t>(values.size())}, values);
    };
    if (node.kind == NodeKind::Transpose) {
      attributeList(add("Transpose", node.name, {input}, output), "perm", node.offsets);
    } else if (node.kind == NodeKind::Slice) {
      Shape ends = source.values[node.output].shape;
      for (size_t d = 0; d < ends.size(); ++d)
        ends[d] += node.offsets[d];
      add("Slice", node.name, {input, list(".starts", node.offsets), list(".ends", ends)}, output);
    } else if (node.kind == NodeKind::Pad) {
      std::string value = constant<float>(node.name + ".value", onnx::TensorProto::FLOAT, {}, {node.alpha});
      add("Pad", node.name, {input, list(".pads", node.offsets), value}, output);
    } else {
      std::vector<float> scales(node.offsets.begin(), node.offsets.end());
      std::string factors = constant<float>(node.name + ".scales", onnx::TensorProto::FLOAT, {4}, scales);
      auto &made = add("Resize", node.name, {input, "", factors}, output);
      for (auto [name, value] : {std::pair("mode", "nearest"), std::pair("nearest_mode", "floor"),
                                 std::pair("coordinate_transformation_mode", "asymmetric")}) {
        auto *attribute = made.add_attribute();
        attribute->set_name(name);
        attribute->set_type(onnx::AttributeProto::STRING);
        attribute->set_s(value);
      }
    }
    return output;
  }

  void addNode(const GraphNode &node) {
    if (addQOperator(node))
      return;
    std::vector<std::string> inputs;
    for (int input : node.inputs)
      inputs.push_back(real(input, node.name));
    std::string value = addOperator(node, inputs);
    value = addActivation(node, value);
    const GraphValue &output = source.values[node.output];
    std::vector<std::string> scale = quantization(output.name, output.quantization);
    add("QuantizeLinear", node.name + ".q", {value, scale[0], scale[1]}, output.name);
  }

  std::string addOperator(const GraphNode &node, std::vector<std::string> inputs) {
    std::string output = node.name + ".raw";
    switch (node.kind) {
    case NodeKind::Conv:
    case NodeKind::MaxPool:
    case NodeKind::AveragePool:
      return addWindowed(node, std::move(inputs), output);
    case NodeKind::Add:
    case NodeKind::Sub:
    case NodeKind::Mul:
      add(node.kind == NodeKind::Add   ? "Add"
          : node.kind == NodeKind::Sub ? "Sub"
                                       : "Mul",
          node.name, inputs, output);
      return output;
    case NodeKind::Lookup:
      return addFunction(node, inputs[0], output);
    case NodeKind::Concat:
      attribute(add("Concat", node.name, inputs, output), "axis", 1);
      return output;
    case NodeKind::Slice:
    case NodeKind::Pad:
    case NodeKind::Resize:
    case NodeKind::Transpose:
      return addMove(node, inputs[0], output);
    case NodeKind::GlobalAveragePool:
      add("GlobalAveragePool", node.name, inputs, output);
      return output;
    case NodeKind::Activation:
      return inputs[0];
    case NodeKind::Flatten:
      if (node.reshape) {
        inputs.push_back(constant<int64_t>(node.name + ".shape", onnx::TensorProto::INT64, {2}, {0, -1}));
        add("Reshape", node.name, inputs, output);
      } else {
        attribute(add("Flatten", node.name, inputs, output), "axis", 1);
      }
      return output;
    case NodeKind::Dense:
      return addDense(node, std::move(inputs), output);
    case NodeKind::Product:
      add("MatMul", node.name, {side(node, 0, inputs[0]), side(node, 1, inputs[1])}, output);
      return output;
    }
    return output;
  }

  std::string addWindowed(const GraphNode &node, std::vector<std::string> inputs, const std::string &output) {
    const bool conv = node.kind == NodeKind::Conv;
    const std::string residual = inputs.size() > 1 ? inputs[1] : "";
    inputs.resize(1);
    if (conv) {
      const int64_t out = source.values[node.output].shape[1];
      const int64_t in = source.values[node.inputs[0]].shape[1] / node.groups;
      inputs.push_back(realWeights(node, {out, in, node.kernel[0], node.kernel[1]}, node.weights, 0));
      if (!node.bias.empty())
        inputs.push_back(bias(node, out));
    }
    auto &made = add(conv                             ? "Conv"
                     : node.kind == NodeKind::MaxPool ? "MaxPool"
                                                      : "AveragePool",
                     node.name, inputs, output);
    conv ? convAttributes(made, node) : poolAttributes(made, node);
    if (!residual.empty()) {
      const bool isFirst = source.seed % 2;
      add("Add", node.name + ".plus", {isFirst ? residual : output, isFirst ? output : residual},
          output + ".plus");
      return output + ".plus";
    }
    return node.normalization.empty() ? output : addNormalization(node, output);
  }

  // Mean 0 and variance 1 less epsilon leave a factor and a summand.
  std::string addNormalization(const GraphNode &node, const std::string &input) {
    std::vector<float> factors, summands;
    for (size_t i = 0; i < node.normalization.size(); i += 2) {
      factors.push_back(node.normalization[i]);
      summands.push_back(node.normalization[i + 1]);
    }
    const auto channels = static_cast<int64_t>(factors.size());
    const auto list = [&](const char *what, const std::vector<float> &values) {
      return constant<float>(node.name + what, onnx::TensorProto::FLOAT, {channels}, values);
    };
    auto &made = add("BatchNormalization", node.name + ".norm",
                     {input, list(".factor", factors), list(".summand", summands),
                      list(".mean", std::vector<float>(channels, 0)),
                      list(".variance", std::vector<float>(channels, 1))},
                     input + ".normalized");
    real(made, "epsilon", 0);
    return made.output(0);
  }

  /// A side of a product, transposed where its matrices are.
  std::string side(const GraphNode &node, int number, const std::string &value) {
    if (!node.transposed[number])
      return value;
    const std::string name = node.name + ".transposed" + std::to_string(number);
    attributeList(add("Transpose", name, {value}, name), "perm", Shape{0, 1, 3, 2});
    return name;
  }

  std::string addDense(const GraphNode &node, std::vector<std::string> inputs, const std::string &output) {
    int64_t out = source.values[node.output].shape[1], in = source.values[node.inputs[0]].shape[1];
    bool rowsAreOutputs = node.form == DenseForm::GemmTransposed;
    std::vector<int16_t> weights = node.weights;
    if (!rowsAreOutputs)
      for (int64_t o = 0; o < out; ++o)
        for (int64_t i = 0; i < in; ++i)
          weights[i * out + o] = node.weights[o * in + i];
    inputs.push_back(
        realWeights(node, rowsAreOutputs ? Shape{out, in} : Shape{in, out}, weights, rowsAreOutputs ? 0 : 1));
    std::string biased = node.bias.empty() ? "" : bias(node, out);
    if (node.form == DenseForm::MatMul || node.form == DenseForm::MatMulAdd) {
      add("MatMul", node.name, inputs, output);
      if (biased.empty())
        return output;
      add("Add", node.name + ".plus", {output, biased}, output + ".plus");
      return output + ".plus";
    }
    if (!biased.empty())
      inputs.push_back(biased);
    auto &gemm = add("Gemm", node.name, inputs, output);
    if (rowsAreOutputs)
      attribute(gemm, "transB", 1);
    return output;
  }

  std::string addActivation(const GraphNode &node, const std::string &value) {
    std::string output = node.name + ".active";
    if (node.activation == Activation::None)
      return value;
    if (node.activation == Activation::Relu) {
      add("Relu", node.name + ".relu", {value}, output);
      return output;
    }
    std::string low = constant<float>(node.name + ".low", onnx::TensorProto::FLOAT, {}, {node.clipLow});
    std::string high = constant<float>(node.name + ".high", onnx::TensorProto::FLOAT, {}, {node.clipHigh});
    add("Clip", node.name + ".clip", {value, low, high}, output);
    return output;
  }

  const Graph &source;
  bool shareDequantize, usesMicrosoft = false;
  onnx::ModelProto model;
  onnx::GraphProto *graph;
  std::map<std::string, int> made;
};

} // namespace

std::string toOnnx(const Graph &graph) {
  return Builder(graph).run();
}

} // namespace daedalus::testing
