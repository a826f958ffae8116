// What networks write of images in another form: rows [N,C,L], means over axes, normalizations of any rank,
// operands that are repeated. Each gives the bytes of the plain form, and all of it runs on the accelerator.
#include "onnx_builder.h"
#include "run_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using Shape = OnnxBuilder::Shape;
using Attributes = std::vector<OnnxBuilder::Attribute>;

/// A model of one input of int8, whose output is quantized.
class Model {
public:
  explicit Model(const Shape &shape, int64_t opset = 18) : onnx(opset), size(count(shape)) {
    x = onnx.dequantize(onnx.input("input", Proto::INT8, shape), 0.125f, 5);
  }

  std::string node(const std::string &op, const std::vector<std::string> &inputs,
                   const Attributes &attributes = {}) {
    return onnx.node(op, inputs, attributes);
  }
  /// Through a quantization and back.
  std::string through(const std::string &value) {
    return onnx.dequantize(onnx.quantize(value, 0.25f, -3), 0.25f, -3);
  }
  std::string weights(const Shape &shape, int64_t axis = 0) {
    std::vector<int8_t> values;
    for (int64_t i = 0; i < count(shape); ++i)
      values.push_back(static_cast<int8_t>(i * 37 % 91 - 45));
    std::vector<float> scales;
    for (int64_t c = 0; c < shape[axis]; ++c)
      scales.push_back(0.01f * static_cast<float>(c + 1));
    return onnx.weights(shape, values, scales, axis);
  }
  std::string numbers(const std::vector<int64_t> &values) {
    return onnx.integers(Proto::INT64, {static_cast<int64_t>(values.size())}, values);
  }
  void output(const std::string &value, const Shape &shape) {
    onnx.output(onnx.quantize(value, 0.25f, -3), Proto::INT8, shape);
  }

  std::vector<uint8_t> run(const std::string &target) const {
    std::mt19937 random(11);
    return runModel(onnx, {randomBytes(random, size)}, target)[0];
  }

  OnnxBuilder onnx;
  std::string x;

private:
  int64_t size;
};

/// That they give the same bytes, and the first one all on the accelerator.
void expectSame(const Model &model, const Model &plain) {
  const std::vector<uint8_t> expected = plain.run("cpu");
  EXPECT_THAT(expected, ::testing::Not(::testing::Each(expected[0])));
  EXPECT_EQ(model.run("cpu"), expected);
  EXPECT_EQ(model.run("accelerator"), expected);
}

/// Convolutions, a clamp, pools and a residual over [N,C,L], or over an image of height 1.
Model rows(bool isImage, bool isQuantizedBetween) {
  const auto shape = [&](int64_t n, int64_t c, int64_t l) {
    return isImage ? Shape{n, c, 1, l} : Shape{n, c, l};
  };
  const auto window = [&](int64_t kernel, int64_t stride, int64_t begin, int64_t end) {
    using List = std::vector<int64_t>;
    return isImage ? Attributes{{"kernel_shape", List{1, kernel}},
                                {"strides", List{1, stride}},
                                {"pads", List{0, begin, 0, end}}}
                   : Attributes{{"kernel_shape", List{kernel}},
                                {"strides", List{stride}},
                                {"pads", List{begin, end}}};
  };
  Model model(shape(2, 3, 20));
  const auto between = [&](const std::string &value) {
    return isQuantizedBetween ? model.through(value) : value;
  };
  std::string y = model.node("Conv", {model.x, model.weights(shape(18, 3, 5))}, window(5, 1, 2, 2));
  const std::string residual = y = model.through(model.node("Relu", {between(y)}));
  Attributes grouped = window(3, 1, 0, 2);
  grouped.push_back({"group", 18});
  y = model.through(model.node("Conv", {y, model.weights(shape(18, 1, 3))}, grouped));
  y = model.through(model.node("Add", {y, residual}));
  y = model.through(model.node("Concat", {y, residual}, {{"axis", 1}}));
  y = model.through(model.node("MaxPool", {y}, window(3, 2, 1, 0)));
  y = model.node("AveragePool", {y}, window(2, 1, 0, 0));
  model.output(y, shape(2, 36, 9));
  return model;
}

TEST(ImageForms, RowsAreImagesOfHeightOne) {
  for (bool isQuantizedBetween : {false, true})
    expectSame(rows(false, isQuantizedBetween), rows(true, isQuantizedBetween));
}

TEST(ImageForms, AMeanOverAllPositionsIsAPool) {
  const auto head = [](Model &model, const std::string &mean, bool flat) {
    const std::string y = model.through(mean);
    const std::string rows = flat ? y : model.node("Flatten", {y});
    model.output(model.node("Gemm", {rows, model.weights({7, 20})}, {{"transB", 1}}), {2, 7});
  };
  const Shape image{2, 20, 5, 6};
  Model plain(image);
  head(plain, plain.node("GlobalAveragePool", {plain.x}), false);
  for (const std::vector<int64_t> &axes : {std::vector<int64_t>{2, 3}, {-1, -2}, {3, -2}})
    for (bool keeps : {true, false})
      for (int64_t opset : {13, 18}) {
        Model model(image, opset);
        const Attributes keep{{"keepdims", int64_t(keeps)}};
        Attributes both = keep;
        both.push_back({"axes", axes});
        head(model,
             opset < 18 ? model.node("ReduceMean", {model.x}, both)
                        : model.node("ReduceMean", {model.x, model.numbers(axes)}, keep),
             !keeps);
        SCOPED_TRACE(::testing::Message() << axes[0] << " " << keeps << " " << opset);
        expectSame(model, plain);
      }
  Model ofRow({2, 20, 30});
  head(ofRow, ofRow.node("GlobalAveragePool", {ofRow.x}), false);
  expectSame(ofRow, plain);
}

TEST(ImageForms, AMeanOverOtherAxesIsTheCpus) {
  Model model({2, 4, 5, 6});
  model.output(model.node("ReduceMean", {model.x, model.numbers({1, 2})}), {2, 1, 1, 6});
  EXPECT_FALSE(compileBytes(model.onnx.bytes(), "accelerator"));
  EXPECT_EQ(model.run("auto"), model.run("cpu"));
}

/// Of a matrix, of rows and of an image, behind a product and not.
Model normalized(Shape shape, bool isImage, bool isBehindProduct) {
  const int64_t channels = shape[1];
  while (isImage && shape.size() < 4)
    shape.insert(shape.begin() + 2, 1);
  Model model(shape);
  std::string y = model.x;
  Shape kernel{channels, channels};
  kernel.resize(shape.size(), 1);
  if (isBehindProduct)
    y = model.node(shape.size() == 2 ? "MatMul" : "Conv", {y, model.weights(kernel, shape.size() == 2)});
  std::vector<float> scale, bias, mean, variance;
  for (int64_t c = 0; c < channels; ++c) {
    const auto at = static_cast<float>(c);
    scale.push_back(c % 3 ? 0.5f + at / 8 : -0.75f), bias.push_back(at / 16), mean.push_back(1 - at / 4),
        variance.push_back(1 + at);
  }
  const auto parameter = [&](const std::vector<float> &values) {
    return model.onnx.floats({channels}, values);
  };
  y = model.node("BatchNormalization",
                 {y, parameter(scale), parameter(bias), parameter(mean), parameter(variance)});
  model.output(model.node("Relu", {y}), shape);
  return model;
}

TEST(ImageForms, ANormalizationMayHaveAnyRank) {
  for (const Shape &shape : {Shape{6, 5}, Shape{2, 5, 9}, Shape{2, 5, 3, 4, 2}}) {
    SCOPED_TRACE(shape.size());
    Model model = normalized(shape, false, false);
    const std::vector<uint8_t> bytes = model.run("cpu");
    EXPECT_EQ(model.run("accelerator"), bytes);
    if (shape.size() < 4) {
      EXPECT_EQ(normalized(shape, true, false).run("cpu"), bytes);
    }
  }
  expectSame(normalized({2, 5, 9}, false, true), normalized({2, 5, 9}, true, true));
  EXPECT_EQ(normalized({6, 5}, false, true).run("accelerator"), normalized({6, 5}, false, true).run("cpu"));
}

/// An operand that is repeated over all positions, or over channels, beside one that is not.
TEST(ImageForms, OperandsMayBeRepeated) {
  for (const char *op : {"Mul", "Add", "Sub"})
    for (const Shape &pool : {Shape{6, 7}, Shape{1, 7}, Shape{6, 1}})
      for (bool isFirst : {false, true}) {
        SCOPED_TRACE(::testing::Message() << op << pool[0] << pool[1] << isFirst);
        Model model({2, 21, 6, 7});
        const std::string few = model.through(model.node("MaxPool", {model.x}, {{"kernel_shape", pool}}));
        const std::string x =
            model.through(model.node("Conv", {model.x, model.weights({21, 1, 1, 1})}, {{"group", 21}}));
        model.output(isFirst ? model.node(op, {few, x}) : model.node(op, {x, few}), {2, 21, 6, 7});
        EXPECT_EQ(model.run("accelerator"), model.run("cpu"));
      }
}

/// Behind a convolution, a product of each channel with a number: as windows of 1 x 1, or with zeros around.
Model scaledChannels(int64_t window) {
  constexpr int64_t channels = 21;
  Model model({2, 8, 6, 7});
  const std::string x = model.through(model.node("Conv", {model.x, model.weights({channels, 8, 1, 1})}));
  std::vector<int8_t> values(channels * window * window, 0);
  std::vector<float> scales;
  for (int64_t c = 0; c < channels; ++c) {
    values[c * window * window + window * window / 2] = static_cast<int8_t>(c * 37 % 91 - 45);
    scales.push_back(0.01f * static_cast<float>(c + 1));
  }
  const std::string factors = model.onnx.weights({channels, 1, window, window}, values, scales, 0);
  model.output(
      model.node("Conv", {x, factors}, {{"group", channels}, {"pads", std::vector<int64_t>(4, window / 2)}}),
      {2, channels, 6, 7});
  return model;
}

TEST(ImageForms, ANumberAChannelIsNoProduct) {
  const Model model = scaledChannels(1);
  expectSame(model, scaledChannels(3));
  const Result<Compiled> compiled = compileBytes(model.onnx.bytes(), "accelerator");
  ASSERT_TRUE(compiled) << compiled.error();
  uint64_t products = 0;
  for (const package::Layer &layer : compiled->package.layers)
    products += layer.macs;
  EXPECT_EQ(products, 2u * 6 * 7 * 8 * 21); // those of the convolution
}

/// The layers of a model on the CPU, and why.
std::vector<std::string> onCpu(const Model &model) {
  std::vector<std::string> reasons;
  const Result<Compiled> compiled = compileBytes(model.onnx.bytes(), "auto");
  EXPECT_TRUE(compiled) << compiled.error();
  if (compiled)
    for (const package::Layer &layer : compiled->package.layers)
      if (layer.target == "cpu")
        reasons.push_back(layer.reason);
  return reasons;
}

const std::string layout = "changes the layout between NCHW and NHWC";

/// In order an image is permuted where it comes in and where it goes out; between, a slice is the
/// accelerator's.
TEST(ImageForms, PartsOfAnImageStayWhereTheyLie) {
  for (int64_t axis : {1, 2, 3}) {
    SCOPED_TRACE(axis);
    Model model({1, 12, 9, 10});
    Shape half{1, 12, 9, 10};
    const std::string x =
        model.through(model.node("Conv", {model.x, model.weights({12, 1, 1, 1})}, {{"group", 12}}));
    const std::string part =
        model.node("Slice", {x, model.numbers({2}), model.numbers({-3}), model.numbers({axis})});
    half[axis] -= 5;
    model.output(
        model.node("Conv", {model.through(part), model.weights({half[1], 1, 1, 1})}, {{"group", half[1]}}),
        half);
    EXPECT_EQ(model.run("accelerator"), model.run("cpu"));
    EXPECT_THAT(onCpu(model), ::testing::ElementsAre(layout, layout));
  }
}

/// As ShuffleNet has them: the shuffle alone moves single bytes, on the CPU.
TEST(ImageForms, ChannelsAreShuffledWhereTheyLie) {
  Model model({1, 12, 5, 6});
  std::string x = model.through(model.node("Conv", {model.x, model.weights({12, 1, 1, 1})}, {{"group", 12}}));
  x = model.node("Reshape", {x, model.numbers({1, 2, 6, 5, 6})});
  x = model.node("Transpose", {x}, {{"perm", std::vector<int64_t>{0, 2, 1, 3, 4}}});
  x = model.node("Reshape", {x, model.numbers({1, 12, 5, 6})});
  const std::string first =
                        model.node("Slice", {x, model.numbers({0}), model.numbers({6}), model.numbers({1})}),
                    second =
                        model.node("Slice", {x, model.numbers({6}), model.numbers({12}), model.numbers({1})});
  const std::string branch =
      model.through(model.node("Conv", {second, model.weights({6, 1, 3, 3})},
                               {{"group", 6}, {"pads", std::vector<int64_t>{1, 1, 1, 1}}}));
  model.output(model.node("Concat", {first, branch}, {{"axis", 1}}), {1, 12, 5, 6});
  EXPECT_EQ(model.run("auto"), model.run("cpu"));
  EXPECT_THAT(onCpu(model), ::testing::ElementsAre(layout, "moves elements", layout));
}

/// Images that come with channels last, and rows of tokens, are views.
TEST(ImageForms, ATranspositionThatMovesNothingIsAView) {
  Model model({1, 6, 7, 12});
  std::string x = model.node("Transpose", {model.x}, {{"perm", std::vector<int64_t>{0, 3, 1, 2}}});
  x = model.through(model.node("Conv", {x, model.weights({16, 12, 3, 3})}));
  x = model.node("Reshape", {x, model.numbers({1, 16, 20})});
  x = model.node("Transpose", {x}, {{"perm", std::vector<int64_t>{0, 2, 1}}});
  x = model.through(model.node("MatMul", {x, model.weights({16, 16}, 1)}));
  x = model.node("Transpose", {x}, {{"perm", std::vector<int64_t>{0, 2, 1}}});
  x = model.node("Reshape", {x, model.numbers({1, 16, 4, 5})});
  x = model.through(model.node("Conv", {x, model.weights({16, 1, 3, 3})}, {{"group", 16}}));
  model.output(model.node("Transpose", {x}, {{"perm", std::vector<int64_t>{0, 2, 3, 1}}}), {1, 2, 3, 16});
  EXPECT_EQ(model.run("accelerator"), model.run("cpu"));
  EXPECT_THAT(onCpu(model), ::testing::IsEmpty());
}

/// A quantizer may write a quantization for each reader.
TEST(ImageForms, AProductIsComputedOnce) {
  const auto residual = [](bool isTwice) {
    Model model({1, 8, 5, 6});
    const std::string y = model.node("Conv", {model.x, model.weights({8, 8, 1, 1})});
    const std::string one = model.through(y), other = isTwice ? model.through(y) : one;
    const std::string z = model.through(model.node("Conv", {one, model.weights({8, 8, 1, 1})}));
    model.output(model.node("Add", {z, other}), {1, 8, 5, 6});
    return model;
  };
  const auto once = compileBytes(residual(false).onnx.bytes(), "auto"),
             twice = compileBytes(residual(true).onnx.bytes(), "auto");
  ASSERT_TRUE(once && twice);
  EXPECT_EQ(twice->package.layers.size(), once->package.layers.size());
  expectSame(residual(true), residual(false));
}

} // namespace
} // namespace daedalus::test
