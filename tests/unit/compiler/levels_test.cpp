// The levels as text: one operation a fused group, named after its ONNX nodes.

#include "onnx_builder.h"

#include "daedalus/Pipelines/Compile.h"

#include <gmock/gmock.h>

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
    options.machine = *isa::loadMachine("default");
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
  EXPECT_THAT(compiled->placement, HasSubstr("stem/conv + stem/relu | cpu"));
  EXPECT_THAT(compiled->placement, HasSubstr("asked for with target cpu"));
}

TEST_F(Levels, WithoutStreamsThereIsNothingBelowLinalg) {
  options.target = "cpu";
  EXPECT_THAT(emit("asm"), HasSubstr("error: nothing of the model runs on the accelerator"));
}

TEST_F(Levels, UnknownNames) {
  EXPECT_THAT(emit("ptx"), HasSubstr("level 'ptx' is unknown"));
  options.target = "gpu";
  EXPECT_THAT(emit("graph"), HasSubstr("target 'gpu' is unknown"));
}

} // namespace
} // namespace daedalus::test
