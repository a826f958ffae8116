// Every diagnostic of the importer: one sentence with the node's name, what was found and what was expected.

#include "first_error.h"
#include "onnx_builder.h"

#include "daedalus/Import/ONNX/Import.h"
#include "daedalus/Pipelines/Compile.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <gmock/gmock.h>

#include <functional>

namespace daedalus::test {
namespace {

using testing::HasSubstr;
using Proto = onnx::TensorProto;

std::vector<int8_t> ones(size_t count) {
  return std::vector<int8_t>(count, 1);
}

/// A quantized model with one Conv named "conv"; `change` may replace anything.
struct ConvModel {
  OnnxBuilder::Shape input = {1, 2, 4, 4}, weights = {3, 2, 3, 3};
  int32_t dtype = Proto::INT8, weightDtype = Proto::INT8;
  std::vector<OnnxBuilder::Attribute> attributes;
  std::vector<int64_t> weightZeroPoints = {0};
  std::vector<int32_t> bias;
  float biasScale = 0.125f;
  int64_t axis = 0;

  std::string bytes() const {
    OnnxBuilder model;
    std::string x = model.input("x", dtype, input);
    x = model.node("DequantizeLinear", {x, model.floats({}, {0.5f}), model.integers(dtype, {}, {0})}, {},
                   "dq_x");
    int64_t count = 1, scales = weightZeroPoints.size();
    for (int64_t dim : weights)
      count *= dim;
    std::string w = model.integers(weightDtype, weights, std::vector<int64_t>(count, 1));
    OnnxBuilder::Shape shape = scales == 1 ? OnnxBuilder::Shape{} : OnnxBuilder::Shape{scales};
    w = model.node("DequantizeLinear",
                   {w, model.floats(shape, std::vector<float>(scales, 0.25f)),
                    model.integers(weightDtype, shape, weightZeroPoints)},
                   {{"axis", axis}}, "dq_w");
    std::vector<std::string> inputs = {x, w};
    if (!bias.empty())
      inputs.push_back(model.bias(bias, {biasScale}));
    std::string y = model.node("Conv", inputs, attributes, "conv");
    model.output(model.quantize(y, 0.25f, 1), Proto::INT8, input);
    auto *type = model.proto().mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type();
    for (auto &dim : *type->mutable_shape()->mutable_dim()) // of any size
      dim.clear_dim_value();
    return model.bytes();
  }
};

TEST(ImportErrors, AGoodModelHasNone) {
  EXPECT_EQ(errorOf(ConvModel().bytes()), "");
}

TEST(ImportErrors, MissingFile) {
  Result<Compiled> result = compileModel("/nonexistent/model.onnx", {});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error(), HasSubstr("cannot read '/nonexistent/model.onnx': No such file or directory"));
}

TEST(ImportErrors, TruncatedFile) {
  std::string bytes = ConvModel().bytes();
  EXPECT_THAT(errorOf(bytes.substr(0, bytes.size() / 2)), HasSubstr("'model.onnx' is not an ONNX model"));
  EXPECT_THAT(errorOf(""), HasSubstr("truncated or corrupt"));
  EXPECT_THAT(errorOf(std::string(100, 'x')), HasSubstr("truncated or corrupt"));
}

TEST(ImportErrors, ModelThatTheCheckerRefuses) {
  OnnxBuilder model;
  model.output(model.node("Relu", {"nowhere"}), Proto::FLOAT, {1});
  EXPECT_THAT(errorOf(model.bytes()), HasSubstr("'model.onnx' is not a valid ONNX model: "));
}

TEST(ImportErrors, UnknownOperator) {
  OnnxBuilder model(12);
  model.output(model.node("Det", {model.input("x", Proto::FLOAT, {4, 4})}, {}, "area"), Proto::FLOAT, {});
  EXPECT_THAT(errorOf(model.bytes()),
              HasSubstr("area: operator 'Det' of opset 12 is not supported; docs/onnx.md lists those"));
}

TEST(ImportErrors, UnnamedNodesAreNamedByOperatorAndIndex) {
  OnnxBuilder model;
  model.output(model.node("Det", {model.input("x", Proto::FLOAT, {4, 4})}), Proto::FLOAT, {});
  EXPECT_THAT(errorOf(model.bytes()), HasSubstr("Det_0: operator 'Det'"));
}

TEST(ImportErrors, ShapesThatDependOnValues) {
  OnnxBuilder model;
  model.output(model.node("NonZero", {model.input("x", Proto::FLOAT, {4})}, {}, "found"), Proto::INT64,
               {1, 2});
  EXPECT_THAT(errorOf(model.bytes()),
              HasSubstr("found: operator 'NonZero' gives a tensor whose shape depends on its "
                        "inputs' values; expected shapes that are known"));
}

TEST(ImportErrors, OpsetTooNew) {
  OnnxBuilder model(99);
  model.output(model.quantize(model.input("x", Proto::FLOAT, {4}), 0.5f, 0), Proto::INT8, {4});
  EXPECT_THAT(errorOf(model.bytes()), HasSubstr("uses opset 99; expected at most 28"));
}

TEST(ImportErrors, NewAttributesMeanWhatTheOldOnesDid) {
  OnnxBuilder model(21);
  model.proto().set_ir_version(10);
  std::string q = model.quantize(model.input("x", Proto::FLOAT, {4}), 0.5f, 0);
  auto *attribute = model.proto().mutable_graph()->mutable_node(0)->add_attribute();
  attribute->set_name("block_size");
  attribute->set_type(onnx::AttributeProto::INT);
  attribute->set_i(0);
  model.output(q, Proto::INT8, {4});
  EXPECT_EQ(errorOf(model.bytes()), "");
  attribute->set_i(2);
  EXPECT_THAT(errorOf(model.bytes()), HasSubstr("attribute 'block_size' has value 2; expected 0"));
}

TEST(ImportErrors, DynamicShapes) {
  OnnxBuilder model;
  model.output(model.quantize(model.input("x", Proto::FLOAT, {1, 4}), 0.5f, 0), Proto::INT8, {1, 4});
  auto *shape =
      model.proto().mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  shape->mutable_dim(0)->set_dim_param("N");
  EXPECT_EQ(errorOf(model.bytes()), "");
  shape->mutable_dim(1)->set_dim_param("width");
  EXPECT_THAT(
      errorOf(model.bytes()),
      HasSubstr("input 'x' with dimension 1 of unknown size 'width'; expected sizes that are known when the "
                "model is compiled; give them, for example --shape x=1x16"));
  shape->mutable_dim(1)->set_dim_value(-3);
  EXPECT_THAT(errorOf(model.bytes()), HasSubstr("dimension 1 of size -3"));
}

TEST(ImportErrors, UnsupportedInputType) {
  OnnxBuilder model;
  model.output(model.input("x", Proto::COMPLEX64, {1, 4}), Proto::COMPLEX64, {1, 4});
  EXPECT_THAT(errorOf(model.bytes()), HasSubstr("input 'x' has type complex64; expected float16, bfloat16"));
}

TEST(ImportErrors, UnsupportedConstantType) {
  OnnxBuilder model;
  std::string x = model.dequantize(model.input("x", Proto::INT8, {1}), 0.5f, 0);
  auto *tensor = model.proto().mutable_graph()->add_initializer();
  tensor->set_name("plane");
  tensor->set_data_type(Proto::COMPLEX64);
  tensor->add_float_data(0);
  tensor->add_dims(1);
  model.output(x, Proto::FLOAT, {1});
  EXPECT_THAT(errorOf(model.bytes()),
              HasSubstr("initializer 'plane' has type complex64; expected float16, bfloat16"));
}

TEST(ImportErrors, BadScale) {
  OnnxBuilder model;
  model.output(model.quantize(model.input("x", Proto::FLOAT, {4}), -0.5f, 0), Proto::INT8, {4});
  EXPECT_THAT(errorOf(model.bytes()), HasSubstr("holds -0.500000; expected a positive number"));
}

TEST(ImportErrors, ConvAttributes) {
  using Attribute = OnnxBuilder::Attribute;
  auto with = [](Attribute attribute) {
    ConvModel model;
    model.attributes = {attribute};
    return errorOf(model.bytes());
  };
  EXPECT_THAT(with({"strides", std::vector<int64_t>{0, 1}}),
              HasSubstr("conv: attribute 'strides' holds 0; expected sizes"));
  EXPECT_THAT(with({"auto_pad", "SAME"}), HasSubstr("auto_pad"));
  EXPECT_THAT(with({"kernel_shape", std::vector<int64_t>{2, 3}}), HasSubstr("kernel_shape"));
  EXPECT_THAT(with({"dilations", std::vector<int64_t>{4, 1}}),
              HasSubstr("conv: its window covers 9 of dimension 2, which has only 4"));
  ConvModel grouped;
  grouped.attributes = {{"group", 2}};
  grouped.weights = {4, 1, 3, 3};
  EXPECT_EQ(errorOf(grouped.bytes()), "");
  grouped.weights = {3, 1, 3, 3};
  EXPECT_THAT(errorOf(grouped.bytes()),
              HasSubstr("conv: convolves shape [1,2,4,4] with weights of shape [3,1,3,3] in 2 groups"));
}

/// It is so large that the rest does not count.
TEST(ImportErrors, ABiasThatFills32BitsIsNone) {
  ConvModel model;
  model.bias = {INT32_MAX, 0, 0};
  EXPECT_EQ(errorOf(model.bytes()), "");
  model.biasScale = 1e6f;
  EXPECT_EQ(errorOf(model.bytes()), "");
}

/// What has no quantized form runs in float32 instead.
TEST(ImportErrors, OddQuantizedProductsAreNone) {
  ConvModel model;
  model.weightZeroPoints = {0, 0};
  model.axis = 1;
  EXPECT_EQ(errorOf(model.bytes()), "");
  for (const char *name : {"alpha", "beta"}) {
    OnnxBuilder gemm;
    std::string x = gemm.dequantize(gemm.input("x", Proto::INT8, {1, 2}), 0.5f, 0);
    std::string y = gemm.node("Gemm", {x, gemm.weights({2, 2}, ones(4), {0.5f}, 0)}, {{name, 2.0f}}, "gemm");
    gemm.output(gemm.quantize(y, 1.0f, 0), Proto::INT8, {1, 2});
    EXPECT_EQ(errorOf(gemm.bytes()), "");
  }
}

TEST(ImportErrors, PoolsWhoseWindowsMayBeEmpty) {
  OnnxBuilder model;
  std::string x = model.dequantize(model.input("x", Proto::INT8, {1, 1, 4, 4}), 0.5f, 0);
  std::string y = model.node(
      "MaxPool", {x},
      {{"kernel_shape", std::vector<int64_t>{2, 2}}, {"pads", std::vector<int64_t>{2, 0, 0, 0}}}, "pool");
  model.output(model.quantize(y, 0.5f, 0), Proto::INT8, {1, 1, 5, 3});
  EXPECT_THAT(errorOf(model.bytes()),
              HasSubstr("pool: attribute 'pads' has value [2,0,0,0], as much as its window"));
}

/// A Concat whose result the model declares, of two quantized tensors.
std::string concatError(int64_t axis, const OnnxBuilder::Shape &second, const OnnxBuilder::Shape &result) {
  OnnxBuilder model;
  std::string a = model.dequantize(model.input("a", Proto::INT8, {1, 2, 3, 3}), 0.5f, 0);
  std::string b = model.dequantize(model.input("b", Proto::INT8, second), 0.5f, 0);
  std::string y = model.node("Concat", {a, b}, {{"axis", axis}}, "join");
  model.valueInfo(y, Proto::FLOAT, result);
  model.output(model.quantize(y, 0.5f, 0), Proto::INT8, result);
  return errorOf(model.bytes());
}

TEST(ImportErrors, Concat) {
  EXPECT_EQ(concatError(1, {1, 4, 3, 3}, {1, 6, 3, 3}), "");
  EXPECT_EQ(concatError(-2, {1, 2, 4, 3}, {1, 2, 7, 3}), "");
  EXPECT_THAT(concatError(4, {1, 4, 3, 3}, {1, 6, 3, 3}),
              HasSubstr("join: attribute 'axis' has value 4; expected -4 to 3"));
  EXPECT_THAT(concatError(1, {1, 4, 3, 5}, {1, 6, 3, 3}),
              HasSubstr("join: joins shape [1,4,3,5] along axis 1 into [1,6,3,3]; expected the same other "
                        "dimensions"));
}

TEST(ImportErrors, ReshapeWithoutConstantShape) {
  OnnxBuilder model;
  std::string x = model.dequantize(model.input("x", Proto::INT8, {1, 4}), 0.5f, 0);
  std::string y = model.node("Reshape", {x, model.integers(Proto::INT64, {2}, {3, 3})}, {}, "reshape");
  model.output(model.quantize(y, 0.5f, 0), Proto::INT8, {3, 3});
  EXPECT_THAT(errorOf(model.bytes()), testing::Not(""));
}

TEST(ImportErrors, ExternalFunctionWithoutType) {
  OnnxBuilder model;
  std::string y =
      model.node("my_function", {model.input("x", Proto::FLOAT, {4})}, {}, "call", "daedalus.external");
  model.output(model.quantize(y, 0.5f, 0), Proto::INT8, {4});
  EXPECT_THAT(errorOf(model.bytes()), HasSubstr("call: nothing says the shape of output 'v"));
  model.valueInfo(y, Proto::FLOAT, {4});
  EXPECT_EQ(errorOf(model.bytes()), "");
}

} // namespace
} // namespace daedalus::test
