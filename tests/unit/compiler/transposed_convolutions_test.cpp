// Transposed convolutions and blocks of rows and columns: against their definitions, on CPU and accelerator.
#include "onnx_builder.h"
#include "run_model.h"

#include "daedalus/Target/Accelerator/Figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using Shape = OnnxBuilder::Shape;

int draw(std::mt19937 &random, int least, int most) {
  return std::uniform_int_distribution<int>(least, most)(random);
}

/// One over images [N,C,H,W], or over [N,C,L] as images of height 1.
struct Transposed {
  bool hasRows, hasBias, isPerChannel;
  int64_t n, c, m, weightZero;
  int64_t size[2], kernel[2], stride[2], begin[2], end[2], extra[2], output[2];
  std::vector<int8_t> w;
  std::vector<int32_t> bias;
  std::vector<float> scales;

  explicit Transposed(std::mt19937 &random)
      : hasRows(draw(random, 0, 3) != 0), hasBias(draw(random, 0, 1)), isPerChannel(draw(random, 0, 1)),
        n(draw(random, 1, 2)), c(draw(random, 1, 20)), m(draw(random, 1, 20)),
        weightZero(isPerChannel || draw(random, 0, 1) ? 0 : 7) {
    for (int d : {0, 1}) {
      const bool isOne = d == 0 && !hasRows;
      size[d] = isOne ? 1 : draw(random, 1, 6), kernel[d] = isOne ? 1 : draw(random, 1, 5);
      stride[d] = isOne ? 1 : draw(random, 1, 3), extra[d] = isOne ? 0 : draw(random, 0, int(stride[d]) - 1);
      const int64_t whole = (size[d] - 1) * stride[d] + kernel[d] + extra[d];
      begin[d] = isOne ? 0 : draw(random, 0, int(std::min<int64_t>(kernel[d], whole - 1)));
      end[d] = isOne ? 0 : draw(random, 0, int(std::min<int64_t>(kernel[d], whole - 1 - begin[d])));
      output[d] = whole - begin[d] - end[d];
    }
    const Bytes bytes = randomBytes(random, c * m * kernel[0] * kernel[1]);
    w.assign(bytes.begin(), bytes.end());
    for (int64_t k = 0; k < m; ++k) {
      bias.push_back(draw(random, -2000, 2000));
      scales.push_back(0.01f / float(1 + k % 4));
    }
    if (!isPerChannel)
      scales.resize(1);
  }

  float scale(int64_t channel) const { return scales[isPerChannel ? channel : 0]; }
  Shape shape(int64_t channels, const int64_t *image) const {
    return hasRows ? Shape{n, channels, image[0], image[1]} : Shape{n, channels, image[1]};
  }
  Shape weightShape() const { return hasRows ? Shape{c, m, kernel[0], kernel[1]} : Shape{c, m, kernel[1]}; }
  std::vector<OnnxBuilder::Attribute> attributes() const {
    const auto list = [&](const int64_t *numbers) {
      return hasRows ? std::vector<int64_t>{numbers[0], numbers[1]} : std::vector<int64_t>{numbers[1]};
    };
    std::vector<int64_t> pads = list(begin), ends = list(end);
    pads.insert(pads.end(), ends.begin(), ends.end());
    return {{"strides", list(stride)}, {"output_padding", list(extra)}, {"pads", pads}};
  }

  float weight(int64_t at) const { return (w[at] - weightZero) * scale(at / (kernel[0] * kernel[1]) % m); }
  std::vector<float> realWeights() const {
    std::vector<float> result;
    for (size_t at = 0; at < w.size(); ++at)
      result.push_back(weight(at));
    return result;
  }

  /// The definition: each element of the image adds the kernel times itself.
  std::vector<double> of(const std::vector<double> &x) const {
    std::vector<double> y(n * m * output[0] * output[1]);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t o = 0; o < m; ++o)
        for (int64_t at = 0; at < output[0] * output[1]; ++at)
          y[(i * m + o) * output[0] * output[1] + at] = hasBias ? bias[o] * 0.25 * scale(o) : 0;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t k = 0; k < c; ++k)
        for (int64_t h = 0; h < size[0]; ++h)
          for (int64_t v = 0; v < size[1]; ++v)
            add(y, i, k, h, v, x[((i * c + k) * size[0] + h) * size[1] + v]);
    return y;
  }

  /// With weights as constants, or as an input of the same numbers.
  OnnxBuilder realModel(bool areConstants) const {
    OnnxBuilder model;
    std::vector<std::string> operands{model.input("x", Proto::FLOAT, shape(c, size))};
    operands.push_back(areConstants ? model.floats(weightShape(), realWeights())
                                    : model.input("w", Proto::FLOAT, weightShape()));
    if (hasBias) {
      std::vector<float> numbers;
      for (int64_t o = 0; o < m; ++o)
        numbers.push_back(float(bias[o]) * 0.25f * scale(o));
      operands.push_back(model.floats({m}, numbers));
    }
    model.output(model.node("ConvTranspose", operands, attributes()), Proto::FLOAT, shape(m, output));
    return model;
  }

  OnnxBuilder quantizedModel(float outputScale) const {
    OnnxBuilder model;
    std::vector<std::string> operands{
        model.dequantize(model.input("x", Proto::INT8, shape(c, size)), 0.25f, 3)};
    const auto count = static_cast<int64_t>(scales.size());
    const Shape perChannel = isPerChannel ? Shape{m} : Shape{};
    operands.push_back(
        model.node("DequantizeLinear",
                   {model.integers(Proto::INT8, weightShape(), std::vector<int64_t>(w.begin(), w.end())),
                    model.floats(perChannel, scales),
                    model.integers(Proto::INT8, perChannel, std::vector<int64_t>(count, weightZero))},
                   {{"axis", 1}}));
    if (hasBias) {
      std::vector<float> units;
      for (float scale : scales)
        units.push_back(0.25f * scale);
      operands.push_back(model.bias(bias, units));
    }
    const std::string y = model.node("ConvTranspose", operands, attributes(), "transposed");
    model.output(model.quantize(y, outputScale, -2), Proto::INT8, shape(m, output));
    return model;
  }

private:
  void add(std::vector<double> &y, int64_t i, int64_t k, int64_t h, int64_t v, double value) const {
    for (int64_t o = 0; o < m; ++o)
      for (int64_t a = 0; a < kernel[0]; ++a)
        for (int64_t b = 0; b < kernel[1]; ++b) {
          const int64_t row = h * stride[0] + a - begin[0], column = v * stride[1] + b - begin[1];
          if (row >= 0 && row < output[0] && column >= 0 && column < output[1])
            y[((i * m + o) * output[0] + row) * output[1] + column] +=
                value * weight(((k * m + o) * kernel[0] + a) * kernel[1] + b);
        }
  }
};

TEST(TransposedConvolutions, ByConstantsAreTheirDefinition) {
  std::mt19937 random(13);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    const Transposed form(random);
    std::vector<float> x;
    for (int8_t q : randomBytes(random, count(form.shape(form.c, form.size))))
      x.push_back(0.125f * q);
    const std::vector<double> expected = form.of({x.begin(), x.end()});
    for (bool areConstants : {true, false}) {
      std::vector<Bytes> inputs{bytesOf(x)};
      if (!areConstants)
        inputs.push_back(bytesOf(form.realWeights()));
      const std::vector<float> y = numbersOf<float>(runModel(form.realModel(areConstants), inputs).at(0));
      ASSERT_EQ(y.size(), expected.size());
      for (size_t i = 0; i < y.size(); ++i)
        ASSERT_NEAR(y[i], expected[i], 1e-4 * (1 + std::abs(expected[i]))) << areConstants << " " << i;
    }
  }
}

TEST(TransposedConvolutions, QuantizedOnesAreOnTheAccelerator) {
  std::mt19937 random(14);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    const Transposed form(random);
    const Bytes x = randomBytes(random, count(form.shape(form.c, form.size)));
    std::vector<double> real;
    for (int8_t q : x)
      real.push_back(0.25 * (q - 3));
    const std::vector<double> expected = form.of(real);
    double most = 1;
    for (double y : expected)
      most = std::max(most, std::abs(y));
    const auto scale = static_cast<float>(most / 100);
    const Outputs found = runModel(form.quantizedModel(scale), {x}, "accelerator");
    EXPECT_EQ(found, runModel(form.quantizedModel(scale), {x}, "cpu"));
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(int8_t(found.at(0)[i]), std::clamp(expected[i] / scale - 2, -128.0, 127.0), 0.51) << i;
  }
}

/// The products that are counted are those of the model where the kernel is as large as its strides.
TEST(TransposedConvolutions, TakeTheModelsProducts) {
  OnnxBuilder model;
  const std::string x = model.dequantize(model.input("x", Proto::INT8, {1, 16, 8, 8}), 0.25f, 0);
  const std::string w = model.weights({16, 24, 2, 2}, std::vector<int8_t>(16 * 24 * 4, 1), {0.5f}, 1);
  const std::string y = model.node("ConvTranspose", {x, w}, {{"strides", std::vector<int64_t>{2, 2}}}, "up");
  model.output(model.quantize(y, 1, 0), Proto::INT8, {1, 24, 16, 16});
  const Result<Compiled> compiled = compileBytes(model.bytes(), "accelerator");
  ASSERT_TRUE(compiled) << compiled.error();
  EXPECT_EQ(compiled->demand.macs, 16u * 24 * 4 * 64);
}

/// [N, C, H, W] to blocks of b by b, by their definition in ONNX.
std::vector<uint8_t> blocks(const Bytes &x, const Shape &shape, int64_t b, const std::string &mode) {
  const int64_t n = shape[0], c = shape[1], h = shape[2], w = shape[3];
  const bool isDepth = mode == "SpaceToDepth";
  const int64_t channels = isDepth ? c * b * b : c / (b * b), rows = isDepth ? h / b : h * b,
                columns = isDepth ? w / b : w * b;
  std::vector<uint8_t> y;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t m = 0; m < channels; ++m)
      for (int64_t r = 0; r < rows; ++r)
        for (int64_t s = 0; s < columns; ++s) {
          const int64_t place = (r % b) * b + s % b,
                        fromDepth = mode == "DCR" ? place * channels + m : m * b * b + place;
          const int64_t k = isDepth ? m % c : fromDepth, row = isDepth ? r * b + m / c / b : r / b,
                        column = isDepth ? s * b + m / c % b : s / b;
          y.push_back(x[((i * c + k) * h + row) * w + column]);
        }
  return y;
}

TEST(Blocks, OfQuantizedImagesAreOnTheAccelerator) {
  std::mt19937 random(15);
  for (const std::string mode : {"DCR", "CRD", "SpaceToDepth"})
    for (int64_t b : {1, 2, 3})
      for (int64_t channels : {1, 5, 16}) {
        SCOPED_TRACE(mode + " by " + std::to_string(b) + " of " + std::to_string(channels));
        const bool isDepth = mode == "SpaceToDepth";
        const Shape shape = isDepth ? Shape{2, channels, 2 * b, 3 * b} : Shape{2, channels * b * b, 2, 3},
                    result = isDepth ? Shape{2, channels * b * b, 2, 3} : Shape{2, channels, 2 * b, 3 * b};
        OnnxBuilder model;
        const std::string x = model.dequantize(model.input("x", Proto::INT8, shape), 0.25f, 3);
        std::vector<OnnxBuilder::Attribute> attributes{{"blocksize", b}};
        if (!isDepth)
          attributes.emplace_back("mode", mode.c_str());
        const std::string y = model.node(isDepth ? mode : "DepthToSpace", {x}, attributes);
        model.output(model.quantize(y, 0.25f, 3), Proto::INT8, result);
        const Bytes bytes = randomBytes(random, count(shape));
        EXPECT_EQ(runModel(model, {bytes}).at(0), blocks(bytes, shape, b, mode));
        EXPECT_EQ(runModel(model, {bytes}, mode == "CRD" ? "auto" : "accelerator").at(0),
                  blocks(bytes, shape, b, mode));
      }
}

/// Dimensions and an order that are nearly those of blocks.
TEST(Blocks, OtherOrdersMoveWhatTheySay) {
  std::mt19937 random(18);
  const std::vector<std::vector<int64_t>> shapes{{1, 8, 4, 4}, {1, 2, 2, 2, 4, 4}, {1, 8, 2, 2, 2, 2}};
  for (const Shape &split : {shapes[1], shapes[2]})
    for (const Shape &order : {Shape{0, 3, 4, 1, 5, 2}, Shape{0, 3, 5, 1, 2, 4}, Shape{0, 1, 4, 2, 5, 3}}) {
      const Bytes x = randomBytes(random, 128);
      Shape result;
      for (int64_t d : order)
        result.push_back(split[d]);
      const auto modelOf = [&](bool isQuantized) {
        OnnxBuilder model;
        std::string y = model.input("x", Proto::INT8, shapes[0]);
        if (isQuantized)
          y = model.dequantize(y, 0.25f, 3);
        y = model.node("Reshape", {y, model.integers(Proto::INT64, {6}, split)});
        y = model.node("Reshape", {model.node("Transpose", {y}, {{"perm", order}}),
                                   model.integers(Proto::INT64, {4}, {1, result[1] * result[2], 4, -1})});
        const Shape shape{1, result[1] * result[2], 4, 32 / (result[1] * result[2])};
        if (isQuantized)
          y = model.quantize(y, 0.25f, 3);
        model.output(y, Proto::INT8, shape);
        return model;
      };
      for (const char *target : {"auto", "cpu"})
        EXPECT_EQ(runModel(modelOf(true), {x}, target), runModel(modelOf(false), {x}))
            << order[1] << order[2];
    }
}

TEST(TransposedConvolutions, HugeStridesAreLeftToTheCpu) {
  OnnxBuilder model;
  const std::string x = model.input("x", Proto::FLOAT, {1, 1, 1, 1}), w = model.floats({1, 1, 1, 1}, {2});
  model.output(model.node("ConvTranspose", {x, w}, {{"strides", std::vector<int64_t>{1 << 24, 1 << 24}}}),
               Proto::FLOAT, {1, 1, 1, 1});
  EXPECT_EQ(numbersOf<float>(runModel(model, {bytesOf(std::vector<float>{3})}).at(0)), std::vector<float>{6});
}

/// Between two convolutions: nodes that compute nothing are no layers.
TEST(Views, ComputeNothing) {
  std::mt19937 random(16);
  const Shape image{1, 16, 4, 4};
  const Bytes bytes = randomBytes(random, 256);
  const auto modelOf = [&](const std::string &op) {
    OnnxBuilder model;
    const auto conv = [&](const std::string &x, const std::string &name) {
      std::mt19937 fixed(17);
      const Bytes w = randomBytes(fixed, 256);
      return model.node("Conv", {x, model.weights({16, 16, 1, 1}, {w.begin(), w.end()}, {0.01f}, 0)}, {},
                        name);
    };
    std::string x = model.dequantize(model.input("x", Proto::INT8, image), 0.25f, 3);
    x = model.dequantize(model.quantize(conv(x, "first"), 0.5f, 1), 0.5f, 1);
    if (op == "Cast")
      x = model.node(op, {x}, {{"to", Proto::FLOAT}}, "view");
    else if (op == "Unsqueeze")
      x = model.node("Squeeze", {model.node(op, {x, model.integers(Proto::INT64, {1}, {0})}, {}, "view"),
                                 model.integers(Proto::INT64, {1}, {0})});
    else if (!op.empty())
      x = model.node(op, {x}, {}, "view");
    x = model.dequantize(model.quantize(model.node("Relu", {x}), 0.5f, 1), 0.5f, 1);
    model.output(model.quantize(conv(x, "second"), 0.5f, 1), Proto::INT8, image);
    return model;
  };
  const Outputs expected = runModel(modelOf(""), {bytes});
  for (const char *op : {"Identity", "Dropout", "Cast", "Unsqueeze"}) {
    SCOPED_TRACE(op);
    EXPECT_EQ(runModel(modelOf(op), {bytes}, "auto"), expected);
    const Result<Compiled> compiled = compileBytes(modelOf(op).bytes(), "auto"),
                           plain = compileBytes(modelOf("").bytes(), "auto");
    ASSERT_TRUE(compiled) << compiled.error();
    EXPECT_EQ(compiled->package.layers.size(), plain->package.layers.size());
    EXPECT_EQ(accelerator::figuresOf(*compiled->states).expectedCycles,
              accelerator::figuresOf(*plain->states).expectedCycles);
  }
}

} // namespace
} // namespace daedalus::test
