// Forms that newer opsets have brought, and shapes that functions of ONNX leave open, against plain
// arithmetic.
#include "one_node.h"
#include "refused.h"

#include <cmath>
#include <limits>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using ::testing::HasSubstr;

TEST(BitCast, KeepsBits) {
  const std::vector<float> x = {1, -0.0f, 1e30f, std::numeric_limits<float>::infinity()};
  const std::vector<int32_t> bits = numbersOf<int32_t>(
      {reinterpret_cast<const uint8_t *>(x.data()), reinterpret_cast<const uint8_t *>(x.data() + x.size())});
  EXPECT_EQ(runNode<int32_t>("BitCast", {{{4}, x}}, {{"to", int64_t(Proto::INT32)}}, {4}, 26), bits);
  EXPECT_EQ(runNode<float>("BitCast", {{{4}, bits}}, {{"to", int64_t(Proto::FLOAT)}}, {4}, 26), x);
}

/// By squares, modulo 2^32; a negative exponent leaves what 1 and -1 are.
TEST(Pow, OfIntegersIsExact) {
  const std::vector<int32_t> x = {2, 3, -3, 7, 0, 0, 1, -1, -1, 5, 3, INT32_MIN};
  const std::vector<int32_t> y = {30, 19, 3, 11, 0, 3, -4, -3, -2, -1, 41, 1};
  std::vector<int32_t> expected;
  for (size_t i = 0; i < x.size(); ++i) {
    uint32_t power = 1;
    for (int n = 0; n < std::abs(y[i]); ++n)
      power *= uint32_t(x[i]);
    expected.push_back(y[i] >= 0 ? int32_t(power) : std::abs(x[i]) == 1 ? int32_t(power) : 0);
  }
  const int64_t size = x.size();
  EXPECT_EQ(runNode<int32_t>("Pow", {{{size}, x}, {{size}, y}}, {}, {size}, 15), expected);
  const std::vector<float> real = {5, 2, 3, 0.5f};
  EXPECT_EQ(runNode<int32_t>("Pow", {{{4}, std::vector<int32_t>{2, 3, -2, 100}}, {{4}, real}}, {}, {4}, 15),
            (std::vector<int32_t>{32, 9, -8, 10}));
}

/// Of the divisor's sign, with the zeros, infinities and NaNs that ONNX says.
TEST(Mod, OfFloatsRoundsDown) {
  constexpr float infinity = std::numeric_limits<float>::infinity(),
                  nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x = {-4.3f, 7.2f, 5, 4.3f, -7.2f, 8, 0, -0.0f, -3, 3, infinity, 1, nan};
  const std::vector<float> y = {2.1f, -3.4f, 8, -2.1f, 3.4f, 5, -2, 2, infinity, infinity, 2, 0, 2};
  const std::vector<float> found = runNode<float>("Mod", {{{13}, x}, {{13}, y}}, {{"fmod", 0}}, {13}, 28);
  ASSERT_EQ(found.size(), x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    float wanted = std::fmod(x[i], y[i]);
    if (wanted == 0)
      wanted = std::copysign(0.0f, y[i]);
    else if ((wanted < 0) != (y[i] < 0))
      wanted += y[i];
    ASSERT_EQ(std::isnan(found[i]), std::isnan(wanted)) << i;
    if (std::isnan(wanted))
      continue;
    EXPECT_TRUE(found[i] == wanted || std::abs(found[i] - wanted) < 1e-6f)
        << found[i] << ", expected " << wanted << " of " << x[i] << " mod " << y[i];
    EXPECT_EQ(std::signbit(found[i]), std::signbit(wanted)) << x[i] << " mod " << y[i];
  }
}

/// Axes that come at run time say no shape; the output of the model does, behind a root and a cast.
TEST(ImpliedShapes, GoBackThroughElementwiseNodes) {
  OnnxBuilder model(18);
  const std::string x = model.input("x", Proto::FLOAT, {2, 3}), axes = model.input("axes", Proto::INT64, {1});
  const std::string sum = model.node("ReduceSum", {x, axes}, {{"keepdims", 0}}, "sum");
  model.output(model.node("CastLike", {model.node("Sqrt", {sum}), x}), Proto::FLOAT, {2});
  const Bytes numbers = bytesOf(std::vector<float>{1, 3, 5, 4, 6, 15});
  const Outputs outputs = runModel(model, {numbers, bytesOf(std::vector<int64_t>{1})});
  EXPECT_EQ(numbersOf<float>(outputs[0]), (std::vector<float>{3, 5}));
  EXPECT_FALSE(tryModel(model, {numbers, bytesOf(std::vector<int64_t>{0})})); // that gives [3]
}

class NewerRefusals : public ::testing::TestWithParam<Refused> {};

TEST_P(NewerRefusals, NameNodeValueAndExpectation) {
  EXPECT_THAT(GetParam().error(), HasSubstr("node: " + GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    All, NewerRefusals,
    ::testing::Values(
        Refused{"BitCast",
                {{F32, {4}}},
                {F64, {4}},
                {{"to", int64_t(F64)}},
                "attribute 'to' has value 11; expected a type of 32 bits, like float32",
                26},
        Refused{"Mod",
                {{F32, {4}}, {F32, {4}}},
                {F32, {4}},
                {},
                "attribute 'fmod' has value 0 for inputs of type float32; expected 1"},
        Refused{"NegativeLogLikelihoodLoss",
                {{F32, {3, 5}}, {I64, {3}}},
                {F32, {}},
                {{"reduction", "most"}},
                "attribute 'reduction' has value 'most'; expected mean, none or sum"},
        Refused{"NegativeLogLikelihoodLoss",
                {{F32, {3, 5}}, {I64, {4}}},
                {F32, {}},
                {},
                "input 'x1' has shape [4]; expected [3]"},
        Refused{"SoftmaxCrossEntropyLoss",
                {{F32, {3, 5}}, {I64, {3}}, {F32, {3}}},
                {F32, {}},
                {},
                "input 'x2' has shape [3]; expected [5]"},
        Refused{"SoftmaxCrossEntropyLoss",
                {{F64, {3, 5}}, {I64, {3}}},
                {F64, {}},
                {},
                "input 'x0' has type float64; expected float32"},
        Refused{"NegativeLogLikelihoodLoss",
                {{F32, {2, 5}}, {I64, {2}, {1, 5}}},
                {F32, {}},
                {},
                "labels 'c0' hold 5; expected 0 to 4"},
        Refused{
            "DequantizeLinear",
            {{I8, {4}}, {F32, {}}},
            {F64, {4}},
            {{"output_dtype", int64_t(F64)}},
            "attribute 'output_dtype' has value 11; expected 0, 1 (float32), 10 (float16) or 16 (bfloat16)",
            23},
        Refused{"Range",
                {{F32, {}}, {F32, {}}, {F32, {}}},
                {F32, {4}},
                {{"stash_type", int64_t(F16)}},
                "attribute 'stash_type' has value 10; expected 1 (float32)",
                27}));

} // namespace
} // namespace daedalus::test
