// See onnx_builder.h.

#include "onnx_builder.h"

namespace daedalus::test {
namespace {

void setType(onnx::ValueInfoProto &info, const std::string &name, int32_t dtype,
             const OnnxBuilder::Shape &shape) {
  info.set_name(name);
  auto *tensor = info.mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(dtype);
  tensor->mutable_shape();
  for (int64_t dim : shape)
    tensor->mutable_shape()->add_dim()->set_dim_value(dim);
}

} // namespace

OnnxBuilder::OnnxBuilder(int64_t opset) : graph(*model.mutable_graph()) {
  model.set_ir_version(8);
  model.add_opset_import()->set_version(opset);
  graph.set_name("test");
}

std::string OnnxBuilder::input(const std::string &name, int32_t dtype, const Shape &shape) {
  setType(*graph.add_input(), name, dtype, shape);
  return name;
}

std::string OnnxBuilder::floats(const Shape &shape, const std::vector<float> &values) {
  auto *tensor = graph.add_initializer();
  tensor->set_name(fresh("f"));
  tensor->set_data_type(onnx::TensorProto::FLOAT);
  for (int64_t dim : shape)
    tensor->add_dims(dim);
  for (float value : values)
    tensor->add_float_data(value);
  return tensor->name();
}

std::string OnnxBuilder::integers(int32_t dtype, const Shape &shape, const std::vector<int64_t> &values) {
  auto *tensor = graph.add_initializer();
  tensor->set_name(fresh("c"));
  tensor->set_data_type(dtype);
  for (int64_t dim : shape)
    tensor->add_dims(dim);
  for (int64_t value : values)
    if (dtype == onnx::TensorProto::INT64)
      tensor->add_int64_data(value);
    else
      tensor->add_int32_data(static_cast<int32_t>(value));
  return tensor->name();
}

/// Version 1 of a domain, declared once.
void OnnxBuilder::declare(const std::string &domain) {
  for (const auto &import : model.opset_import())
    if (import.domain() == domain)
      return;
  auto *import = model.add_opset_import();
  import->set_domain(domain);
  import->set_version(1);
}

std::string OnnxBuilder::node(const std::string &op, const std::vector<std::string> &inputs,
                              const std::vector<Attribute> &attributes, const std::string &name,
                              const std::string &domain) {
  auto *node = graph.add_node();
  node->set_op_type(op);
  node->set_name(name);
  node->set_domain(domain);
  if (!domain.empty())
    declare(domain);
  for (const std::string &input : inputs)
    node->add_input(input);
  node->add_output(fresh("v"));
  for (const Attribute &attribute : attributes) {
    auto *proto = node->add_attribute();
    proto->set_name(attribute.name);
    if (attribute.kind == 'i') {
      proto->set_type(onnx::AttributeProto::INT);
      proto->set_i(attribute.number);
    } else if (attribute.kind == 'f') {
      proto->set_type(onnx::AttributeProto::FLOAT);
      proto->set_f(attribute.real);
    } else if (attribute.kind == 's') {
      proto->set_type(onnx::AttributeProto::STRING);
      proto->set_s(attribute.text);
    } else {
      proto->set_type(onnx::AttributeProto::INTS);
      for (int64_t value : attribute.list)
        proto->add_ints(value);
    }
  }
  return node->output(0);
}

std::string OnnxBuilder::addOutput() {
  const std::string name = fresh("v");
  graph.mutable_node(graph.node_size() - 1)->add_output(name);
  return name;
}

std::string OnnxBuilder::quantize(const std::string &x, float scale, int zeroPoint) {
  return node("QuantizeLinear", {x, floats({}, {scale}), integers(onnx::TensorProto::INT8, {}, {zeroPoint})});
}

std::string OnnxBuilder::dequantize(const std::string &x, float scale, int zeroPoint) {
  return node("DequantizeLinear",
              {x, floats({}, {scale}), integers(onnx::TensorProto::INT8, {}, {zeroPoint})});
}

std::string OnnxBuilder::weights(const Shape &shape, const std::vector<int8_t> &values,
                                 const std::vector<float> &scales, int64_t axis) {
  std::string data = integers(onnx::TensorProto::INT8, shape, {values.begin(), values.end()});
  if (scales.size() == 1)
    return dequantize(data, scales[0], 0);
  Shape channels = {static_cast<int64_t>(scales.size())};
  return node("DequantizeLinear",
              {data, floats(channels, scales),
               integers(onnx::TensorProto::INT8, channels, std::vector<int64_t>(scales.size(), 0))},
              {{"axis", axis}});
}

std::string OnnxBuilder::bias(const std::vector<int32_t> &values, const std::vector<float> &scales) {
  Shape shape = {static_cast<int64_t>(values.size())};
  std::string data = integers(onnx::TensorProto::INT32, shape, {values.begin(), values.end()});
  bool perTensor = scales.size() == 1;
  return node("DequantizeLinear", {data, floats(perTensor ? Shape{} : shape, scales)}, {{"axis", 0}});
}

void OnnxBuilder::output(const std::string &name, int32_t dtype, const Shape &shape) {
  setType(*graph.add_output(), name, dtype, shape);
}

void OnnxBuilder::valueInfo(const std::string &name, int32_t dtype, const Shape &shape) {
  setType(*graph.add_value_info(), name, dtype, shape);
}

} // namespace daedalus::test
