// Products that are given to libraries: which become calls, with which arguments, and what a graph of calls,
// generated kernels and functions of the user's computes. The functions are the test's own, so no library is
// needed.

#include "onnx_builder.h"
#include "run_model.h"

#include "daedalus/Target/CPU/Settings.h"
#include "daedalus/package/libraries.h"
#include "daedalus/runtime/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using Shape = std::vector<int64_t>;
using runtime::TensorView;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<float> numbers(int64_t size, int64_t step = 7) {
  std::vector<float> values(size);
  for (int64_t i = 0; i < size; ++i)
    values[i] = float(i * step % 23 - 11) / 8;
  return values;
}

/// Of a call that was seen: its tensors and attributes.
struct Seen {
  std::vector<std::string> types;
  std::vector<int64_t> attributes;
};

template <class T> T *numbersIn(const TensorView &view) {
  return static_cast<T *>(view.data);
}

const int64_t *attributesOf(Span<const TensorView> in) {
  return numbersIn<const int64_t>(in[in.size() - 1]);
}

/// Of float32, in double precision, or of int8 to int32: In and Out.
template <class In, class Out> void multiply(Span<const TensorView> in, const TensorView &out) {
  const Shape &a = in[0].type->shape, &b = in[1].type->shape, &c = out.type->shape;
  const int64_t *attributes = attributesOf(in);
  const size_t rank = a.size();
  const int64_t batch = rank == 3 ? a[0] : 1, m = c[rank - 2], n = c[rank - 1],
                k = attributes[0] ? a[rank - 2] : a[rank - 1];
  ASSERT_EQ(k, attributes[1] ? b[rank - 1] : b[rank - 2]);
  for (int64_t i = 0; i < batch * m * n; ++i) {
    const int64_t matrix = i / (m * n), row = i / n % m, column = i % n;
    double sum = in.size() == 4 ? numbersIn<Out>(in[2])[column] : 0;
    for (int64_t d = 0; d < k; ++d)
      sum += double(numbersIn<In>(in[0])[matrix * m * k + (attributes[0] ? d * m + row : row * k + d)]) *
             numbersIn<In>(in[1])[matrix * k * n + (attributes[1] ? column * k + d : d * n + column)];
    numbersIn<Out>(out)[i] = Out(attributes[2] ? std::max(sum, 0.0) : sum);
  }
}

/// One element of a convolution: [N,H,W,C] by [groups,OC,KH,KW,C].
template <class In>
double sumAt(Span<const TensorView> in, int64_t image, int64_t row, int64_t column, int64_t output) {
  const Shape &x = in[0].type->shape, &w = in[1].type->shape;
  const int64_t *a = attributesOf(in);
  double sum = in.size() == 4 ? numbersIn<float>(in[2])[output] : 0;
  for (int64_t i = 0; i < w[2]; ++i)
    for (int64_t j = 0; j < w[3]; ++j)
      for (int64_t c = 0; c < w[4]; ++c) {
        const int64_t r = row * a[0] + i * a[6] - a[2], s = column * a[1] + j * a[7] - a[3];
        if (r >= 0 && r < x[1] && s >= 0 && s < x[2])
          sum += double(numbersIn<In>(
                     in[0])[((image * x[1] + r) * x[2] + s) * x[3] + output / w[1] * w[4] + c]) *
                 numbersIn<In>(in[1])[((output * w[2] + i) * w[3] + j) * w[4] + c];
      }
  return sum;
}

template <class In, class Out> void convolve(Span<const TensorView> in, const TensorView &out) {
  const Shape &y = out.type->shape;
  for (int64_t i = 0; i < y[0] * y[1] * y[2] * y[3]; ++i) {
    const double sum =
        sumAt<In>(in, i / (y[1] * y[2] * y[3]), i / (y[2] * y[3]) % y[1], i / y[3] % y[2], i % y[3]);
    numbersIn<Out>(out)[i] = Out(attributesOf(in)[8] ? std::max(sum, 0.0) : sum);
  }
}

class Own {
public:
  /// Runs the model's package with functions of the test's own; what they are called with is in `seen`.
  std::vector<std::vector<uint8_t>> run(const package::Package &package, const std::vector<Bytes> &inputs) {
    auto session = runtime::Session::create(package, {});
    EXPECT_TRUE(session) << session.error();
    for (const std::string &name : package.externals)
      EXPECT_TRUE((*session)->registerExternal(
          name, [this, name](auto in, auto out) { return call(name, in, out); }));
    std::vector<runtime::Tensor> tensors;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const package::Value &value = package.functions[0].inputs[i];
      tensors.push_back({value.name, value.type, {inputs[i].begin(), inputs[i].end()}});
    }
    auto result = (*session)->run("main", tensors);
    EXPECT_TRUE(result) << result.error();
    std::vector<std::vector<uint8_t>> outputs;
    for (const auto &output : result->outputs)
      outputs.push_back(output.data);
    return outputs;
  }

  std::map<std::string, Seen> seen; ///< the last call of each function

private:
  Result<void> call(const std::string &name, Span<const TensorView> in, Span<const TensorView> out) {
    Seen &now = seen[name] = {};
    for (const TensorView &view : in)
      now.types.push_back(toString(*view.type));
    const TensorView &last = in[in.size() - 1];
    if (last.type->dtype == package::DType::I64)
      now.attributes.assign(attributesOf(in), attributesOf(in) + last.type->shape[0]);
    if (name == "mine.matmul")
      multiply<float, float>(in, out[0]);
    else if (name == "mine.conv")
      convolve<float, float>(in, out[0]);
    else if (name == "mine.matmul_i8")
      multiply<int8_t, int32_t>(in, out[0]);
    else if (name == "mine.conv_i8")
      convolve<int8_t, int32_t>(in, out[0]);
    else
      for (uint64_t i = 0; i < elementCount(*out[0].type); ++i)
        numbersIn<float>(out[0])[i] = -numbersIn<float>(in[0])[i];
    return {};
  }
};

package::Package packageOf(const OnnxBuilder &model, const std::string &libraries) {
  Result<Compiled> compiled = compileBytes(model.bytes(), "cpu", {}, libraries);
  EXPECT_TRUE(compiled) << compiled.error();
  return compiled ? compiled->package : package::Package{};
}

/// Results of generated code and of calls, and the calls.
std::map<std::string, Seen> expectSame(const OnnxBuilder &model, const std::vector<Bytes> &inputs) {
  Own own, none;
  const package::Package package = packageOf(model, "mine:matmul+conv");
  const auto calls = own.run(package, inputs), generated = none.run(packageOf(model, ""), inputs);
  EXPECT_EQ(calls.size(), generated.size());
  for (size_t i = 0; i < calls.size(); ++i) {
    const std::vector<float> a = numbersOf<float>(calls[i]), b = numbersOf<float>(generated[i]);
    EXPECT_EQ(a.size(), b.size());
    for (size_t j = 0; j < a.size(); ++j)
      EXPECT_NEAR(a[j], b[j], 1e-4) << "output " << i << " at " << j;
  }
  return own.seen;
}

std::vector<std::string> stepsOf(const package::Package &package) {
  std::vector<std::string> names;
  for (const package::Step &step : package.functions[0].steps)
    names.push_back(step.kind == package::Step::Kind::CallExternal ? package.externals[step.index]
                                                                   : "kernel");
  return names;
}

TEST(CpuLibraries, MatMulWithBiasAndReluIsOneCall) {
  OnnxBuilder model;
  const std::string x = model.input("x", Proto::FLOAT, {5, 7});
  const std::string y = model.node(
      "Gemm", {x, model.floats({9, 7}, numbers(63)), model.floats({9}, numbers(9))}, {{"transB", 1}});
  model.output(model.node("Relu", {y}), Proto::FLOAT, {5, 9});
  const auto seen = expectSame(model, {bytesOf(numbers(35, 5))});
  EXPECT_THAT(seen.at("mine.matmul").types,
              ElementsAre("float32 [5,7]", "float32 [7,9]", "float32 [9]", "int64 [3]"));
  EXPECT_THAT(seen.at("mine.matmul").attributes, ElementsAre(0, 0, 1));
  const package::Package package = packageOf(model, "mine:matmul");
  EXPECT_THAT(stepsOf(package), ElementsAre("mine.matmul"));
  EXPECT_TRUE(package.objects.empty());
  EXPECT_EQ(package.layers[0].target, "cpu");
  EXPECT_THAT(package.layers[0].reason, HasSubstr("; calls mine.matmul"));
}

TEST(CpuLibraries, BatchesAndViews) {
  OnnxBuilder model;
  const std::string a = model.input("a", Proto::FLOAT, {2, 3, 4, 5}),
                    b = model.input("b", Proto::FLOAT, {2, 3, 5, 6});
  const std::string y = model.node("MatMul", {a, b});
  const std::string z = model.node("MatMul", {y, model.floats({6, 4}, numbers(24))});
  model.output(model.node("Add", {z, model.floats({4}, numbers(4))}), Proto::FLOAT, {2, 3, 4, 4});
  const auto seen = expectSame(model, {bytesOf(numbers(120)), bytesOf(numbers(180, 3))});
  EXPECT_THAT(seen.at("mine.matmul").types,
              ElementsAre("float32 [24,6]", "float32 [6,4]", "float32 [4]", "int64 [3]"));
  EXPECT_THAT(stepsOf(packageOf(model, "mine:matmul")), ElementsAre("mine.matmul", "mine.matmul"));
}

TEST(CpuLibraries, ConvolutionsWithWindowsGroupsAndWhatFollows) {
  OnnxBuilder model;
  const std::string x = model.input("x", Proto::FLOAT, {2, 4, 9, 10});
  std::string y = model.node(
      "Conv", {x, model.floats({6, 2, 3, 2}, numbers(72)), model.floats({6}, numbers(6))},
      {{"group", 2}, {"strides", Shape{2, 1}}, {"dilations", Shape{1, 2}}, {"pads", Shape{1, 0, 2, 1}}});
  model.output(model.node("Relu", {y}), Proto::FLOAT, {2, 6, 5, 9});
  const auto seen = expectSame(model, {bytesOf(numbers(720, 5))});
  EXPECT_THAT(seen.at("mine.conv").types,
              ElementsAre("float32 [2,9,10,4]", "float32 [2,3,3,2,2]", "float32 [6]", "int64 [9]"));
  EXPECT_THAT(seen.at("mine.conv").attributes, ElementsAre(2, 1, 1, 0, 2, 1, 1, 2, 1));
}

TEST(CpuLibraries, DepthwiseConvolutionBeforeAClip) {
  OnnxBuilder model;
  const std::string x = model.input("x", Proto::FLOAT, {1, 5, 6, 7});
  const std::string y = model.node("Conv", {x, model.floats({5, 1, 3, 3}, numbers(45))},
                                   {{"group", 5}, {"pads", Shape{1, 1, 1, 1}}});
  model.output(model.node("Clip", {y, model.floats({}, {-1}), model.floats({}, {1})}), Proto::FLOAT,
               {1, 5, 6, 7});
  const auto seen = expectSame(model, {bytesOf(numbers(210, 5))});
  EXPECT_THAT(seen.at("mine.conv").types,
              ElementsAre("float32 [1,6,7,5]", "float32 [5,1,3,3,1]", "int64 [9]"));
  EXPECT_THAT(stepsOf(packageOf(model, "mine:conv")), ElementsAre("kernel", "mine.conv", "kernel", "kernel"));
}

/// A library's call, generated kernels, and a function that the model names.
TEST(CpuLibraries, CallsKernelsAndTheUsersFunctionsInOneGraph) {
  OnnxBuilder model;
  const std::string x = model.input("x", Proto::FLOAT, {4, 6});
  std::string y = model.node("MatMul", {x, model.floats({6, 8}, numbers(48))});
  y = model.node("Softmax", {y}, {{"axis", -1}});
  y = model.node("negate", {y}, {}, "call", "daedalus.external");
  model.valueInfo(y, Proto::FLOAT, {4, 8});
  y = model.node("MatMul", {y, model.floats({8, 3}, numbers(24))});
  model.output(model.node("Tanh", {y}), Proto::FLOAT, {4, 3});
  const auto seen = expectSame(model, {bytesOf(numbers(24, 5))});
  EXPECT_EQ(seen.count("negate"), 1u);
  EXPECT_THAT(packageOf(model, "mine:matmul").externals, ElementsAre("mine.matmul", "negate"));
}

TEST(CpuLibraries, TheFirstThatComputesAPatternIsCalled) {
  OnnxBuilder model;
  const std::string x = model.input("x", Proto::FLOAT, {1, 2, 4, 4});
  const std::string y = model.node("Conv", {x, model.floats({3, 2, 1, 1}, numbers(6))});
  model.output(model.node("MatMul", {y, model.floats({4, 4}, numbers(16))}), Proto::FLOAT, {1, 3, 4, 4});
  EXPECT_THAT(packageOf(model, "openblas,onednn").externals, ElementsAre("onednn.conv", "openblas.matmul"));
  EXPECT_THAT(packageOf(model, "onednn:matmul,openblas").externals, ElementsAre("onednn.matmul"));
  const package::Package package = packageOf(model, "openblas,mine:conv");
  ASSERT_EQ(package::librariesOf(package).size(), 1u);
  EXPECT_EQ(package::librariesOf(package)[0]->title, "OpenBLAS");
}

/// A quantized network of `channels` channels, with weights of `weight` at most.
OnnxBuilder quantizedNet(int64_t channels, int weight) {
  OnnxBuilder model;
  std::string x = model.dequantize(model.input("x", Proto::INT8, {1, channels, 5, 5}), 0.5f, 3);
  const auto weights = [&](const Shape &shape) {
    std::vector<int8_t> values(count(shape));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = int8_t(weight - int(i * 5 % 7));
    return model.weights(shape, values, {0.25f}, 0);
  };
  x = model.node("Conv", {x, weights({channels, channels, 3, 3})}, {{"pads", Shape{1, 1, 1, 1}}});
  x = model.dequantize(model.quantize(model.node("Relu", {x}), 100.0f, -128), 100.0f, -128);
  x = model.node("Conv", {x, weights({channels, 1, 3, 3})}, {{"group", channels}, {"strides", Shape{2, 2}}});
  x = model.dequantize(model.quantize(x, 4000.0f, 0), 4000.0f, 0);
  x = model.node("Flatten", {x});
  x = model.node("MatMul", {x, weights({channels * 4, 6})});
  model.output(model.quantize(x, 90000.0f, 1), Proto::INT8, {1, 6});
  return model;
}

Bytes someBytes(int64_t size) {
  std::mt19937 random(5);
  return randomBytes(random, size);
}

TEST(CpuLibraries, SumsOfBytesAreTheSameBytes) {
  const OnnxBuilder model = quantizedNet(4, 127);
  Own own, none;
  const package::Package package = packageOf(model, "mine:conv_i8+matmul_i8");
  EXPECT_EQ(own.run(package, {someBytes(100)}), none.run(packageOf(model, ""), {someBytes(100)}));
  EXPECT_THAT(package.externals, ElementsAre("mine.conv_i8", "mine.matmul_i8"));
  EXPECT_THAT(own.seen.at("mine.conv_i8").types,
              ElementsAre("int8 [1,5,5,4]", "int8 [4,1,3,3,1]", "int64 [9]"));
  EXPECT_THAT(packageOf(model, "mine:matmul+conv").externals, IsEmpty());
}

/// Where its instructions do not saturate and float32 holds the sums.
TEST(CpuLibraries, OneDnnGetsTheBytesThatItAddsUpExactly) {
  const auto calls = [](const OnnxBuilder &model, const std::string &levels, const std::string &libraries) {
    CompileOptions options;
    options.target = "cpu";
    options.settings.of<cpu::Settings>().levels = levels;
    options.settings.of<cpu::Settings>().libraries = libraries;
    const std::string path = testing::TempDir() + "daedalus_libraries.onnx";
    std::ofstream(path, std::ios::binary) << model.bytes();
    const auto compiled = compileModel(path, options);
    std::remove(path.c_str());
    EXPECT_TRUE(compiled) << compiled.error();
    std::vector<std::string> names = stepsOf(compiled->package);
    names.erase(std::remove(names.begin(), names.end(), "kernel"), names.end());
    return names;
  };
  const std::string vnni = "x86-64-v4-vnni";
  EXPECT_THAT(calls(quantizedNet(4, 127), vnni, "onednn"),
              ElementsAre("onednn.conv_i8", "onednn.conv_i8", "onednn.matmul_i8"));
  EXPECT_THAT(calls(quantizedNet(4, 127), vnni + ",x86-64-v3", "onednn"), IsEmpty());
  // 64 channels of 9 weights of about 124: 255 * 64 * 9 * 124 is more than 2^24.
  const OnnxBuilder wide = quantizedNet(64, 127);
  EXPECT_THAT(calls(wide, vnni, "onednn"), ElementsAre("onednn.conv_i8", "onednn.matmul_i8"));
  EXPECT_THAT(calls(wide, vnni, "mine:conv_i8"), ElementsAre("mine.conv_i8", "mine.conv_i8"));
}

TEST(CpuLibraries, WhatNobodyKnowsIsRefused) {
  OnnxBuilder model;
  model.output(model.node("Relu", {model.input("x", Proto::FLOAT, {4})}), Proto::FLOAT, {4});
  const auto refusal = [&](const std::string &libraries) {
    const Result<Compiled> compiled = compileBytes(model.bytes(), "cpu", {}, libraries);
    return compiled ? "" : compiled.error();
  };
  const std::string expected =
      "; expected onednn or openblas, or functions of your own with the patterns that they "
      "compute, such as mine:matmul+conv";
  EXPECT_EQ(refusal("mkl"), "--cpu-library names 'mkl'" + expected);
  EXPECT_EQ(refusal("openblas,"), "--cpu-library names ''" + expected);
  EXPECT_EQ(refusal("my-own:conv"), "--cpu-library names 'my-own'" + expected);
  EXPECT_EQ(refusal("openblas:conv"), "--cpu-library gives 'conv' to openblas; expected matmul");
  EXPECT_EQ(refusal("mine:softmax"),
            "--cpu-library gives 'softmax' to mine; expected matmul or conv or matmul_i8 or conv_i8");
  EXPECT_EQ(refusal("mine:"),
            "--cpu-library gives '' to mine; expected matmul or conv or matmul_i8 or conv_i8");
}

TEST(CpuLibraries, BytesByNameNeedALevelThatAddsThemUpExactly) {
  CompileOptions options;
  options.target = "cpu";
  options.settings.of<cpu::Settings>().levels = "x86-64-v4-vnni,x86-64-v3";
  options.settings.of<cpu::Settings>().libraries = "onednn:conv_i8";
  const auto compiled = compileModel("nowhere.onnx", options);
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error(),
            "--cpu-library gives conv_i8 to onednn, whose sums of bytes are exact from level "
            "x86-64-v4-vnni on; expected --cpu x86-64-v4-vnni");
}

} // namespace
} // namespace daedalus::test
