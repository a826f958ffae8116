// Builds small ONNX models in memory, for tests.
//
//   OnnxBuilder model;
//   std::string x = model.dequantize(model.input("x", onnx::TensorProto::INT8, {1, 3, 8, 8}), 0.5f, 3);
//   std::string w = model.weights({4, 3, 1, 1}, values, scales, 0);
//   model.output(model.quantize(model.node("Conv", {x, w}), 0.25f, -2), onnx::TensorProto::INT8, {1, 4, 8,
//   8}); std::string bytes = model.bytes();
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::test {

class OnnxBuilder {
public:
  explicit OnnxBuilder(int64_t opset = 13);

  struct Attribute {
    Attribute(std::string name, int64_t value) : name(std::move(name)), kind('i'), number(value) {}
    Attribute(std::string name, int value) : Attribute(std::move(name), static_cast<int64_t>(value)) {}
    Attribute(std::string name, float value) : name(std::move(name)), kind('f'), real(value) {}
    Attribute(std::string name, std::vector<int64_t> value)
        : name(std::move(name)), kind('l'), list(std::move(value)) {}
    Attribute(std::string name, const char *value) : name(std::move(name)), kind('s'), text(value) {}
    std::string name;
    char kind;
    int64_t number = 0;
    float real = 0;
    std::vector<int64_t> list;
    std::string text;
  };

  using Shape = std::vector<int64_t>;

  /// All return the name of the value that they add.
  std::string input(const std::string &name, int32_t dtype, const Shape &shape);
  std::string floats(const Shape &shape, const std::vector<float> &values);
  std::string integers(int32_t dtype, const Shape &shape, const std::vector<int64_t> &values);
  /// A node with one output; without a name it stays unnamed. Its domain is declared.
  std::string node(const std::string &op, const std::vector<std::string> &inputs,
                   const std::vector<Attribute> &attributes = {}, const std::string &name = "",
                   const std::string &domain = "");
  /// One more output of the last node.
  std::string addOutput();
  std::string quantize(const std::string &x, float scale, int zeroPoint);
  std::string dequantize(const std::string &x, float scale, int zeroPoint);
  /// An int8 initializer behind a DequantizeLinear, symmetric; one scale, or one an index of `axis`.
  std::string weights(const Shape &shape, const std::vector<int8_t> &values, const std::vector<float> &scales,
                      int64_t axis);
  /// An int32 initializer behind a DequantizeLinear.
  std::string bias(const std::vector<int32_t> &values, const std::vector<float> &scales);

  void output(const std::string &name, int32_t dtype, const Shape &shape);
  void valueInfo(const std::string &name, int32_t dtype, const Shape &shape);

  onnx::ModelProto &proto() { return model; }
  std::string bytes() const { return model.SerializeAsString(); }

private:
  void declare(const std::string &domain);
  std::string fresh(const std::string &stem) { return stem + std::to_string(next++); }

  onnx::ModelProto model;
  onnx::GraphProto &graph;
  int next = 0;
};

} // namespace daedalus::test
