// BatchNormalization by the statistics of its own input: computed of what comes at run time, and folded of
// constants, as timm's networks standardize their weights.
#include "onnx_builder.h"
#include "run_model.h"

#include <gmock/gmock.h>

#include <cmath>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using Floats = std::vector<float>;
using Shape = OnnxBuilder::Shape;

Floats randomFloats(std::mt19937 &random, int64_t size, float from, float to) {
  std::uniform_real_distribution<float> numbers(from, to);
  Floats all(size);
  for (float &number : all)
    number = numbers(random);
  return all;
}

/// As ONNX's reference has it: of [batch,channels,inner].
struct Expected {
  Expected(const Floats &x, int64_t batch, int64_t channels, const std::vector<Floats> &of, double epsilon,
           double momentum)
      : y(x.size()), mean(channels), variance(channels) {
    const int64_t inner = static_cast<int64_t>(x.size()) / batch / channels;
    for (int64_t c = 0; c < channels; ++c) {
      std::vector<int64_t> places;
      for (int64_t n = 0; n < batch; ++n)
        for (int64_t i = 0; i < inner; ++i)
          places.push_back((n * channels + c) * inner + i);
      double sum = 0, squares = 0;
      for (int64_t at : places)
        sum += x[at];
      const double m = sum / double(places.size());
      for (int64_t at : places)
        squares += (x[at] - m) * (x[at] - m);
      const double v = squares / double(places.size());
      for (int64_t at : places)
        y[at] = float((x[at] - m) / std::sqrt(v + epsilon) * of[0][c] + of[1][c]);
      mean[c] = float(of[2][c] * momentum + m * (1 - momentum));
      variance[c] = float(of[3][c] * momentum + v * (1 - momentum));
    }
  }
  Floats y, mean, variance;
};

void expectNear(const std::vector<uint8_t> &found, const Floats &expected, const char *what) {
  const Floats numbers = numbersOf<float>(found);
  ASSERT_EQ(numbers.size(), expected.size()) << what;
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(numbers[i], expected[i], 1e-5 + 1e-4 * std::abs(expected[i])) << what << " at " << i;
}

/// The targets of a package's layers.
std::string targetsOf(const OnnxBuilder &model, const std::string &target = "auto") {
  const Result<Compiled> compiled = compileBytes(model.bytes(), target);
  if (!compiled)
    return compiled.error();
  std::string all;
  for (const package::Layer &layer : compiled->package.layers)
    all += layer.target + "\n";
  return all;
}

class Trained : public ::testing::TestWithParam<Shape> {};

TEST_P(Trained, NormalizesByTheBatchAndMovesTheStatistics) {
  std::mt19937 random(7);
  const Shape &shape = GetParam();
  const int64_t channels = shape[1];
  const Floats x = randomFloats(random, count(shape), -2, 5);
  std::vector<Floats> of;
  for (int i = 0; i < 4; ++i)
    of.push_back(randomFloats(random, channels, 0.5, 2));
  OnnxBuilder model(15);
  std::vector<std::string> inputs = {model.input("x", Proto::FLOAT, shape)};
  for (const Floats &numbers : of)
    inputs.push_back(model.floats({channels}, numbers));
  model.output(model.node("BatchNormalization", inputs,
                          {{"training_mode", 1}, {"epsilon", 0.01f}, {"momentum", 0.7f}}),
               Proto::FLOAT, shape);
  for (int i = 0; i < 2; ++i)
    model.output(model.addOutput(), Proto::FLOAT, {channels});
  const Outputs found = runModel(model, {bytesOf(x)});
  const Expected expected(x, shape[0], channels, of, 0.01, 0.7);
  ASSERT_EQ(found.size(), 3u);
  expectNear(found[0], expected.y, "y");
  expectNear(found[1], expected.mean, "mean");
  expectNear(found[2], expected.variance, "variance");
}
INSTANTIATE_TEST_SUITE_P(Shapes, Trained,
                         ::testing::Values(Shape{2, 3, 4, 5}, Shape{1, 4, 6}, Shape{5, 3}, Shape{3, 1, 2, 1},
                                           Shape{1, 2, 1, 1}));

/// A convolution whose weights are normalized by channel; with a quantization of image, weights and result.
struct Standardized {
  static constexpr int64_t channels = 5, depth = 3, inner = depth * 9;

  explicit Standardized(bool isFolded, bool isQuantized) : model(15) {
    std::mt19937 random(11);
    const Floats weights = randomFloats(random, channels * inner, -1, 1),
                 gain = randomFloats(random, channels, 0.5, 2);
    const Floats zeros(channels, 0), ones(channels, 1);
    Floats scaled = gain;
    for (float &number : scaled)
      number *= 0.25f;
    std::string w;
    if (isFolded) {
      const Expected normal(weights, 1, channels, {scaled, zeros, zeros, ones}, 1e-6, 0);
      w = model.floats({channels, depth, 3, 3}, normal.y);
    } else {
      const std::string shape = model.integers(Proto::INT64, {3}, {1, channels, inner});
      const std::string flat = model.node("Reshape", {model.floats({channels, depth, 3, 3}, weights), shape});
      const std::string scale =
          model.node("Mul", {model.floats({channels}, gain), model.floats({}, {0.25f})});
      const std::string normal = model.node("BatchNormalization",
                                            {flat, scale, model.floats({channels}, zeros),
                                             model.floats({channels}, zeros), model.floats({channels}, ones)},
                                            {{"training_mode", 1}, {"epsilon", 1e-6f}, {"momentum", 0.0f}});
      for (int i = 0; i < 2; ++i)
        model.addOutput();
      w = model.node("Reshape", {normal, model.integers(Proto::INT64, {4}, {channels, depth, 3, 3})});
    }
    std::string x = model.input("x", isQuantized ? Proto::INT8 : Proto::FLOAT, {1, depth, 6, 6});
    if (isQuantized) {
      x = model.dequantize(x, 0.02f, 0);
      w = model.dequantize(model.quantize(w, 0.01f, 0), 0.01f, 0);
    }
    const std::string y = model.node("Conv", {x, w}, {}, "conv");
    model.output(isQuantized ? model.quantize(y, 0.05f, 3) : y, isQuantized ? Proto::INT8 : Proto::FLOAT,
                 {1, channels, 4, 4});
  }

  OnnxBuilder model;
};

TEST(StandardizedWeights, AreConstants) {
  std::mt19937 random(3);
  const Standardized given(false, false), folded(true, false);
  const Bytes x = bytesOf(randomFloats(random, Standardized::depth * 36, -2, 2));
  expectNear(runModel(given.model, {x})[0], numbersOf<float>(runModel(folded.model, {x})[0]), "y");
  EXPECT_EQ(targetsOf(given.model), targetsOf(folded.model));
}

TEST(StandardizedWeights, RunOnTheAccelerator) {
  std::mt19937 random(5);
  const Standardized given(false, true), folded(true, true);
  const Bytes x = randomBytes(random, Standardized::depth * 36);
  EXPECT_EQ(targetsOf(given.model, "accelerator"), targetsOf(folded.model, "accelerator"));
  EXPECT_EQ(runModel(given.model, {x}, "accelerator"), runModel(folded.model, {x}, "accelerator"));
}

} // namespace
} // namespace daedalus::test
