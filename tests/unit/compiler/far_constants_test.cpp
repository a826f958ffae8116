// Numbers that stand beside quantized elements and that their type does not hold: far outside of its range,
// or between two of its values. The result's own quantization makes integers of them, as ONNX defines it;
// every target is compared with that definition, for targets that agree may all be wrong.
#include "run_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace daedalus::test {
namespace {

constexpr float inScale = 0.2f, outScale = 1;
const Bytes x = {-128, -7, 0, 3, 5, 100, 126, 127};

int8_t quantized(double real, double scale = outScale) {
  return static_cast<int8_t>(std::clamp(std::nearbyint(real / scale), -128.0, 127.0));
}

/// Each element of x, real and quantized again.
std::vector<int8_t> requantized() {
  std::vector<int8_t> all;
  for (int8_t q : x)
    all.push_back(quantized(q * double(inScale)));
  return all;
}

/// The outputs on every target of a model that makes a float of a dequantized x of this shape.
template <class Make>
void expectOnAll(OnnxBuilder::Shape shape, const std::vector<int8_t> &expected, Make make) {
  OnnxBuilder model(18);
  std::string real = model.dequantize(model.input("x", onnx::TensorProto::INT8, shape), inScale, 0);
  const auto [y, outShape] = make(model, real);
  model.output(model.quantize(y, outScale, 0), onnx::TensorProto::INT8, outShape);
  for (const char *target : {"cpu", "auto"})
    EXPECT_EQ(numbersOf<int8_t>(runModel(model, {x}, target)[0]), expected) << target;
}

using Made = std::pair<std::string, OnnxBuilder::Shape>;

class FarConstants : public ::testing::TestWithParam<float> {};

TEST_P(FarConstants, OfPadAreQuantizedAsTheResultIs) {
  std::vector<int8_t> expected = requantized();
  expected.insert(expected.begin(), quantized(GetParam()));
  expectOnAll({8}, expected, [&](OnnxBuilder &model, const std::string &real) {
    const std::string pads = model.integers(onnx::TensorProto::INT64, {2}, {1, 0});
    return Made{model.node("Pad", {real, pads, model.floats({}, {GetParam()})}), {9}};
  });
}

TEST_P(FarConstants, OfWhereAreQuantizedAsTheResultIs) {
  std::vector<int8_t> expected = requantized();
  for (size_t i = 0; i < expected.size(); i += 2)
    expected[i] = quantized(GetParam());
  expectOnAll({8}, expected, [&](OnnxBuilder &model, const std::string &real) {
    const std::string taken = model.integers(onnx::TensorProto::BOOL, {8}, {0, 1, 0, 1, 0, 1, 0, 1});
    return Made{model.node("Where", {taken, real, model.floats({}, {GetParam()})}), {8}};
  });
}

TEST_P(FarConstants, OfScatterNdAreQuantizedAsTheResultIs) {
  std::vector<int8_t> expected = requantized();
  expected[3] = quantized(GetParam());
  expectOnAll({8}, expected, [&](OnnxBuilder &model, const std::string &real) {
    const std::string at = model.integers(onnx::TensorProto::INT64, {1, 1}, {3});
    return Made{model.node("ScatterND", {real, at, model.floats({1}, {GetParam()})}), {8}};
  });
}

TEST_P(FarConstants, OfConcatAreQuantizedAsTheResultIs) {
  std::vector<int8_t> expected = requantized();
  expected.push_back(quantized(GetParam()));
  expectOnAll({8}, expected, [&](OnnxBuilder &model, const std::string &real) {
    return Made{model.node("Concat", {real, model.floats({1}, {GetParam()})}, {{"axis", 0}}), {9}};
  });
}

TEST_P(FarConstants, OfClipLimitTheRealNumbers) {
  std::vector<int8_t> expected;
  for (int8_t q : x)
    expected.push_back(quantized(std::max(q * double(inScale), double(GetParam()))));
  expectOnAll({8}, expected, [&](OnnxBuilder &model, const std::string &real) {
    return Made{model.node("Clip", {real, model.floats({}, {GetParam()})}), {8}};
  });
}

TEST_P(FarConstants, OfMaxAreComparedAsRealNumbers) {
  std::vector<int8_t> expected;
  for (int8_t q : x)
    expected.push_back(quantized(std::max(q * double(inScale), double(GetParam()))));
  expectOnAll({8}, expected, [&](OnnxBuilder &model, const std::string &real) {
    return Made{model.node("Max", {real, model.floats({}, {GetParam()})}), {8}};
  });
}

INSTANTIATE_TEST_SUITE_P(Sizes, FarConstants, ::testing::Values(0.0f, 0.3f, -3.9f, 100.0f, -1e9f, 3e38f));

/// A Pad whose result nobody quantizes keeps the number as it is.
TEST(FarConstants, StayWhereNothingIsQuantized) {
  OnnxBuilder model(18);
  std::string real = model.dequantize(model.input("x", onnx::TensorProto::INT8, {8}), inScale, 0);
  const std::string pads = model.integers(onnx::TensorProto::INT64, {2}, {1, 0});
  model.output(model.node("Pad", {real, pads, model.floats({}, {0.3f})}), onnx::TensorProto::FLOAT, {9});
  for (const char *target : {"cpu", "auto"})
    EXPECT_EQ(numbersOf<float>(runModel(model, {x}, target)[0])[0], 0.3f) << target;
}

/// A mask of 0 and -1e9, quantized with one scale, leaves what it does not cover as it is.
TEST(DistantScales, OfASumLeaveTheFinerOperand) {
  OnnxBuilder model(18);
  std::string real = model.dequantize(model.input("x", onnx::TensorProto::INT8, {8}), inScale, 0);
  std::string mask = model.dequantize(model.input("mask", onnx::TensorProto::INT8, {8}), 1e9f / 128, 0);
  model.output(model.quantize(model.node("Add", {real, mask}), outScale, 0), onnx::TensorProto::INT8, {8});
  std::vector<int8_t> expected = requantized();
  for (size_t i = 4; i < 8; ++i)
    expected[i] = -128;
  for (const char *target : {"cpu", "auto"})
    EXPECT_EQ(numbersOf<int8_t>(runModel(model, {x, {0, 0, 0, 0, -128, -128, -128, -128}}, target)[0]),
              expected)
        << target;
}

/// One scale is 2^30 times the other and more: no multiplier of 31 bits leads from one to the other.
TEST(DistantScales, OfAChangeOfScaleSaturate) {
  OnnxBuilder model(18);
  std::string real = model.dequantize(model.input("x", onnx::TensorProto::INT8, {8}), 1e9f, 0);
  model.output(model.quantize(real, 1e-3f, 0), onnx::TensorProto::INT8, {8});
  for (const char *target : {"cpu", "auto"})
    EXPECT_EQ(numbersOf<int8_t>(runModel(model, {x}, target)[0]),
              (std::vector<int8_t>{-128, -128, 0, 127, 127, 127, 127, 127}))
        << target;
}

/// With dilations both elements of a window may lie in the padding, which is less than everything.
TEST(FarConstants, OfAWindowOfPaddingAloneAreTheLeast) {
  OnnxBuilder model(18);
  std::string real = model.dequantize(model.input("x", onnx::TensorProto::INT8, {1, 4, 1, 2}), inScale, 0);
  std::string pooled = model.node("MaxPool", {real},
                                  {{"kernel_shape", std::vector<int64_t>{1, 2}},
                                   {"pads", std::vector<int64_t>{0, 1, 0, 1}},
                                   {"dilations", std::vector<int64_t>{1, 3}}});
  model.output(model.quantize(pooled, outScale, 0), onnx::TensorProto::INT8, {1, 4, 1, 1});
  for (const char *target : {"cpu", "auto"})
    EXPECT_EQ(numbersOf<int8_t>(runModel(model, {x}, target)[0]), std::vector<int8_t>(4, -128)) << target;
}

} // namespace
} // namespace daedalus::test
