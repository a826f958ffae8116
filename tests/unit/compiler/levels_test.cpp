// The levels as text: one operation a fused group, named after its ONNX nodes.

#include "onnx_builder.h"

#include "daedalus/Pipelines/Compile.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include <unistd.h>

namespace daedalus::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Proto = onnx::TensorProto;
using Shape = std::vector<int64_t>;

class Levels : public testing::Test {
protected:
  Levels() : path(testing::TempDir() + "daedalus_levels_" + std::to_string(getpid()) + ".onnx") {
    std::string x = model.dequantize(model.input("image", Proto::INT8, {1, 3, 6, 6}), 0.5f, 4);
    std::string w = model.weights({8, 3, 3, 3}, std::vector<int8_t>(8 * 27, 1), {0.25f}, 0);
    std::string y = model.node("Relu", {model.node("Conv", {x, w}, {}, "stem/conv")}, {}, "stem/relu");
    y = model.dequantize(model.quantize(y, 0.75f, -3), 0.75f, -3);
    y = model.node("Flatten", {y}, {}, "flatten");
    std::string v = model.weights({128, 10}, std::vector<int8_t>(1280, 2), {0.125f}, 1);
    y = model.node("MatMul", {y, v}, {}, "head");
    model.output(model.quantize(y, 2.0f, 0), Proto::INT8, {1, 10});
    std::ofstream(path, std::ios::binary) << model.bytes();
  }
  ~Levels() override { std::remove(path.c_str()); }

  std::string emit(const std::string &level) {
    Result<std::string> text = emitLevel(path, options, level);
    return text ? *text : "error: " + text.error();
  }

  OnnxBuilder model;
  std::string path;
  CompileOptions options;
};

/// Every node of a network in QDQ form, those that became types too, stands in a location of the levels of
/// kernels; of streams those that compute.
TEST(Locations, KeepEveryNode) {
  OnnxBuilder model;
  std::vector<std::string> names;
  const auto node = [&](const std::string &op, const std::vector<std::string> &inputs,
                        const std::string &name, const std::vector<OnnxBuilder::Attribute> &attributes = {}) {
    names.push_back(name);
    return model.node(op, inputs, attributes, name);
  };
  const auto scale = [&](float value) { return model.floats({}, {value}); };
  const auto zero = [&] { return model.integers(Proto::INT8, {}, {3}); };
  const auto requantized = [&](const std::string &x, const std::string &name, float value = 0.5f) {
    const std::string q = node("QuantizeLinear", {x, scale(value), zero()}, name + "/q");
    return node("DequantizeLinear", {q, scale(value), zero()}, name + "/dq");
  };
  const std::vector<OnnxBuilder::Attribute> window{{"kernel_shape", std::vector<int64_t>{3, 3}},
                                                   {"pads", std::vector<int64_t>{1, 1, 1, 1}}};
  const std::string image = model.input("image", Proto::INT8, {1, 2, 4, 4});
  const std::string x = node("DequantizeLinear", {image, scale(0.5f), zero()}, "image/dq");
  const std::string w = node("DequantizeLinear",
                             {model.integers(Proto::INT8, {2, 2, 1, 1}, {1, 2, 3, 4}), scale(0.25f)}, "w/dq");
  std::string y = node("Conv", {x, w}, "conv");
  y = requantized(node("Relu", {y}, "relu"), "relu");
  std::string z = requantized(node("Add", {x, y}, "add"), "add", 1);
  z = requantized(node("Sigmoid", {z}, "sigmoid"), "sigmoid", 0.125f);
  y = requantized(node("MaxPool", {y}, "pool", window), "pool");
  y = requantized(node("Concat", {y, z}, "concat", {{"axis", 1}}), "concat");
  y = requantized(node("GlobalAveragePool", {y}, "mean"), "mean", 0.25f);
  y = node("QuantizeLinear", {y, scale(0.125f), zero()}, "last/q");
  model.output(y, Proto::INT8, {1, 4, 1, 1});
  const std::string path = testing::TempDir() + "daedalus_locations_" + std::to_string(getpid()) + ".onnx";
  std::ofstream(path, std::ios::binary) << model.bytes();
  CompileOptions options;
  for (const std::string level : {"graph", "linalg", "dae"}) {
    Result<std::string> text = emitLevel(path, options, level);
    ASSERT_TRUE(text) << text.error();
    for (const std::string &name : names) {
      if (level != "dae" || name.find('/') == std::string::npos) {
        EXPECT_THAT(*text, HasSubstr(name)) << level;
      }
    }
  }
  std::remove(path.c_str());
}

size_t occurrences(const std::string &text, const std::string &what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

TEST_F(Levels, GraphHoldsOneOperationANode) {
  std::string text = emit("graph");
  EXPECT_EQ(occurrences(text, "qnn.conv"), 1u) << text;
  EXPECT_EQ(occurrences(text, "qnn.matmul"), 1u);
  EXPECT_EQ(occurrences(text, "tosa.clamp"), 1u);
  EXPECT_THAT(text, HasSubstr("!quant.uniform<i8:f32, 7.500000e-01:-3>"));
  for (const char *node : {"stem/conv", "stem/relu", "head"})
    EXPECT_THAT(text, HasSubstr("loc(\"" + std::string(node) + "\")"));
  EXPECT_EQ(occurrences(text, "tosa.transpose"), 0u); // it is in ONNX's own layout
}

TEST_F(Levels, LinalgHoldsKernels) {
  options.target = "cpu";
  std::string text = emit("linalg");
  EXPECT_THAT(text, HasSubstr("linalg.conv_2d_nhwc_fhwc"));
  EXPECT_THAT(text, HasSubstr("linalg.matmul_transpose_b"));
  EXPECT_THAT(text, HasSubstr("qnn.requantize"));
  EXPECT_THAT(text, HasSubstr("as <node = \"stem/conv + stem/relu\", target = \"cpu\", "));
  EXPECT_THAT(text, HasSubstr("lo = -3 : i8"));
  EXPECT_THAT(text, HasSubstr("macs = 3456>"));
  EXPECT_THAT(text, Not(HasSubstr("quant.uniform")));
}

TEST_F(Levels, LlvmNamesTheNodes) {
  std::string text = emit("llvm");
  EXPECT_THAT(text, HasSubstr("stem/conv + stem/relu\n"));
  EXPECT_THAT(text, HasSubstr("i32 @k1_stem_conv_stem_relu(ptr"));
}

TEST_F(Levels, PlacementNamesTargetAndReason) {
  options.target = "cpu";
  Result<Compiled> compiled = compileModel(path, options);
  ASSERT_TRUE(compiled) << compiled.error();
  const std::vector<package::Layer> &layers = compiled->package.layers;
  const auto stem = std::find_if(layers.begin(), layers.end(), [](const package::Layer &layer) {
    return layer.node == "stem/conv + stem/relu";
  });
  ASSERT_NE(stem, layers.end());
  EXPECT_EQ(stem->target, "cpu");
  EXPECT_EQ(stem->reason, "asked for with target cpu");
}

TEST_F(Levels, WithoutStreamsThereIsNothingBelowLinalg) {
  options.target = "cpu";
  EXPECT_THAT(emit("asm"), HasSubstr("error: nothing of the model runs on the accelerator"));
}

TEST_F(Levels, UnknownNames) {
  EXPECT_THAT(emit("sass"), HasSubstr("level 'sass' is unknown"));
  options.target = "gpu";
  EXPECT_THAT(emit("graph"), HasSubstr("target 'gpu' is unknown"));
}

} // namespace
} // namespace daedalus::test
