// Floats of 16 bits: conversions of every value against LLVM's APFloat, and operators against the same ones
// of float32, rounded at the end.
#include "run_model.h"

#include "daedalus/support/float16.h"

#include "llvm/ADT/APFloat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using Shape = OnnxBuilder::Shape;
using Attributes = std::vector<OnnxBuilder::Attribute>;

struct Half {
  const char *name;
  int32_t dtype;
  float (*widen)(uint16_t);
  uint16_t (*narrow)(float);

  const llvm::fltSemantics &semantics() const {
    return dtype == Proto::FLOAT16 ? llvm::APFloat::IEEEhalf() : llvm::APFloat::BFloat();
  }
  float widened(uint16_t bits) const {
    return float(llvm::APFloat(semantics(), llvm::APInt(16, bits)).convertToDouble());
  }
  /// Of any float, rounded once.
  template <class T> uint16_t narrowed(T value) const {
    llvm::APFloat wide(value);
    bool loses = false;
    wide.convert(semantics(), llvm::APFloat::rmNearestTiesToEven, &loses);
    return uint16_t(wide.bitcastToAPInt().getZExtValue());
  }
  std::vector<float> widened(const std::vector<uint16_t> &all) const {
    std::vector<float> result;
    for (uint16_t bits : all)
      result.push_back(widened(bits));
    return result;
  }
  std::vector<uint16_t> narrowed(const std::vector<float> &all) const {
    std::vector<uint16_t> result;
    for (float value : all)
      result.push_back(narrowed(value));
    return result;
  }
  bool isNan(uint16_t bits) const { return std::isnan(widened(bits)); }
};

const Half halves[] = {{"float16", Proto::FLOAT16, floatOfFloat16, float16Of},
                       {"bfloat16", Proto::BFLOAT16, floatOfBfloat16, bfloat16Of}};

class Halves : public testing::TestWithParam<Half> {
protected:
  const Half &half = GetParam();
};

std::vector<uint16_t> everyValue() {
  std::vector<uint16_t> all(65536);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = uint16_t(i);
  return all;
}

/// One input through a Cast.
template <class To, class From>
std::vector<To> cast(int32_t from, int32_t to, const std::vector<From> &values) {
  OnnxBuilder model(17);
  const Shape shape = {int64_t(values.size())};
  model.output(model.node("Cast", {model.input("x", from, shape)}, {{"to", int64_t(to)}}), to, shape);
  return numbersOf<To>(runModel(model, {bytesOf(values)})[0]);
}

TEST_P(Halves, EveryValueWidens) {
  const std::vector<uint16_t> all = everyValue();
  const std::vector<float> found = cast<float>(half.dtype, Proto::FLOAT, all);
  const std::vector<double> doubles = cast<double>(half.dtype, Proto::DOUBLE, all);
  ASSERT_EQ(found.size(), all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    const float expected = half.widened(all[i]);
    ASSERT_EQ(std::isnan(found[i]), std::isnan(expected)) << i;
    ASSERT_EQ(std::isnan(half.widen(all[i])), std::isnan(expected)) << i;
    if (std::isnan(expected))
      continue;
    ASSERT_EQ(bitsOf(found[i]), bitsOf(expected)) << i;
    ASSERT_EQ(bitsOf(half.widen(all[i])), bitsOf(expected)) << i;
    ASSERT_EQ(doubles[i], double(expected)) << i;
  }
}

/// Every value, the middles between neighbours and what lies beside them, the largest and smallest floats,
/// infinities, NaNs, and any bits.
std::vector<float> hardFloats(const Half &half) {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> all = {infinity,
                            -infinity,
                            std::numeric_limits<float>::quiet_NaN(),
                            floatOfBits(0x7f800001),
                            floatOfBits(0xffffffff),
                            std::numeric_limits<float>::max(),
                            0,
                            -0.0f,
                            std::numeric_limits<float>::denorm_min(),
                            std::numeric_limits<float>::min()};
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const float value = half.widened(uint16_t(bits)), next = half.widened(uint16_t(bits + 1));
    all.push_back(value);
    double middle = (double(value) + next) / 2;
    if (std::isinf(next) && std::isfinite(value)) // where infinity begins
      middle = value + (value - double(half.widened(uint16_t(bits - 1)))) / 2;
    for (float near :
         {std::nextafterf(float(middle), -infinity), float(middle), std::nextafterf(float(middle), infinity)})
      all.push_back(near);
  }
  std::mt19937 random(16);
  for (int i = 0; i < 100000; ++i)
    all.push_back(floatOfBits(random()));
  return all;
}

TEST_P(Halves, NarrowToNearestEven) {
  const std::vector<float> all = hardFloats(half);
  const std::vector<uint16_t> found = cast<uint16_t>(Proto::FLOAT, half.dtype, all);
  ASSERT_EQ(found.size(), all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    const uint16_t expected = half.narrowed(all[i]);
    ASSERT_EQ(half.isNan(found[i]), std::isnan(all[i])) << all[i];
    ASSERT_EQ(half.isNan(half.narrow(all[i])), std::isnan(all[i])) << all[i];
    if (std::isnan(all[i]))
      continue;
    ASSERT_EQ(found[i], expected) << all[i];
    ASSERT_EQ(half.narrow(all[i]), expected) << all[i];
  }
}

/// Through float32 a double beside a middle would become the middle, and then the even neighbour.
TEST_P(Halves, NarrowDoublesAndIntegersOnce) {
  std::vector<double> doubles;
  for (float value : hardFloats(half))
    for (double beside : {-0x1p-40, 0.0, 0x1p-40})
      doubles.push_back(double(value) * (1 + beside));
  doubles.insert(doubles.end(), {1e300, -1e300, 1e-300, -1e-300});
  const std::vector<uint16_t> found = cast<uint16_t>(Proto::DOUBLE, half.dtype, doubles);
  for (size_t i = 0; i < doubles.size(); ++i) {
    if (std::isnan(doubles[i]))
      ASSERT_TRUE(half.isNan(found[i])) << i;
    else
      ASSERT_EQ(found[i], half.narrowed(doubles[i])) << doubles[i];
  }
  std::vector<int32_t> integers;
  std::mt19937 random(17);
  for (int i = 0; i < 10000; ++i)
    integers.push_back(int32_t(random()) >> (i % 32));
  const std::vector<uint16_t> ofIntegers = cast<uint16_t>(Proto::INT32, half.dtype, integers);
  for (size_t i = 0; i < integers.size(); ++i)
    ASSERT_EQ(ofIntegers[i], half.narrowed(double(integers[i]))) << integers[i];
}

TEST_P(Halves, BecomeIntegersAndTruths) {
  const std::vector<uint16_t> all = everyValue();
  const std::vector<int32_t> integers = cast<int32_t>(half.dtype, Proto::INT32, all);
  const std::vector<uint8_t> truths = cast<uint8_t>(half.dtype, Proto::BOOL, all);
  for (size_t i = 0; i < all.size(); ++i) {
    const float value = half.widened(all[i]);
    ASSERT_EQ(truths[i], value != 0) << value;
    if (std::abs(value) < 2e9f) {
      ASSERT_EQ(integers[i], int32_t(value)) << value;
    }
  }
}

struct Input {
  Shape shape;
  bool isConstant = false;
};

struct Case {
  std::string type;
  std::vector<Input> inputs;
  Shape output;
  Attributes attributes = {};
};

/// A tensor of bits, as an initializer.
std::string constant(OnnxBuilder &model, int32_t dtype, const Shape &shape,
                     const std::vector<uint16_t> &bits) {
  auto *tensor = model.proto().mutable_graph()->add_initializer();
  tensor->set_name("constant" + std::to_string(model.proto().graph().initializer_size()));
  tensor->set_data_type(dtype);
  for (int64_t size : shape)
    tensor->add_dims(size);
  tensor->set_raw_data(bits.data(), bits.size() * 2);
  return tensor->name();
}

/// The node on these numbers, of float32 or of 16 bits.
std::vector<uint8_t> run(const Case &of, int32_t dtype, const std::vector<std::vector<uint16_t>> &bits,
                         const Half &half) {
  const bool isWide = dtype == Proto::FLOAT;
  OnnxBuilder model(28);
  std::vector<std::string> names;
  std::vector<Bytes> data;
  for (size_t i = 0; i < of.inputs.size(); ++i) {
    const Shape &shape = of.inputs[i].shape;
    if (of.inputs[i].isConstant) {
      names.push_back(isWide ? model.floats(shape, half.widened(bits[i]))
                             : constant(model, dtype, shape, bits[i]));
      continue;
    }
    names.push_back(model.input("x" + std::to_string(i), dtype, shape));
    data.push_back(isWide ? bytesOf(half.widened(bits[i])) : bytesOf(bits[i]));
  }
  model.output(model.node(of.type, names, of.attributes, "node"), dtype, of.output);
  return runModel(model, data)[0];
}

const std::vector<Case> &cases() {
  static const std::vector<Case> all = {
      {"Add", {{{3, 4}}, {{4}}}, {3, 4}},
      {"Mul", {{{3, 4}}, {{3, 1}, true}}, {3, 4}},
      {"Div", {{{3, 4}}, {{3, 4}}}, {3, 4}},
      {"Max", {{{5}}, {{5}}, {{5}, true}}, {5}},
      {"Sqrt", {{{40}}}, {40}},
      {"Relu", {{{40}}}, {40}},
      {"Tanh", {{{40}}}, {40}},
      {"Sigmoid", {{{40}}}, {40}},
      {"Clip", {{{40}}, {{}, true}}, {40}},
      {"MatMul", {{{5, 7}}, {{7, 3}}}, {5, 3}},
      {"MatMul", {{{2, 5, 7}}, {{7, 3}, true}}, {2, 5, 3}},
      {"Gemm", {{{5, 7}}, {{3, 7}, true}, {{3}, true}}, {5, 3}, {{"transB", 1}, {"alpha", 0.5f}}},
      {"Conv",
       {{{1, 2, 6, 6}}, {{3, 2, 3, 3}, true}, {{3}, true}},
       {1, 3, 6, 6},
       {{"pads", std::vector<int64_t>{1, 1, 1, 1}}}},
      {"ConvTranspose", {{{1, 2, 3, 3}}, {{2, 3, 2, 2}}}, {1, 3, 4, 4}},
      {"AveragePool", {{{1, 2, 6, 6}}}, {1, 2, 5, 5}, {{"kernel_shape", std::vector<int64_t>{2, 2}}}},
      {"MaxPool", {{{1, 2, 6, 6}}}, {1, 2, 5, 5}, {{"kernel_shape", std::vector<int64_t>{2, 2}}}},
      {"GlobalAveragePool", {{{1, 2, 6, 6}}}, {1, 2, 1, 1}},
      {"ReduceMean", {{{3, 4, 5}}}, {1, 1, 1}},
      {"ReduceMax", {{{3, 4, 5}}}, {1, 1, 1}},
      {"Softmax", {{{3, 8}}}, {3, 8}},
      {"LayerNormalization", {{{3, 8}}, {{8}, true}, {{8}}}, {3, 8}},
      {"InstanceNormalization", {{{2, 3, 4}}, {{3}}, {{3}}}, {2, 3, 4}},
      {"BatchNormalization", {{{2, 3, 4}}, {{3}, true}, {{3}, true}, {{3}, true}, {{3}, true}}, {2, 3, 4}},
      {"LRN", {{{1, 5, 2, 2}}}, {1, 5, 2, 2}, {{"size", 3}}},
      {"Einsum", {{{3, 4}}, {{4, 5}}}, {3, 5}, {{"equation", "ij,jk->ik"}}},
      {"Transpose", {{{3, 4}}}, {4, 3}},
      {"Concat", {{{3, 4}}, {{3, 2}}}, {3, 6}, {{"axis", 1}}},
      {"Flatten", {{{3, 4, 5}}}, {3, 20}},
      {"Identity", {{{3, 4}}}, {3, 4}},
      {"DepthToSpace", {{{1, 4, 2, 3}}}, {1, 1, 4, 6}, {{"blocksize", 2}}}};
  return all;
}

/// Numbers of moderate size, positive, so that roots and variances are real.
std::vector<uint16_t> numbers(std::mt19937 &random, const Half &half, int64_t size) {
  std::vector<uint16_t> bits;
  for (int64_t i = 0; i < size; ++i)
    bits.push_back(half.narrowed(float(random() % 2000 + 1) / 500));
  return bits;
}

TEST_P(Halves, OperatorsComputeInFloat32AndRoundOnce) {
  std::mt19937 random(18);
  for (const Case &of : cases()) {
    SCOPED_TRACE(of.type);
    std::vector<std::vector<uint16_t>> bits;
    for (const Input &input : of.inputs)
      bits.push_back(numbers(random, half, count(input.shape)));
    const std::vector<float> wide = numbersOf<float>(run(of, Proto::FLOAT, bits, half));
    const std::vector<uint16_t> found = numbersOf<uint16_t>(run(of, half.dtype, bits, half));
    EXPECT_EQ(found.size(), size_t(count(of.output)));
    EXPECT_EQ(found, half.narrowed(wide));
  }
}

/// NaNs included, whatever their bits.
TEST_P(Halves, MovesKeepEveryBit) {
  const std::vector<uint16_t> all = everyValue();
  const Case of{"Transpose", {{{256, 256}}}, {256, 256}};
  const std::vector<uint16_t> found = numbersOf<uint16_t>(run(of, half.dtype, {all}, half));
  ASSERT_EQ(found.size(), all.size());
  for (size_t i = 0; i < all.size(); ++i)
    ASSERT_EQ(found[i], all[(i % 256) * 256 + i / 256]) << i;
}

/// Of a constant that passes fold, and of an initializer in int32_data.
TEST_P(Halves, ConstantsAreOutputs) {
  OnnxBuilder model(17);
  auto *tensor = model.proto().mutable_graph()->add_initializer();
  tensor->set_name("half");
  tensor->set_data_type(half.dtype);
  tensor->add_dims(3);
  for (float value : {1.5f, -2.0f, 0.25f})
    tensor->add_int32_data(half.narrowed(value));
  const std::string x = model.input("x", half.dtype, {3});
  model.output(model.node("Add", {x, "half"}), half.dtype, {3});
  model.output(model.node("Identity", {"half"}), half.dtype, {3});
  const std::vector<float> x0 = {1, 1, 1}, sum = {2.5f, -1, 1.25f}, same = {1.5f, -2, 0.25f};
  const Outputs outputs = runModel(model, {bytesOf(half.narrowed(x0))});
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(half.widened(numbersOf<uint16_t>(outputs[0])), sum);
  EXPECT_EQ(half.widened(numbersOf<uint16_t>(outputs[1])), same);
}

/// A number that all loops carry.
TEST_P(Halves, PadsWithANumberOfRunTime) {
  OnnxBuilder model(17);
  const std::string x = model.input("x", half.dtype, {1, 2, 3}),
                    number = model.input("number", half.dtype, {});
  const std::string pads = model.integers(Proto::INT64, {6}, {0, 0, 1, 0, 1, 2});
  model.output(model.node("Pad", {x, pads, number}), half.dtype, {1, 3, 6});
  const std::vector<uint16_t> expected =
      half.narrowed(std::vector<float>{7, 1, 2, 3, 7, 7, 7, 4, 5, 6, 7, 7, 7, 7, 7, 7, 7, 7});
  const Outputs outputs = runModel(model, {bytesOf(half.narrowed(std::vector<float>{1, 2, 3, 4, 5, 6})),
                                           bytesOf(half.narrowed(std::vector<float>{7}))});
  EXPECT_EQ(numbersOf<uint16_t>(outputs[0]), expected);
}

INSTANTIATE_TEST_SUITE_P(Both, Halves, testing::ValuesIn(halves),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace daedalus::test
