// What a placement says of operations around which a quantizer left out a pair of QuantizeLinear and
// DequantizeLinear: what they lack, while their neighbours stay on the accelerator.
#include "onnx_builder.h"
#include "run_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;

/// Each layer that is no change of layout: its target and reason.
std::vector<std::string> layersOf(const OnnxBuilder &onnx) {
  std::vector<std::string> said;
  const Result<Compiled> compiled = compileBytes(onnx.bytes(), "auto");
  EXPECT_TRUE(compiled) << compiled.error();
  if (compiled)
    for (const package::Layer &layer : compiled->package.layers)
      if (layer.reason.find("layout") == std::string::npos)
        said.push_back(layer.target + ": " + layer.reason);
  return said;
}

/// Three convolutions in a row, of which the named ones are quantized behind.
class Chain {
public:
  explicit Chain(std::array<bool, 3> isQuantized) {
    std::string x = onnx.dequantize(onnx.input("input", Proto::INT8, {1, 16, 6, 6}), 0.125f, 5);
    for (int k = 0; k < 3; ++k) {
      const std::string weights = onnx.weights({16, 16, 1, 1}, std::vector<int8_t>(256, int8_t(k + 3)),
                                               std::vector<float>(16, 0.01f), 0);
      x = onnx.node("Conv", {x, weights});
      if (isQuantized[k])
        x = onnx.dequantize(onnx.quantize(x, 0.25f, -3), 0.25f, -3);
    }
    onnx.output(onnx.quantize(x, 0.25f, -3), Proto::INT8, {1, 16, 6, 6});
  }

  std::vector<std::string> layers() const { return layersOf(onnx); }

  OnnxBuilder onnx;
};

const std::string accelerated = "accelerator: fits machine 'default'",
                  sums = "cpu: makes float32 of sums: the product's output is not quantized",
                  atBoundary = "cpu: converts between float32 and int8 at the boundary of the graph";

TEST(Reasons, SayWhichPairIsMissing) {
  EXPECT_THAT(Chain({true, true, true}).layers(),
              ::testing::ElementsAre(accelerated, accelerated, accelerated));
  EXPECT_THAT(Chain({true, false, true}).layers(),
              ::testing::ElementsAre(accelerated, accelerated, sums,
                                     "cpu: computes in float32: its input is not quantized", atBoundary));
}

/// What is float between floats lacks both.
TEST(Reasons, AreShortWhereNothingAroundIsQuantized) {
  EXPECT_THAT(Chain({false, false, true}).layers(),
              ::testing::ElementsAre(accelerated, sums, "cpu: computes in float32",
                                     "cpu: computes in float32: its input is not quantized", atBoundary));
}

/// Between quantizations nothing is missing but the operator itself.
TEST(Reasons, SayWhatHasNoFormInInt8) {
  OnnxBuilder onnx;
  const std::string x = onnx.dequantize(onnx.input("input", Proto::INT8, {1, 16}), 0.125f, 5);
  onnx.output(onnx.quantize(onnx.node("Softmax", {x}), 0.01f, -128), Proto::INT8, {1, 16});
  EXPECT_THAT(
      layersOf(onnx),
      ::testing::Contains("cpu: computes in float32 between quantizations: there is no int8 form of it"));
}

/// A grouped convolution whose groups do not fill the array is one dense product, which costs.
TEST(Reasons, SayWhatIsComputedDensely) {
  OnnxBuilder onnx;
  const std::string x = onnx.dequantize(onnx.input("input", Proto::INT8, {1, 12, 6, 6}), 0.125f, 5);
  const std::string weights =
      onnx.weights({20, 3, 1, 1}, std::vector<int8_t>(60, 3), std::vector<float>(20, 0.01f), 0);
  onnx.output(onnx.quantize(onnx.node("Conv", {x, weights}, {{"group", 4}}), 0.25f, -3), Proto::INT8,
              {1, 20, 6, 6});
  EXPECT_THAT(layersOf(onnx),
              ::testing::Contains("accelerator: fits machine 'default', but computes its 4 groups as one "
                                  "dense product, so GEMM multiplies 4 times as much"));
}

/// Activations of 16 bits are the CPU's, and it is said why.
TEST(Reasons, SayWhatIsQuantizedTo16Bits) {
  OnnxBuilder onnx(21);
  const std::string scale = onnx.floats({}, {0.01f}), zero = onnx.integers(Proto::UINT16, {}, {300});
  const auto pair = [&](const std::string &x) {
    return onnx.node("DequantizeLinear", {onnx.node("QuantizeLinear", {x, scale, zero}), scale, zero});
  };
  const std::string weights =
      onnx.weights({16, 16, 1, 1}, std::vector<int8_t>(256, 3), std::vector<float>(16, 0.01f), 0);
  onnx.output(pair(onnx.node("Conv", {pair(onnx.input("input", Proto::FLOAT, {1, 16, 6, 6})), weights})),
              Proto::FLOAT, {1, 16, 6, 6});
  const std::string change = "cpu: converts between float32 and integers of 16 bits";
  EXPECT_THAT(layersOf(onnx),
              ::testing::ElementsAre(
                  change, change,
                  "cpu: computes in float32: it is quantized to 16 bits, and the accelerator computes in 8",
                  change, change));
}

/// Dynamic quantization: the zero point is computed while the model runs.
TEST(Reasons, SayWhatIsQuantizedAtRunTime) {
  OnnxBuilder onnx;
  const std::string x = onnx.input("input", Proto::UINT8, {4, 8}),
                    zero = onnx.input("zero", Proto::UINT8, {});
  const std::string weights = onnx.integers(Proto::INT8, {8, 4}, std::vector<int64_t>(32, 3));
  onnx.output(onnx.node("MatMulInteger", {x, weights, zero}), Proto::INT32, {4, 4});
  EXPECT_THAT(
      layersOf(onnx),
      ::testing::Contains("cpu: its zero point is computed at run time, as dynamic quantization does: "
                          "quantize the model statically"));
}

} // namespace
} // namespace daedalus::test
