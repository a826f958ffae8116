// Convolutions that a library computes give what generated code gives: of whole numbers, whose sums are
// exact, the same bytes, with all that stands before and behind them.
#include "cuda_kernel.h"
#include "library_calls.h"
#include "onnx_builder.h"

#include <gtest/gtest.h>

#include <random>

namespace daedalus::test {
namespace {

using Shape = std::vector<int64_t>;

/// A model, and bytes for its inputs.
struct Model {
  std::string bytes;
  std::vector<std::vector<uint8_t>> inputs;
  bool isCalled = false; ///< whether cuDNN is to compute it
};

/// Windows that fit, with pads of any kind.
struct Windows {
  Shape kernel, strides, pads, dilations, image;

  explicit Windows(std::mt19937 &random) {
    const auto draw = [&](int64_t most) { return int64_t(1 + random() % most); };
    Shape before, behind;
    const bool isPadded = random() % 3, isSymmetric = random() % 3;
    for (int i = 0; i < 2; ++i) {
      kernel.push_back(draw(3)), strides.push_back(draw(2)), dilations.push_back(draw(2));
      const int64_t span = dilations[i] * (kernel[i] - 1) + 1;
      before.push_back(isPadded ? int64_t(random() % span) : 0);
      behind.push_back(isSymmetric ? before[i] : isPadded ? int64_t(random() % span) : 0);
      image.push_back(span + draw(5));
    }
    pads = {before[0], before[1], behind[0], behind[1]};
  }

  int64_t results(int i, int64_t behind) const {
    return (image[i] + pads[i] + behind - dilations[i] * (kernel[i] - 1) - 1) / strides[i] + 1;
  }
  int64_t results(int i) const { return results(i, pads[i + 2]); }
  /// Whether there are as many windows with as much behind as in front.
  bool areSymmetric() const { return results(0) == results(0, pads[0]) && results(1) == results(1, pads[1]); }
};

/// A convolution of ONNX's, perhaps in groups, with a bias and a Relu behind.
Model randomConvolution(std::mt19937 &random) {
  const auto draw = [&](int64_t most) { return int64_t(1 + random() % most); };
  const int32_t type = random() % 2 ? f32 : f16;
  const Windows windows(random);
  const int64_t groups = random() % 4 ? 1 : 2, images = draw(2), channels = 1 + draw(4),
                results = 1 + draw(4);
  const Shape x{images, groups * channels, windows.image[0], windows.image[1]},
      w{groups * results, channels, windows.kernel[0], windows.kernel[1]};
  const bool hasBias = random() % 2, hasRelu = random() % 2;
  OnnxBuilder model;
  Model made;
  const auto input = [&](const std::string &name, const Shape &shape) {
    made.inputs.push_back(wholeNumbers(shape, type, random));
    return model.input(name, type, shape);
  };
  std::vector<std::string> operands = {input("x", x), input("w", w)};
  if (hasBias)
    operands.push_back(input("b", {groups * results}));
  std::string result = model.node("Conv", operands,
                                  {{"strides", windows.strides},
                                   {"pads", windows.pads},
                                   {"dilations", windows.dilations},
                                   {"group", groups}});
  if (hasRelu)
    result = model.node("Relu", {result});
  model.output(result, type, {images, groups * results, windows.results(0), windows.results(1)});
  made.bytes = model.bytes();
  made.isCalled = groups == 1 && windows.areSymmetric() && !(type == f16 && hasBias);
  return made;
}

TEST(CudaConvolutionLibraries, GiveWhatGeneratedCodeGives) {
  std::mt19937 random(11);
  size_t calls = 0;
  for (int number = 0; number < 80; ++number) {
    const Model model = randomConvolution(random);
    const std::vector<EmulatedRun> runs = runsWith({"", "cudnn", "cublas,cudnn"}, model.bytes, model.inputs);
    ASSERT_EQ(runs.size(), 3U) << number;
    EXPECT_EQ(callsOf(runs[0]), 0U) << number;
    EXPECT_EQ(callsOf(runs[1]), model.isCalled ? 1U : 0U) << number;
    EXPECT_GE(callsOf(runs[2]), callsOf(runs[1])) << number;
    EXPECT_EQ(runs[0].outputs, runs[1].outputs) << number;
    EXPECT_EQ(runs[0].outputs, runs[2].outputs) << number;
    calls += callsOf(runs[1]);
  }
  EXPECT_GE(calls, 30U);
}

/// Of images and filters whose channels are last, of what begins with 0 or is there already.
TEST(CudaConvolutionLibraries, TakeChannelsLast) {
  std::mt19937 random(5);
  const std::vector<std::vector<uint8_t>> inputs = {wholeNumbers({2, 6, 5, 3}, f32, random),
                                                    wholeNumbers({4, 3, 2, 3}, f32, random),
                                                    wholeNumbers({2, 3, 5, 4}, f32, random)};
  for (const std::string begin : {"%c", "%zeros"}) {
    const std::string text =
        "func.func @main(%x: tensor<2x6x5x3xf32>, %w: tensor<4x3x2x3xf32>, %c: tensor<2x3x5x4xf32>) -> "
        "tensor<2x3x5x4xf32> {\n"
        "  %zero = arith.constant 0.0 : f32\n  %e = tensor.empty() : tensor<2x3x5x4xf32>\n"
        "  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32>\n"
        "  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {\n"
        "  ^bb0(%i: index, %j: index, %k: index, %l: index):\n    tensor.yield %zero : f32\n"
        "  } : tensor<2x6x5x3xf32> to tensor<2x8x7x3xf32>\n"
        "  %y = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> "
        ": "
        "tensor<2xi64>} ins(%padded, %w : tensor<2x8x7x3xf32>, tensor<4x3x2x3xf32>) outs(" +
        begin + " : tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32>\n  return %y : tensor<2x3x5x4xf32>\n}\n";
    std::vector<EmulatedRun> runs;
    for (const char *libraries : {"", "cudnn"}) {
      Result<EmulatedKernel> kernel = EmulatedKernel::ofText(text, libraries);
      ASSERT_TRUE(kernel) << kernel.error();
      Result<EmulatedRun> run = kernel->run(inputs);
      ASSERT_TRUE(run) << begin << ": " << run.error();
      runs.push_back(std::move(*run));
    }
    EXPECT_EQ(callsOf(runs[1]), 1U) << begin;
    EXPECT_EQ(runs[0].outputs, runs[1].outputs) << begin;
  }
}

/// The first library in the list that computes it has a convolution of one pixel.
TEST(CudaConvolutionLibraries, AreGivenInTheOrderOfTheList) {
  std::mt19937 random(1);
  OnnxBuilder model;
  model.output(model.node("Conv", {model.input("x", f32, {1, 4, 3, 3}), model.input("w", f32, {5, 4, 1, 1})}),
               f32, {1, 5, 3, 3});
  const std::vector<std::vector<uint8_t>> inputs = {wholeNumbers({1, 4, 3, 3}, f32, random),
                                                    wholeNumbers({5, 4, 1, 1}, f32, random)};
  for (auto [libraries, function] :
       {std::pair("cudnn,cublas", "cudnn.conv"), std::pair("cublas,cudnn", "cublas.matmul"),
        std::pair("cudnn:conv", "cudnn.conv")}) {
    Result<EmulatedKernel> kernel = EmulatedKernel::ofModel(model.bytes(), "", {"sm_80", libraries});
    ASSERT_TRUE(kernel) << kernel.error();
    const Result<EmulatedRun> run = kernel->run(inputs);
    ASSERT_TRUE(run) << run.error();
    ASSERT_EQ(run->launches.size(), 1U) << libraries;
    EXPECT_EQ(run->launches[0].launch.function, function) << libraries;
  }
}

} // namespace
} // namespace daedalus::test
