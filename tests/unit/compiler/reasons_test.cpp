// What a placement says of operations around which a quantizer left out a pair of QuantizeLinear and
// DequantizeLinear: what they lack, while their neighbours stay on the accelerator.
#include "onnx_builder.h"
#include "run_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;

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

  /// Each layer that is no change of layout: its target and reason.
  std::vector<std::string> layers() const {
    std::vector<std::string> said;
    const Result<Compiled> compiled = compileBytes(onnx.bytes(), "auto");
    EXPECT_TRUE(compiled) << compiled.error();
    if (compiled)
      for (const package::Layer &layer : compiled->package.layers)
        if (layer.reason.find("layout") == std::string::npos)
          said.push_back(layer.target + ": " + layer.reason);
    return said;
  }

  OnnxBuilder onnx;
};

const std::string accelerated = "accelerator: fits machine 'default'",
                  conversion = "cpu: converts between float32 and int8",
                  atBoundary = conversion + " at the boundary of the graph";

TEST(Reasons, SayWhichPairIsMissing) {
  EXPECT_THAT(Chain({true, true, true}).layers(),
              ::testing::ElementsAre(accelerated, accelerated, accelerated));
  EXPECT_THAT(Chain({true, false, true}).layers(),
              ::testing::ElementsAre(accelerated, conversion,
                                     "cpu: computes in float32: its output is not quantized",
                                     "cpu: computes in float32: its input is not quantized", atBoundary));
}

/// What is float between floats lacks both.
TEST(Reasons, AreShortWhereNothingAroundIsQuantized) {
  EXPECT_THAT(Chain({false, false, true}).layers(),
              ::testing::ElementsAre(atBoundary, "cpu: computes in float32: its output is not quantized",
                                     "cpu: computes in float32",
                                     "cpu: computes in float32: its input is not quantized", atBoundary));
}

} // namespace
} // namespace daedalus::test
