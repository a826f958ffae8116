// mixed_model OUT.onnx: a convolution for the accelerator, a softmax for the CPU, and a convolution again.

#include "onnx_builder.h"

#include <fstream>

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  using onnx::TensorProto;
  daedalus::test::OnnxBuilder model;
  const auto convolution = [&](const std::string &x, int8_t first) {
    std::vector<int8_t> values(16);
    for (int i = 0; i < 16; ++i)
      values[i] = static_cast<int8_t>(first + 7 * i);
    return model.quantize(model.node("Conv", {x, model.weights({4, 4, 1, 1}, values, {0.02f}, 0)}), 0.25f,
                          -2);
  };
  std::string x = model.dequantize(model.input("x", TensorProto::INT8, {1, 4, 4, 4}), 0.5f, 3);
  std::string y = model.dequantize(convolution(x, -50), 0.25f, -2);
  std::string s = model.quantize(model.node("Softmax", {y}, {{"axis", 1}}), 0.004f, -128);
  model.output(convolution(model.dequantize(s, 0.004f, -128), -30), TensorProto::INT8, {1, 4, 4, 4});
  std::ofstream(argv[1], std::ios::binary) << model.bytes();
  return 0;
}
