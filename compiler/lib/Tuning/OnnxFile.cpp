#include "Tuning/OnnxFile.h"

namespace daedalus::tuning {
namespace {

using package::DType;

void varint(std::string &to, uint64_t value) {
  for (; value >= 128; value >>= 7)
    to += static_cast<char>(value | 128);
  to += static_cast<char>(value);
}

/// A field that is a number.
void number(std::string &to, int field, int64_t value) {
  varint(to, uint64_t(field) << 3);
  varint(to, static_cast<uint64_t>(value));
}

/// A field that is bytes: a text or another message.
void message(std::string &to, int field, const std::string &value) {
  varint(to, uint64_t(field) << 3 | 2);
  varint(to, value.size());
  to += value;
}

/// TensorProto.DataType.
int64_t onnxType(DType dtype) {
  switch (dtype) {
  case DType::F32:
    return 1;
  case DType::I8:
    return 3;
  case DType::I32:
    return 6;
  default:
    return 0; // no model here has another
  }
}

/// ValueInfoProto, whose TypeProto has a tensor's element type and shape.
std::string valueInfo(const std::string &name, const package::TensorType &type) {
  std::string shape, tensor, typeProto, info;
  for (int64_t size : type.shape) {
    std::string dimension;
    number(dimension, 1, size);
    message(shape, 1, dimension);
  }
  number(tensor, 1, onnxType(type.dtype));
  message(tensor, 2, shape);
  message(typeProto, 1, tensor);
  message(info, 1, name);
  message(info, 2, typeProto);
  return info;
}

/// AttributeProto.
std::string attributeProto(const OnnxAttribute &attribute) {
  constexpr int64_t integer = 2, integers = 7;
  std::string text;
  message(text, 1, attribute.name);
  for (int64_t value : attribute.values)
    number(text, attribute.isList ? 8 : 3, value);
  number(text, 20, attribute.isList ? integers : integer);
  return text;
}

} // namespace

void OnnxFile::input(const std::string &name, const Type &type) {
  message(graph, 11, valueInfo(name, type));
}

void OnnxFile::output(const std::string &name, const Type &type) {
  message(graph, 12, valueInfo(name, type));
}

void OnnxFile::constant(const std::string &name, const Type &type, const void *data) {
  std::string tensor;
  for (int64_t size : type.shape)
    number(tensor, 1, size);
  number(tensor, 2, onnxType(type.dtype));
  message(tensor, 8, name);
  message(tensor, 9, {static_cast<const char *>(data), package::byteSize(type)});
  message(graph, 5, tensor);
}

void OnnxFile::scalar(const std::string &name, float value) {
  constant(name, {DType::F32, {}}, &value);
}

void OnnxFile::scalar(const std::string &name, int8_t value) {
  constant(name, {DType::I8, {}}, &value);
}

void OnnxFile::node(const std::string &name, const std::string &op, const std::vector<std::string> &inputs,
                    const std::string &output, const std::vector<OnnxAttribute> &attributes) {
  std::string node;
  for (const std::string &input : inputs)
    message(node, 1, input);
  message(node, 2, output);
  message(node, 3, name);
  message(node, 4, op);
  for (const OnnxAttribute &attribute : attributes)
    message(node, 5, attributeProto(attribute));
  message(graph, 1, node);
}

std::string OnnxFile::bytes() const {
  std::string model, opset, whole = graph;
  message(whole, 2, "case");
  number(opset, 2, 17);
  number(model, 1, 8); // the version of the format
  message(model, 7, whole);
  message(model, 8, opset);
  return model;
}

} // namespace daedalus::tuning
