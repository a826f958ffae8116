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
    opset->set_version(13);
    graph = model.mutable_graph();
    graph->set_name("seed" + std::to_string(source.seed));
  }

  std::string run() {
    declare(*graph->add_input(), source.values[0]);
    for (int output : source.outputs)
      declare(*graph->add_output(), source.values[output]);
    for (const GraphNode &node : source.nodes)
      addNode(node);
    return model.SerializeAsString();
  }

private:
  static void declare(onnx::ValueInfoProto &info, const GraphValue &value) {
    info.set_name(value.name);
    auto *type = info.mutable_type()->mutable_tensor_type();
    type->set_elem_type(onnx::TensorProto::INT8);
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
      constant<int8_t>(zero, onnx::TensorProto::INT8, {}, {static_cast<int8_t>(q.zeroPoint)});
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

  void addNode(const GraphNode &node) {
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
      return addWindowed(node, std::move(inputs), output);
    case NodeKind::Add:
      add("Add", node.name, inputs, output);
      return output;
    case NodeKind::GlobalAveragePool:
      add("GlobalAveragePool", node.name, inputs, output);
      return output;
    case NodeKind::Activation:
      return inputs[0];
    case NodeKind::Flatten:
      if (node.reshape) {
        inputs.push_back(constant<int64_t>(node.name + ".shape", onnx::TensorProto::INT64, {2}, {1, -1}));
        add("Reshape", node.name, inputs, output);
      } else {
        attribute(add("Flatten", node.name, inputs, output), "axis", 1);
      }
      return output;
    case NodeKind::Dense:
      return addDense(node, std::move(inputs), output);
    }
    return output;
  }

  std::string addWindowed(const GraphNode &node, std::vector<std::string> inputs, const std::string &output) {
    bool conv = node.kind == NodeKind::Conv;
    if (conv) {
      int64_t out = source.values[node.output].shape[1], in = source.values[node.inputs[0]].shape[1];
      inputs.push_back(realConstant(node.name + ".weight", onnx::TensorProto::INT8,
                                    {out, in, node.kernel[0], node.kernel[1]}, node.weights,
                                    node.weightScales, 0));
      if (!node.bias.empty())
        inputs.push_back(bias(node, out));
    }
    auto &made = add(conv ? "Conv" : "MaxPool", node.name, inputs, output);
    attributeList(made, "kernel_shape", node.kernel);
    attributeList(made, "strides", node.strides);
    attributeList(made, "pads", node.pads);
    if (conv)
      attributeList(made, "dilations", node.dilations);
    return output;
  }

  std::string addDense(const GraphNode &node, std::vector<std::string> inputs, const std::string &output) {
    int64_t out = source.values[node.output].shape[1], in = source.values[node.inputs[0]].shape[1];
    bool rowsAreOutputs = node.form == DenseForm::GemmTransposed;
    std::vector<int8_t> weights = node.weights;
    if (!rowsAreOutputs)
      for (int64_t o = 0; o < out; ++o)
        for (int64_t i = 0; i < in; ++i)
          weights[i * out + o] = node.weights[o * in + i];
    inputs.push_back(realConstant(node.name + ".weight", onnx::TensorProto::INT8,
                                  rowsAreOutputs ? Shape{out, in} : Shape{in, out}, weights,
                                  node.weightScales, rowsAreOutputs ? 0 : 1));
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
  bool shareDequantize;
  onnx::ModelProto model;
  onnx::GraphProto *graph;
  std::map<std::string, int> made;
};

} // namespace

std::string toOnnx(const Graph &graph) {
  return Builder(graph).run();
}

} // namespace daedalus::testing
