// Every kernel on the CPU, from ONNX file to bytes, against straightforward loops that end in
// isa::requantize.

#include "onnx_builder.h"
#include "run_model.h"

#include "daedalus/isa/semantics.h"
#include "daedalus/runtime/session.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using Shape = std::vector<int64_t>;

Bytes runInt8(const OnnxBuilder &model, const std::vector<Bytes> &inputs) {
  std::vector<uint8_t> output = runModel(model, inputs)[0];
  return Bytes(output.begin(), output.end());
}

/// Multiplier and shift of a real scale, worked out here anew.
int8_t requantized(int64_t value, double real, int zeroPoint, int lo = -128, int hi = 127) {
  int exponent = 0;
  double fraction = std::frexp(real, &exponent);
  int64_t multiplier = std::llrint(std::ldexp(fraction, 31));
  if (multiplier == int64_t(1) << 31) {
    multiplier /= 2;
    ++exponent;
  }
  return isa::requantize(static_cast<int32_t>(value), 0, static_cast<int32_t>(multiplier), 31 - exponent,
                         zeroPoint, lo, hi, isa::Rounding::HalfEven);
}

struct ConvCase {
  Shape input;      // NCHW
  int64_t channels; // output
  int64_t kernel[2], strides[2], dilations[2], pads[4];
  int zeroPoint;
  bool perChannel, relu;
};

Bytes convReference(const ConvCase &c, const Bytes &x, const Bytes &w, const std::vector<int32_t> &bias,
                    const std::vector<float> &scales, float inputScale, float outputScale, int outputZero,
                    int64_t oh, int64_t ow) {
  Bytes result;
  int64_t ic = c.input[1], h = c.input[2], wd = c.input[3];
  for (int64_t n = 0; n < c.input[0]; ++n)
    for (int64_t o = 0; o < c.channels; ++o)
      for (int64_t y = 0; y < oh; ++y)
        for (int64_t xx = 0; xx < ow; ++xx) {
          int64_t sum = bias[o];
          for (int64_t i = 0; i < ic; ++i)
            for (int64_t ky = 0; ky < c.kernel[0]; ++ky)
              for (int64_t kx = 0; kx < c.kernel[1]; ++kx) {
                int64_t iy = y * c.strides[0] + ky * c.dilations[0] - c.pads[0];
                int64_t ix = xx * c.strides[1] + kx * c.dilations[1] - c.pads[1];
                if (iy < 0 || iy >= h || ix < 0 || ix >= wd)
                  continue;
                sum += (x[((n * ic + i) * h + iy) * wd + ix] - c.zeroPoint) *
                       w[((o * ic + i) * c.kernel[0] + ky) * c.kernel[1] + kx];
              }
          double real = double(scales[scales.size() == 1 ? 0 : o]) * inputScale / outputScale;
          result.push_back(requantized(sum, real, outputZero, c.relu ? outputZero : -128));
        }
  return result;
}

class Conv : public testing::TestWithParam<ConvCase> {};

TEST_P(Conv, EqualsTheLoops) {
  const ConvCase &c = GetParam();
  std::mt19937 random(7);
  OnnxBuilder model;
  float inputScale = 0.037f, outputScale = 0.9f;
  int outputZero = -11;
  std::string x = model.dequantize(model.input("x", Proto::INT8, c.input), inputScale, c.zeroPoint);
  Shape weightShape = {c.channels, c.input[1], c.kernel[0], c.kernel[1]};
  Bytes weights = randomBytes(random, count(weightShape));
  std::vector<float> scales, biasScales;
  for (int64_t o = 0; o < (c.perChannel ? c.channels : 1); ++o)
    scales.push_back(0.01f + 0.003f * (random() % 7));
  std::vector<int32_t> bias;
  for (int64_t o = 0; o < c.channels; ++o) {
    bias.push_back(static_cast<int32_t>(random() % 20000) - 10000);
    biasScales.push_back(inputScale * scales[c.perChannel ? o : 0]);
  }
  std::string w = model.weights(weightShape, weights, scales, 0);
  std::string y = model.node("Conv", {x, w, model.bias(bias, biasScales)},
                             {{"strides", Shape{c.strides[0], c.strides[1]}},
                              {"dilations", Shape{c.dilations[0], c.dilations[1]}},
                              {"pads", Shape{c.pads[0], c.pads[1], c.pads[2], c.pads[3]}}},
                             "conv");
  if (c.relu)
    y = model.node("Relu", {y}, {}, "relu");
  int64_t oh =
      (c.input[2] + c.pads[0] + c.pads[2] - (c.kernel[0] - 1) * c.dilations[0] - 1) / c.strides[0] + 1;
  int64_t ow =
      (c.input[3] + c.pads[1] + c.pads[3] - (c.kernel[1] - 1) * c.dilations[1] - 1) / c.strides[1] + 1;
  model.output(model.quantize(y, outputScale, outputZero), Proto::INT8, {c.input[0], c.channels, oh, ow});
  Bytes input = randomBytes(random, count(c.input));
  EXPECT_EQ(runInt8(model, {input}),
            convReference(c, input, weights, bias, scales, inputScale, outputScale, outputZero, oh, ow));
}

INSTANTIATE_TEST_SUITE_P(
    Cpu, Conv,
    testing::Values(ConvCase{{1, 1, 8, 8}, 16, {3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}, -128, true, true},
                    ConvCase{{2, 5, 7, 9}, 3, {2, 3}, {2, 1}, {1, 2}, {0, 2, 1, 1}, 5, true, false},
                    ConvCase{{1, 70, 5, 5}, 33, {1, 1}, {1, 1}, {1, 1}, {0, 0, 0, 0}, 0, false, false},
                    ConvCase{{1, 16, 30, 30}, 24, {3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}, 17, true, true}));

TEST(CpuKernels, MatMulWithFlattenOfChannelsAndAddedBias) {
  std::mt19937 random(3);
  OnnxBuilder model;
  std::string x = model.dequantize(model.input("x", Proto::INT8, {2, 3, 2, 2}), 0.5f, 4);
  std::string flat = model.node("Flatten", {x}, {}, "flatten");
  Bytes weights = randomBytes(random, 12 * 5);
  std::string y = model.node("MatMul", {flat, model.weights({12, 5}, weights, {0.25f}, 1)}, {}, "matmul");
  y = model.node("Add", {y, model.floats({5}, {1, 2, 3, -4, -500})}, {}, "bias");
  model.output(model.quantize(y, 7.0f, 3), Proto::INT8, {2, 5});
  Bytes input = randomBytes(random, 24), expected;
  for (int n = 0; n < 2; ++n)
    for (int o = 0; o < 5; ++o) {
      const int bias[] = {8, 16, 24, -32, -4000};
      int64_t sum = bias[o];
      for (int k = 0; k < 12; ++k)
        sum += (input[n * 12 + k] - 4) * weights[k * 5 + o];
      expected.push_back(requantized(sum, 0.5 * 0.25 / 7.0, 3));
    }
  EXPECT_EQ(runInt8(model, {input}), expected);
}

TEST(CpuKernels, GemmWithClip) {
  std::mt19937 random(4);
  OnnxBuilder model;
  std::string x = model.dequantize(model.input("x", Proto::INT8, {3, 17}), 0.5f, -7);
  Bytes weights = randomBytes(random, 4 * 17);
  std::string y = model.node("Gemm", {x, model.weights({4, 17}, weights, {0.1f, 0.2f, 0.3f, 0.4f}, 0)},
                             {{"transB", 1}}, "gemm");
  y = model.node("Clip", {y, model.floats({}, {-100.0f}), model.floats({}, {150.0f})}, {}, "clip");
  model.output(model.quantize(y, 4.0f, 1), Proto::INT8, {3, 4});
  Bytes input = randomBytes(random, 51), expected;
  for (int m = 0; m < 3; ++m)
    for (int o = 0; o < 4; ++o) {
      const float scales[] = {0.1f, 0.2f, 0.3f, 0.4f};
      int64_t sum = 0;
      for (int k = 0; k < 17; ++k)
        sum += (input[m * 17 + k] + 7) * weights[o * 17 + k];
      expected.push_back(requantized(sum, double(scales[o]) * 0.5 / 4.0, 1, -24, 39)); // 37.5 rounds to 38
    }
  EXPECT_EQ(runInt8(model, {input}), expected);
}

TEST(CpuKernels, AddIsWithinOneStepAndBroadcasts) {
  std::mt19937 random(5);
  OnnxBuilder model;
  std::string a = model.dequantize(model.input("a", Proto::INT8, {1, 3, 5, 5}), 0.3f, 4);
  std::string b = model.dequantize(model.input("b", Proto::INT8, {1, 3, 5, 5}), 0.7f, -9);
  std::string sum = model.dequantize(model.quantize(model.node("Add", {a, b}, {}, "add"), 0.9f, 2), 0.9f, 2);
  std::string constant = model.dequantize(model.integers(Proto::INT8, {3, 1, 1}, {10, 20, -30}), 0.5f, 1);
  std::string y = model.node("Add", {sum, constant}, {}, "offset");
  model.output(model.quantize(y, 0.9f, 2), Proto::INT8, {1, 3, 5, 5});
  Bytes x = randomBytes(random, 75), z = randomBytes(random, 75), result = runInt8(model, {x, z});
  ASSERT_EQ(result.size(), 75u);
  for (int i = 0; i < 75; ++i) {
    auto clamp = [](double value) { return std::min(127.0, std::max(-128.0, value)); };
    double first = clamp(std::nearbyint((0.3 * (x[i] - 4) + 0.7 * (z[i] + 9)) / 0.9) + 2);
    const int constants[] = {10, 20, -30};
    double second = clamp(std::nearbyint((0.9 * (first - 2) + 0.5 * (constants[i / 25] - 1)) / 0.9) + 2);
    EXPECT_NEAR(result[i], second, 1.0) << i;
  }
}

TEST(CpuKernels, MaxPoolWithPaddingThenRelu) {
  std::mt19937 random(6);
  OnnxBuilder model;
  std::string x = model.dequantize(model.input("x", Proto::INT8, {1, 3, 7, 5}), 0.3f, 4);
  std::string y = model.node(
      "MaxPool", {x}, {{"kernel_shape", Shape{3, 2}}, {"strides", Shape{2, 1}}, {"pads", Shape{1, 0, 1, 1}}},
      "pool");
  y = model.node("Relu", {y}, {}, "relu");
  model.output(model.quantize(y, 0.5f, -3), Proto::INT8, {1, 3, 4, 5});
  Bytes input = randomBytes(random, 105), expected;
  for (int c = 0; c < 3; ++c)
    for (int oy = 0; oy < 4; ++oy)
      for (int ox = 0; ox < 5; ++ox) {
        int best = -128;
        for (int iy = std::max(0, oy * 2 - 1); iy < std::min(7, oy * 2 + 2); ++iy)
          for (int ix = ox; ix < std::min(5, ox + 2); ++ix)
            best = std::max<int>(best, input[(c * 7 + iy) * 5 + ix]);
        expected.push_back(requantized(best - 4, double(0.3f) / 0.5f, -3, -3));
      }
  EXPECT_EQ(runInt8(model, {input}), expected);
}

TEST(CpuKernels, GlobalAveragePool) {
  std::mt19937 random(8);
  OnnxBuilder model;
  std::string x = model.dequantize(model.input("x", Proto::INT8, {2, 3, 5, 7}), 0.3f, 4);
  model.output(model.quantize(model.node("GlobalAveragePool", {x}, {}, "mean"), 0.1f, -3), Proto::INT8,
               {2, 3, 1, 1});
  Bytes input = randomBytes(random, 210), expected;
  for (int c = 0; c < 6; ++c) {
    int64_t sum = 0;
    for (int i = 0; i < 35; ++i)
      sum += input[c * 35 + i] - 4;
    expected.push_back(requantized(sum, double(0.3f) / (double(0.1f) * 35), -3));
  }
  EXPECT_EQ(runInt8(model, {input}), expected);
}

TEST(CpuKernels, ReluClipAndRescaleOfTheirOwn) {
  std::mt19937 random(9);
  OnnxBuilder model;
  std::string x = model.dequantize(model.input("x", Proto::INT8, {1, 300}), 0.3f, 4);
  std::string y = model.quantize(model.node("Relu", {x}, {}, "relu"), 0.3f, 4);
  model.output(model.quantize(model.dequantize(y, 0.3f, 4), 0.17f, -20), Proto::INT8, {1, 300});
  Bytes input = randomBytes(random, 300), expected;
  for (int8_t value : input)
    expected.push_back(requantized(std::max<int>(value, 4) - 4, double(0.3f) / 0.17f, -20));
  EXPECT_EQ(runInt8(model, {input}), expected);
}

TEST(CpuKernels, FloatBoundariesAndTranspose) {
  OnnxBuilder model;
  std::string x = model.input("x", Proto::FLOAT, {1, 2, 2, 3});
  std::string q = model.dequantize(model.quantize(x, 0.5f, 3), 0.5f, 3);
  model.output(q, Proto::FLOAT, {1, 2, 2, 3});
  std::vector<float> values = {0.25f, 0.75f, -1.25f, 1e9f, -1e9f, 2, 3, 4, 5, -0.0f, 61.9f, -65.6f};
  Bytes input(48);
  std::memcpy(input.data(), values.data(), 48);
  std::vector<uint8_t> output = runModel(model, {input})[0];
  ASSERT_EQ(output.size(), 48u);
  std::vector<float> result(12), expected;
  std::memcpy(result.data(), output.data(), 48);
  for (float value : values)
    expected.push_back(
        static_cast<float>(std::min(127.0, std::max(-128.0, std::nearbyint(value / 0.5f) + 3.0)) - 3) * 0.5f);
  EXPECT_EQ(result, expected);
}

TEST(CpuKernels, ExternalFunctionSeesRowMajorTensors) {
  OnnxBuilder model;
  std::string x = model.dequantize(model.input("x", Proto::INT8, {1, 2, 2, 2}), 0.5f, 0);
  std::string y = model.node("negate", {x}, {}, "call", "daedalus.external");
  model.valueInfo(y, Proto::FLOAT, {1, 2, 2, 2});
  model.output(model.quantize(y, 0.5f, 0), Proto::INT8, {1, 2, 2, 2});
  Result<Compiled> compiled = compileBytes(model.bytes());
  ASSERT_TRUE(compiled) << compiled.error();
  auto session = runtime::Session::create(compiled->package, {});
  ASSERT_TRUE(session) << session.error();
  auto registered = (*session)->registerExternal(
      "negate", [](Span<const runtime::TensorView> in, Span<const runtime::TensorView> out) -> Result<void> {
        for (int i = 0; i < 8; ++i)
          static_cast<float *>(out[0].data)[i] = -static_cast<const float *>(in[0].data)[i];
        return {};
      });
  ASSERT_TRUE(registered);
  runtime::Tensor input{"x", compiled->package.functions[0].inputs[0].type, {1, 2, 3, 4, 5, 6, 7, 8}};
  auto result = (*session)->run("main", {input});
  ASSERT_TRUE(result) << result.error();
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(static_cast<int8_t>(result->outputs[0].data[i]), -(i + 1));
}

/// The parts one behind the other along an axis, row-major.
Bytes joined(const std::vector<Bytes> &parts, const std::vector<Shape> &shapes, int64_t axis) {
  int64_t rows = 1;
  for (int64_t d = 0; d < axis; ++d)
    rows *= shapes[0][d];
  Bytes result;
  for (int64_t row = 0; row < rows; ++row)
    for (const Bytes &part : parts) {
      const int64_t length = static_cast<int64_t>(part.size()) / rows;
      result.insert(result.end(), part.begin() + row * length, part.begin() + (row + 1) * length);
    }
  return result;
}

/// The least of int64 starts from the largest one, which no double is.
TEST(CpuKernels, ArgMinOfInt64) {
  OnnxBuilder model;
  const std::string x = model.input("x", onnx::TensorProto::INT64, {2, 2});
  model.output(model.node("ArgMin", {x}, {{"axis", 0}, {"keepdims", 0}}), onnx::TensorProto::INT64, {2});
  Bytes input(4 * sizeof(int64_t));
  const int64_t numbers[] = {0, 3, 1, 2}, expected[] = {0, 1};
  std::memcpy(input.data(), numbers, sizeof numbers);
  const auto outputs = runModel(model, {input});
  EXPECT_EQ(std::memcmp(outputs[0].data(), expected, sizeof expected), 0);
}

/// More parts than one function of machine code takes, among them one that comes twice and one without
/// elements.
TEST(CpuKernels, ConcatOfManyPartsHasEachInItsPlace) {
  std::mt19937 random(31);
  for (bool quantized : {false, true})
    for (int64_t axis = 0; axis < 4; ++axis) {
      OnnxBuilder model;
      std::vector<Shape> shapes;
      std::vector<Bytes> inputs, parts;
      std::vector<std::string> names;
      Shape whole{2, 3, 2, 4};
      whole[axis] = 0;
      for (int i = 0; i < 40; ++i) {
        Shape shape{2, 3, 2, 4};
        shape[axis] = !quantized && i == 20 ? 0 : 1 + i % 3;
        inputs.push_back(randomBytes(random, count(shape)));
        const std::string x = model.input("x" + std::to_string(i), Proto::INT8, shape);
        names.push_back(quantized ? model.dequantize(x, 0.5f, 4) : x);
        for (int times = i == 7 ? 2 : 1; times > 0; --times) {
          parts.push_back(inputs.back());
          shapes.push_back(shape);
          whole[axis] += shape[axis];
        }
        if (i == 7)
          names.push_back(names.back());
      }
      const std::string y = model.node("Concat", names, {{"axis", axis}});
      model.output(quantized ? model.quantize(y, 0.5f, 4) : y, Proto::INT8, whole);
      EXPECT_EQ(runInt8(model, inputs), joined(parts, shapes, axis)) << quantized << ", axis " << axis;
    }
}

} // namespace
} // namespace daedalus::test
