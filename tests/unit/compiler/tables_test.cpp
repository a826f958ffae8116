// Functions of one quantized tensor that networks write in several nodes, with quantizations between: each is
// one table, whose every entry is what ONNX defines.
#include "onnx_builder.h"
#include "run_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using Function = std::function<float(float)>;

const OnnxBuilder::Shape shape{16, 16}; // as many elements as bytes
constexpr float scale = 0.0625f;
constexpr int zeroPoint = 11;

int8_t quantized(float x, float scale, int zeroPoint) {
  return static_cast<int8_t>(
      std::min(127.0f, std::max(-128.0f, std::nearbyint(x / scale) + static_cast<float>(zeroPoint))));
}
/// A number through a quantization and back.
float through(float x, float scale, int zeroPoint) {
  return static_cast<float>(quantized(x, scale, zeroPoint) - zeroPoint) * scale;
}
float sigmoid(float x) {
  return 1 / (1 + std::exp(-x));
}

/// A model under construction: of `x`, a dequantized input of all bytes.
struct Model {
  OnnxBuilder onnx{17};
  std::string input = onnx.input("input", Proto::INT8, shape), x = onnx.dequantize(input, scale, zeroPoint);

  std::string node(const std::string &op, const std::vector<std::string> &inputs) {
    return onnx.node(op, inputs);
  }
  std::string number(float value) { return onnx.floats({}, {value}); }
  /// Through a quantization and back.
  std::string through(const std::string &value, float scale, int zeroPoint) {
    return onnx.dequantize(onnx.quantize(value, scale, zeroPoint), scale, zeroPoint);
  }
  void output(const std::string &value) { onnx.output(onnx.quantize(value, 0.05f, -20), Proto::INT8, shape); }
};

Bytes allBytes() {
  Bytes bytes;
  for (int q = -128; q < 128; ++q)
    bytes.push_back(static_cast<int8_t>(q));
  return bytes;
}

/// How many layers all on the accelerator has.
size_t layersOf(const Model &model) {
  const Result<Compiled> compiled = compileBytes(model.onnx.bytes(), "accelerator");
  EXPECT_TRUE(compiled) << compiled.error();
  return compiled ? compiled->package.layers.size() : 0;
}

/// That the model is one table, of this function, on both targets.
void expectTable(const Model &model, const Function &function) {
  std::vector<uint8_t> expected;
  for (int8_t q : allBytes())
    expected.push_back(static_cast<uint8_t>(quantized(function((q - zeroPoint) * scale), 0.05f, -20)));
  for (const char *target : {"cpu", "accelerator"})
    EXPECT_EQ(runModel(model.onnx, {allBytes()}, target), std::vector<std::vector<uint8_t>>{expected})
        << target;
  EXPECT_EQ(layersOf(model), 1u);
}

TEST(Tables, SiluIsOneTableWithAndWithoutQuantizationBetween) {
  Model plain;
  plain.output(plain.node("Mul", {plain.x, plain.node("Sigmoid", {plain.x})}));
  expectTable(plain, [](float x) { return x * sigmoid(x); });
  Model quantized;
  const std::string gate = quantized.through(quantized.node("Sigmoid", {quantized.x}), 1.0f / 256, -128);
  quantized.output(quantized.node("Mul", {gate, quantized.x}));
  expectTable(quantized, [](float x) { return through(sigmoid(x), 1.0f / 256, -128) * x; });
}

TEST(Tables, HardSwishInEachFormIsOneTable) {
  Model hard;
  hard.output(hard.node("Mul", {hard.x, hard.through(hard.node("HardSigmoid", {hard.x}), 1.0f / 256, -128)}));
  expectTable(hard, [](float x) {
    return x * through(std::max(0.0f, std::min(1.0f, 0.2f * x + 0.5f)), 1.0f / 256, -128);
  });
  Model clipped;
  const std::string sum = clipped.through(clipped.node("Add", {clipped.x, clipped.number(3)}), 0.0625f, -40);
  const std::string clip =
      clipped.through(clipped.node("Clip", {sum, clipped.number(0), clipped.number(6)}), 0.03125f, -128);
  const std::string product = clipped.through(clipped.node("Mul", {clipped.x, clip}), 0.25f, -30);
  clipped.output(clipped.node("Div", {product, clipped.number(6)}));
  expectTable(clipped, [](float x) {
    const float clip = through(std::max(0.0f, std::min(6.0f, through(x + 3, 0.0625f, -40))), 0.03125f, -128);
    return through(x * clip, 0.25f, -30) / 6;
  });
}

TEST(Tables, BranchesOfOneSourceMayMeetInAnyOperator) {
  Model model;
  const std::string tanh = model.through(model.node("Tanh", {model.x}), 1.0f / 128, 0),
                    softplus = model.node("Softplus", {model.x});
  const std::string sum = model.through(model.node("Add", {tanh, softplus}), 0.0625f, 3);
  model.output(model.node("Sub", {model.node("Div", {sum, model.node("Exp", {tanh})}), model.x}));
  expectTable(model, [](float x) {
    const float tanh = through(std::tanh(x), 1.0f / 128, 0);
    return through(tanh + std::log1p(std::exp(x)), 0.0625f, 3) / std::exp(tanh) - x;
  });
}

TEST(Tables, AClampBehindATableOfItsScaleClampsIt) {
  Model model;
  const std::string gate = model.through(model.node("Tanh", {model.x}), 0.05f, -20);
  model.output(model.node("Clip", {gate, model.number(-0.5f), model.number(0.25f)}));
  expectTable(model,
              [](float x) { return std::max(-0.5f, std::min(0.25f, through(std::tanh(x), 0.05f, -20))); });
}

/// What others read exists beside the table.
TEST(Tables, AnInnerValueMayBeReadByOthers) {
  Model model;
  const std::string gate = model.onnx.quantize(model.node("Sigmoid", {model.x}), 1.0f / 256, -128);
  model.output(model.node("Mul", {model.x, model.onnx.dequantize(gate, 1.0f / 256, -128)}));
  model.onnx.output(gate, Proto::INT8, shape);
  std::vector<uint8_t> gates, products;
  for (int8_t q : allBytes()) {
    const float x = (q - zeroPoint) * scale;
    gates.push_back(static_cast<uint8_t>(quantized(sigmoid(x), 1.0f / 256, -128)));
    products.push_back(
        static_cast<uint8_t>(quantized(through(sigmoid(x), 1.0f / 256, -128) * x, 0.05f, -20)));
  }
  for (const char *target : {"cpu", "accelerator"})
    EXPECT_THAT(runModel(model.onnx, {allBytes()}, target), ::testing::ElementsAre(products, gates))
        << target;
  EXPECT_EQ(layersOf(model), 2u);
}

/// Of two sources it stays a product, which reads the table of one.
TEST(Tables, AProductOfTwoSourcesIsNoTable) {
  Model model;
  const std::string other = model.onnx.dequantize(model.onnx.input("other", Proto::INT8, shape), 0.5f, 0);
  model.output(model.node("Mul", {model.x, model.through(model.node("Sigmoid", {other}), 1.0f / 256, -128)}));
  EXPECT_EQ(layersOf(model), 1u);
  Bytes reversed = allBytes();
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(runModel(model.onnx, {allBytes(), reversed}, "accelerator"),
            runModel(model.onnx, {allBytes(), reversed}));
}

} // namespace
} // namespace daedalus::test
