// Forms in which quantizers write what they mean: parameters of a normalization behind DequantizeLinear,
// copies of initializers by Identity, weights that are quantized and dequantized in the graph. Each gives
// what the plain form gives, and nothing of it runs on the CPU but the graph's boundary.
#include "onnx_builder.h"
#include "run_model.h"

#include "daedalus/Import/ONNX/Operators.h"
#include "daedalus/Pipelines/Compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <unistd.h>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using ::testing::Contains;
using ::testing::Field;

/// On the accelerator an operator that would need the CPU is an error.
package::Package packageOf(const std::string &bytes, const std::string &target = "auto") {
  const std::string path = ::testing::TempDir() + "quantizers_" + std::to_string(getpid()) + ".onnx";
  std::ofstream(path, std::ios::binary) << bytes;
  CompileOptions options;
  options.target = target;
  Result<Compiled> compiled = compileModel(path, options);
  std::remove(path.c_str());
  if (!compiled) {
    ADD_FAILURE() << compiled.error();
    return {};
  }
  return compiled->package;
}

/// Weights of int8 in one of several forms.
enum class Form { Plain, Copied, CopiedTwice, CopiedScale, CopiedReal, Quantized };

std::string weights(OnnxBuilder &model, Form form) {
  const OnnxBuilder::Shape shape{2, 2, 1, 1};
  const std::vector<float> scales{0.5f, 0.25f};
  const auto copy = [&](const std::string &x) { return model.node("Identity", {x}, {}, "copy of " + x); };
  std::string scale = model.floats({2}, scales), zero = model.integers(Proto::INT8, {2}, {0, 0});
  if (form == Form::Quantized) {
    const std::string real = model.floats(shape, {1.5f, -2.5f, 3.25f, 0.25f});
    const std::string q = model.node("QuantizeLinear", {real, scale, zero}, {{"axis", 0}});
    return model.node("DequantizeLinear", {q, scale, zero}, {{"axis", 0}});
  }
  std::string bytes = model.integers(Proto::INT8, shape, {3, -5, 13, 1});
  if (form == Form::Copied || form == Form::CopiedTwice)
    bytes = copy(bytes);
  if (form == Form::CopiedTwice)
    bytes = copy(bytes);
  if (form == Form::CopiedScale)
    scale = copy(scale), zero = copy(zero);
  const std::string real = model.node("DequantizeLinear", {bytes, scale, zero}, {{"axis", 0}});
  return form == Form::CopiedReal ? copy(real) : real;
}

/// A convolution by them, whose name is the only one.
std::string convolution(Form form, bool weightsFirst) {
  OnnxBuilder model;
  const std::string input = model.input("x", Proto::INT8, {1, 2, 4, 4});
  const std::string first = weightsFirst ? weights(model, form) : "";
  const std::string x =
      model.node("DequantizeLinear", {input, model.floats({}, {0.5f}), model.integers(Proto::INT8, {}, {3})},
                 {}, "real");
  const std::string w = weightsFirst ? first : weights(model, form);
  const std::string y = model.node("Conv", {x, w}, {}, "conv");
  model.output(model.quantize(y, 0.25f, -2), Proto::INT8, {1, 2, 4, 4});
  model.proto().mutable_graph()->mutable_output(0)->set_name("y");
  auto &nodes = *model.proto().mutable_graph()->mutable_node();
  nodes[nodes.size() - 1].set_output(0, "y");
  return model.bytes();
}

TEST(Quantizers, WeightsMayBeCopiedOrQuantizedInTheGraph) {
  const auto plain = package::writePackage(packageOf(convolution(Form::Plain, false), "accelerator"));
  for (Form form : {Form::Copied, Form::CopiedTwice, Form::CopiedScale, Form::CopiedReal, Form::Quantized})
    for (bool weightsFirst : {false, true})
      EXPECT_TRUE(package::writePackage(packageOf(convolution(form, weightsFirst), "accelerator")) == plain)
          << static_cast<int>(form) << " " << weightsFirst;
}

/// A normalization of a quantized image, or of a convolution of one, whose factors and summands are behind
/// DequantizeLinear or are the same numbers as they are.
OnnxBuilder normalization(bool isDequantized, bool isBehindConv) {
  OnnxBuilder model;
  std::string x = model.dequantize(model.input("x", Proto::INT8, {1, 2, 4, 4}), 0.5f, 3);
  if (isBehindConv)
    x = model.node("Conv", {x, weights(model, Form::Plain)}, {}, "conv");
  std::string scale, bias;
  if (isDequantized) {
    scale =
        model.node("DequantizeLinear", {model.integers(Proto::INT8, {2}, {64, -96}),
                                        model.floats({}, {1.0f / 64}), model.integers(Proto::INT8, {}, {0})});
    bias = model.node("DequantizeLinear",
                      {model.integers(Proto::INT32, {2}, {128, 32}), model.floats({}, {1.0f / 128})});
  } else {
    scale = model.floats({2}, {1.0f, -1.5f});
    bias = model.floats({2}, {1.0f, 0.25f});
  }
  const std::string mean = model.floats({2}, {0.5f, -0.25f}), variance = model.floats({2}, {1.0f, 4.0f});
  x = model.node("BatchNormalization", {x, scale, bias, mean, variance}, {{"epsilon", 1e-5f}}, "norm");
  x = model.node("Relu", {x}, {}, "relu");
  model.output(model.quantize(x, 0.25f, -2), Proto::INT8, {1, 2, 4, 4});
  return model;
}

TEST(Quantizers, ParametersOfANormalizationMayBeDequantized) {
  std::mt19937 random(7);
  const std::vector<Bytes> inputs{randomBytes(random, 32)};
  for (bool isBehindConv : {false, true}) {
    const OnnxBuilder plain = normalization(false, isBehindConv),
                      dequantized = normalization(true, isBehindConv);
    EXPECT_EQ(runModel(plain, inputs), runModel(dequantized, inputs)) << isBehindConv;
    const package::Package package = packageOf(dequantized.bytes(), "accelerator");
    EXPECT_THAT(package.layers,
                Contains(Field(&package::Layer::node, isBehindConv ? "conv + norm + relu" : "norm + relu")));
  }
}

/// By com.microsoft's operator, or by ONNX's between casts.
OnnxBuilder softmax(bool isQOperator, int64_t axis, int64_t opset) {
  const OnnxBuilder::Shape shape{2, 3, 4};
  OnnxBuilder model(opset);
  std::string x = model.input("x", Proto::INT8, shape), y;
  if (isQOperator) {
    const std::string zero = model.integers(Proto::INT8, {}, {-2});
    y = model.node("QLinearSoftmax",
                   {x, model.floats({}, {0.125f}), model.integers(Proto::INT8, {}, {3}),
                    model.floats({}, {1.0f / 64}), zero},
                   {{"axis", axis}, {"opset", opset}}, "softmax", "com.microsoft");
  } else {
    y = model.quantize(model.node("Softmax", {model.dequantize(x, 0.125f, 3)}, {{"axis", axis}}), 1.0f / 64,
                       -2);
  }
  model.output(y, Proto::INT8, shape);
  return model;
}

TEST(Quantizers, SoftmaxMayBeAQOperator) {
  std::mt19937 random(11);
  const std::vector<Bytes> inputs{randomBytes(random, 24)};
  for (int64_t opset : {11, 13})
    for (int64_t axis : {1, -1})
      EXPECT_EQ(runModel(softmax(true, axis, opset), inputs), runModel(softmax(false, axis, opset), inputs))
          << axis << " of opset " << opset;
  EXPECT_NE(runModel(softmax(true, 1, 11), inputs), runModel(softmax(true, 1, 13), inputs));
}

/// What a QLinearConv gave, moved or compared as it is stored, and read by another; or dequantized in front
/// of the move and quantized again behind it.
OnnxBuilder movedBetweenConvolutions(const std::string &op, int32_t dtype, bool isStored) {
  OnnxBuilder model;
  const int zero = dtype == Proto::UINT8 ? 130 : 2;
  const auto convolution = [&](const std::string &x) {
    const std::string w = model.integers(Proto::INT8, {2, 2, 1, 1}, {3, -5, 13, 1});
    const std::string scale = model.floats({}, {0.25f}), point = model.integers(dtype, {}, {zero});
    return model.node("QLinearConv", {x, scale, point, w, model.floats({}, {0.125f}),
                                      model.integers(Proto::INT8, {}, {0}), scale, point});
  };
  std::string x = convolution(model.input("x", dtype, {1, 2, 4, 4}));
  const auto convert = [&](const std::string &by) {
    return model.node(by, {x, model.floats({}, {0.25f}), model.integers(dtype, {}, {zero})});
  };
  if (!isStored)
    x = convert("DequantizeLinear");
  OnnxBuilder::Shape shape{1, 2, 4, 4};
  if (op == "Transpose")
    x = model.node(op, {x}, {{"perm", std::vector<int64_t>{0, 1, 3, 2}}});
  if (op == "Slice" || op == "Split")
    shape[2] = 2;
  if (op == "Slice")
    x = model.node(op, {x, model.integers(Proto::INT64, {1}, {1}), model.integers(Proto::INT64, {1}, {3}),
                        model.integers(Proto::INT64, {1}, {2})});
  if (op == "Split") {
    x = model.node(op, {x, model.integers(Proto::INT64, {2}, {2, 2})}, {{"axis", 2}});
    model.addOutput();
  }
  if (op == "MaxPool")
    x = model.node(
        op, {x}, {{"kernel_shape", std::vector<int64_t>{3, 3}}, {"pads", std::vector<int64_t>{1, 1, 1, 1}}});
  if (op == "Resize") {
    x = model.node(op, {x, "", model.floats({4}, {1, 1, 2, 2})},
                   {{"coordinate_transformation_mode", "asymmetric"}, {"nearest_mode", "floor"}});
    shape[2] = shape[3] = 8;
  }
  if (!isStored)
    x = convert("QuantizeLinear");
  model.output(convolution(x), dtype, shape);
  return model;
}

TEST(Quantizers, StoredElementsAreMovedAsDequantizedOnes) {
  std::mt19937 random(12);
  const std::vector<Bytes> inputs{randomBytes(random, 32)};
  for (const char *op : {"Transpose", "Slice", "Split", "MaxPool", "Resize"})
    for (int32_t dtype : {Proto::INT8, Proto::UINT8}) {
      SCOPED_TRACE(std::string(op) + " of type " + std::to_string(dtype));
      const OnnxBuilder stored = movedBetweenConvolutions(op, dtype, true);
      EXPECT_EQ(runModel(stored, inputs), runModel(movedBetweenConvolutions(op, dtype, false), inputs));
      packageOf(stored.bytes(), "accelerator");
    }
}

/// A product plus what is dequantized, quantized together, as TensorRT's explicit quantization and PyTorch's
/// pt2e write a residual; or the product is an output of float32 too.
OnnxBuilder productPlusInput(const std::string &op, int32_t dtype, bool isFirst, float residualScale = 0.5f,
                             bool isOutput = false, float bias = 0) {
  OnnxBuilder model;
  const int zero = dtype == Proto::UINT8 ? 130 : 2;
  const bool isConv = op == "Conv";
  OnnxBuilder::Shape shape{5, 5, 4};
  if (op != "MatMul")
    shape = isConv ? OnnxBuilder::Shape{1, 4, 5, 5} : OnnxBuilder::Shape{25, 4};
  const auto real = [&](const std::string &x, float scale) {
    return model.node("DequantizeLinear", {x, model.floats({}, {scale}), model.integers(dtype, {}, {zero})});
  };
  const std::string x = real(model.input("x", dtype, shape), 0.25f);
  const std::string r = real(model.input("r", dtype, shape), residualScale);
  const std::vector<int8_t> values{3, -5, 13, 1, 7, 127, -128, 2, 0, 0, 1, 0, 9, -9, 90, -90};
  const std::string w = model.weights(isConv ? OnnxBuilder::Shape{4, 4, 1, 1} : OnnxBuilder::Shape{4, 4},
                                      values, {0.125f, 0.01f, 0.003f, 0.25f}, isConv ? 0 : 1);
  std::vector<std::string> operands{x, w};
  if (bias != 0)
    operands.push_back(model.floats({4}, {0, 0, 0, bias}));
  const std::string sums = model.node(op, operands, {}, "product");
  const std::string sum = isFirst ? model.node("Add", {r, sums}) : model.node("Add", {sums, r});
  const std::string y = model.node("QuantizeLinear", {model.node("Relu", {sum}), model.floats({}, {0.75f}),
                                                      model.integers(dtype, {}, {zero})});
  model.output(y, dtype, shape);
  if (isOutput)
    model.output(sums, Proto::FLOAT, shape);
  return model;
}

/// That the product is the accelerator's, and whether it gives its sums.
void expectAccelerated(const OnnxBuilder &model, bool givesSums) {
  std::vector<std::string> layers;
  for (const package::Layer &layer : packageOf(model.bytes()).layers)
    layers.push_back(layer.node + " on " + layer.target + ": " + layer.reason);
  EXPECT_THAT(layers, Contains(::testing::ContainsRegex("product.* on accelerator")));
  const auto ofSums = Contains(::testing::ContainsRegex("product.* on cpu: makes float32 of sums"));
  if (givesSums)
    EXPECT_THAT(layers, ofSums);
  else
    EXPECT_THAT(layers, ::testing::Not(ofSums));
}

TEST(Quantizers, AProductIsQuantizedWithWhatIsAddedToIt) {
  std::mt19937 random(4);
  for (const char *op : {"Conv", "Gemm", "MatMul"})
    for (int32_t dtype : {Proto::INT8, Proto::UINT8})
      for (bool isFirst : {false, true}) {
        SCOPED_TRACE(std::string(op) + " of type " + std::to_string(dtype) + (isFirst ? " behind" : ""));
        const OnnxBuilder model = productPlusInput(op, dtype, isFirst);
        const std::vector<Bytes> inputs{randomBytes(random, 100), randomBytes(random, 100)};
        expectAccelerated(model, false);
        const Outputs found = runModel(model, inputs, "auto");
        EXPECT_EQ(found, runModel(model, inputs));
        const Outputs real = runModel(productPlusInput(op, dtype, isFirst, 0.5f, true), inputs);
        for (size_t i = 0; i < found[0].size(); ++i)
          EXPECT_LE(std::abs(int8_t(found[0][i] - real[0][i])), 1) << i; // neither wraps around
      }
}

TEST(Quantizers, AProductThatIsReadTwiceOrFarFromWhatIsAddedGivesItsSums) {
  expectAccelerated(productPlusInput("Conv", Proto::INT8, false, 0.5f, true), true);
  expectAccelerated(productPlusInput("Conv", Proto::INT8, false, 700), false);
  expectAccelerated(productPlusInput("Conv", Proto::INT8, false, 800), true); // 2^20 times 0.25 times 0.003
  // 2^30 times 0.25 times 0.25, less what the weights of the channel give.
  expectAccelerated(productPlusInput("Conv", Proto::INT8, false, 0.5f, false, 67100000), false);
  expectAccelerated(productPlusInput("Conv", Proto::INT8, false, 0.5f, false, 67108864), true);
}

/// A product whose result nobody quantizes, of quantized tensors or of the real numbers that they stand for.
class RealProduct {
public:
  RealProduct(const std::string &op, int32_t dtype, bool hasNineBits) : op(op), dtype(dtype) {
    isConv = op.rfind("Conv", 0) == 0, groups = op == "ConvDepthwise" ? 6 : 1;
    shape = isConv         ? OnnxBuilder::Shape{1, 6, 7, 9}
            : op == "Gemm" ? OnnxBuilder::Shape{9, 6}
                           : OnnxBuilder::Shape{2, 3, 9, 6};
    wShape = isConv ? OnnxBuilder::Shape{6, 6 / groups, 3, 2} : OnnxBuilder::Shape{6, 20};
    if (op == "BatchMatMul")
      wShape = {2, 3, 6, 20};
    wZero = hasNineBits ? 100 : 0;
    for (int64_t k = 0; k < count(wShape); ++k)
      weights.push_back(std::uniform_int_distribution<int>(-128, 127)(random));
    x = randomBytes(random, count(shape));
  }

  /// Of the model's inputs: the weights of a batch are one.
  std::vector<Bytes> inputs(bool isReal) const {
    std::vector<float> numbers;
    for (int8_t q : x)
      numbers.push_back(0.03125f * (dtype == Proto::UINT8 ? uint8_t(q) - 130 : q - 2));
    std::vector<Bytes> result{isReal ? bytesOf(numbers) : x};
    if (op == "BatchMatMul")
      result.push_back(isReal ? bytesOf(realWeights()) : Bytes(weights.begin(), weights.end()));
    return result;
  }

  OnnxBuilder model(bool isReal) const {
    OnnxBuilder onnx;
    const int zero = dtype == Proto::UINT8 ? 130 : 2;
    const std::string input = onnx.input("x", isReal ? Proto::FLOAT : dtype, shape);
    const std::string a = isReal ? input
                                 : onnx.node("DequantizeLinear", {input, onnx.floats({}, {0.03125f}),
                                                                  onnx.integers(dtype, {}, {zero})});
    std::vector<std::string> operands{a, w(onnx, isReal)};
    const int64_t channels = isConv ? wShape[0] : wShape.back();
    if (isConv || op == "Gemm") {
      std::vector<float> bias;
      for (int64_t c = 0; c < channels; ++c)
        bias.push_back(0.37f * c - 1);
      operands.push_back(onnx.floats({channels}, bias));
    }
    std::vector<OnnxBuilder::Attribute> attributes;
    if (isConv)
      attributes = {{"pads", std::vector<int64_t>{1, 0, 1, 1}},
                    {"strides", std::vector<int64_t>{2, 1}},
                    {"group", groups}};
    OnnxBuilder::Shape result = shape;
    result.back() = channels;
    onnx.output(onnx.node(isConv         ? "Conv"
                          : op == "Gemm" ? op
                                         : "MatMul",
                          operands, attributes, "product"),
                Proto::FLOAT, isConv ? OnnxBuilder::Shape{1, channels, 4, 9} : result);
    return onnx;
  }

private:
  /// One scale, or one a channel.
  std::vector<float> scales() const {
    std::vector<float> result{0.0625f};
    if (wZero == 0 && op != "BatchMatMul")
      for (int64_t c = 1; c < wShape[axis()]; ++c)
        result.push_back(0.0625f / (c + 1));
    return result;
  }

  int64_t axis() const { return isConv ? 0 : 1; }

  std::vector<float> realWeights() const {
    const std::vector<float> of = scales();
    const int64_t inner = isConv ? count(wShape) / wShape[0] : 1;
    std::vector<float> result;
    for (int64_t k = 0; k < count(wShape); ++k)
      result.push_back((weights[k] - wZero) * of[k / inner % of.size()]);
    return result;
  }

  std::string w(OnnxBuilder &onnx, bool isReal) const {
    const bool isInput = op == "BatchMatMul";
    if (isReal)
      return isInput ? onnx.input("w", Proto::FLOAT, wShape) : onnx.floats(wShape, realWeights());
    const std::vector<float> of = scales();
    const auto size = static_cast<int64_t>(of.size());
    const OnnxBuilder::Shape shape = size > 1 ? OnnxBuilder::Shape{size} : OnnxBuilder::Shape{};
    const std::string stored =
        isInput ? onnx.input("w", Proto::INT8, wShape)
                : onnx.integers(Proto::INT8, wShape, std::vector<int64_t>(weights.begin(), weights.end()));
    return onnx.node("DequantizeLinear",
                     {stored, onnx.floats(shape, of),
                      onnx.integers(Proto::INT8, shape, std::vector<int64_t>(size, wZero))},
                     {{"axis", axis()}});
  }

  std::mt19937 random{7};
  const std::string op;
  const int32_t dtype;
  bool isConv;
  int64_t groups;
  int wZero;
  OnnxBuilder::Shape shape, wShape;
  std::vector<int> weights;
  Bytes x;
};

TEST(Quantizers, AProductWhoseResultIsNotQuantizedGivesItsSums) {
  for (const char *op : {"Conv", "ConvDepthwise", "Gemm", "MatMul", "BatchMatMul"})
    for (int32_t dtype : {Proto::INT8, Proto::UINT8})
      for (bool hasNineBits : {false, true}) {
        SCOPED_TRACE(std::string(op) + " of type " + std::to_string(dtype) +
                     (hasNineBits ? " by 9 bits" : ""));
        const RealProduct product(op, dtype, hasNineBits);
        expectAccelerated(product.model(false), true);
        const Outputs found = runModel(product.model(false), product.inputs(false), "auto");
        EXPECT_EQ(found, runModel(product.model(false), product.inputs(false)));
        const Outputs expected = runModel(product.model(true), product.inputs(true));
        const std::vector<float> numbers = numbersOf<float>(found.at(0)),
                                 real = numbersOf<float>(expected.at(0));
        ASSERT_EQ(numbers.size(), real.size());
        for (size_t i = 0; i < real.size(); ++i)
          ASSERT_NEAR(numbers[i], real[i], 1e-4 * (1 + std::abs(real[i]))) << i;
      }
}

/// A product of rows whose last channel has next to no weights, and a bias that nearly fills 32 bits.
OnnxBuilder productWithLargeBias(int8_t weight, int32_t bias, float outputScale) {
  OnnxBuilder model;
  const std::string x = model.dequantize(model.input("x", Proto::INT8, {3, 64}), 0.5f, -128);
  std::vector<int8_t> w(2 * 64, 3);
  std::fill(w.begin() + 64, w.end(), weight);
  const float unit = 0.25f;
  const std::string y = model.node(
      "Gemm",
      {x, model.weights({2, 64}, w, {0.125f, unit}, 0), model.bias({7, bias}, {0.0625f, unit * 0.5f})},
      {{"transB", 1}}, "product");
  model.output(model.quantize(y, outputScale, 0), Proto::INT8, {3, 2});
  return model;
}

TEST(Quantizers, ABiasThatNearlyFills32BitsFits) {
  std::mt19937 random(19);
  const Bytes x = randomBytes(random, 3 * 64);
  for (int sign : {1, -1})
    for (int weight : {0, 1, 2, 9}) {
      SCOPED_TRACE(sign * weight);
      const int32_t bias = sign * 2147483000;
      const float scale = 2147483000.0f * 0.125f / 100;
      const OnnxBuilder model = productWithLargeBias(static_cast<int8_t>(sign * weight), bias, scale);
      const Outputs found = runModel(model, {x}, "accelerator");
      EXPECT_EQ(found, runModel(model, {x}));
      for (int row = 0; row < 3; ++row) {
        double sum = bias;
        for (int k = 0; k < 64; ++k)
          sum += sign * weight * (x[row * 64 + k] + 128);
        EXPECT_NEAR(int8_t(found.at(0)[row * 2 + 1]), sum * 0.125 / scale, 0.52) << row;
      }
    }
}

/// Weights count beside the bias, so that they cannot take coarser units: float32 on the CPU.
TEST(Quantizers, SumsThatMayNotFit32BitsAreComputedInFloat32) {
  OnnxBuilder model;
  const int64_t depth = 70000;
  const std::string x = model.dequantize(model.input("x", Proto::INT8, {1, depth}), 1, -128);
  const std::string w = model.weights({depth, 1}, std::vector<int8_t>(depth, 127), {1}, 1);
  model.output(model.quantize(model.node("MatMul", {x, w}, {}, "product"), 3e7f, 0), Proto::INT8, {1, 1});
  const Bytes most(depth, 127);
  EXPECT_NEAR(int8_t(runModel(model, {most}, "auto").at(0)[0]), 127.0 * 255 * depth / 3e7, 0.51);
}

/// What the documentation says of operators of one tensor.
TEST(Quantizers, FunctionsOfOneTensorAreTables) {
  unsigned count = 0;
  for (const OperatorSupport &known : supportedOperators()) {
    if (known.quantized != "accelerator by a table")
      continue;
    OnnxBuilder model(28);
    const std::string x = model.dequantize(model.input("x", Proto::INT8, {1, 2, 4, 4}), 0.25f, 3);
    model.output(model.quantize(model.node(known.name, {x}), 0.25f, -2), Proto::INT8, {1, 2, 4, 4});
    SCOPED_TRACE(known.name);
    packageOf(model.bytes(), "accelerator");
    ++count;
  }
  EXPECT_GE(count, 30u);
}

} // namespace
} // namespace daedalus::test
