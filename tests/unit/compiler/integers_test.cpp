// Operators on integers of every width and sign against the same arithmetic in C++.
#include "run_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using Shape = OnnxBuilder::Shape;

template <class T> constexpr int32_t dtypeOf() {
  constexpr bool isSigned = std::is_signed_v<T>;
  switch (sizeof(T)) {
  case 1:
    return isSigned ? Proto::INT8 : Proto::UINT8;
  case 2:
    return isSigned ? Proto::INT16 : Proto::UINT16;
  case 4:
    return isSigned ? Proto::INT32 : Proto::UINT32;
  default:
    return isSigned ? Proto::INT64 : Proto::UINT64;
  }
}

/// Extremes, small numbers, and any.
template <class T> std::vector<T> numbers(std::mt19937_64 &random) {
  using L = std::numeric_limits<T>;
  std::vector<T> all = {L::min(), L::max(), T(L::min() + 1), T(L::max() - 1), 0,
                        1,        2,        T(-1),           T(-2),           T(L::max() / 2)};
  while (all.size() < 60)
    all.push_back(T(random() >> (random() % 64)));
  std::shuffle(all.begin(), all.end(), random);
  return all;
}

template <class T> class Integers : public testing::Test {
protected:
  template <class R>
  std::vector<R> run(const std::string &type, const std::vector<std::vector<T>> &inputs, int32_t to,
                     const std::vector<OnnxBuilder::Attribute> &attributes = {}, int64_t size = 60) {
    OnnxBuilder model(28);
    std::vector<std::string> names;
    std::vector<Bytes> data;
    for (const std::vector<T> &input : inputs) {
      names.push_back(model.input("x" + std::to_string(names.size()), dtypeOf<T>(), {int64_t(input.size())}));
      data.push_back(bytesOf(input));
    }
    model.output(model.node(type, names, attributes, "node"), to, {size});
    return numbersOf<R>(runModel(model, data)[0]);
  }
  template <class F>
  void expectBinary(const char *type, F f, std::vector<OnnxBuilder::Attribute> attributes = {}) {
    using R = decltype(f(T(), T()));
    const std::vector<T> x = numbers<T>(random), y = numbers<T>(random);
    std::vector<std::conditional_t<std::is_same_v<R, bool>, uint8_t, T>> expected;
    for (size_t i = 0; i < x.size(); ++i)
      expected.push_back(f(x[i], y[i]));
    const int32_t to = std::is_same_v<R, bool> ? int32_t(Proto::BOOL) : dtypeOf<T>();
    EXPECT_EQ((this->template run<typename decltype(expected)::value_type>(type, {x, y}, to, attributes)),
              expected)
        << type;
  }
  template <class R> void expectCast(int32_t to, const std::vector<T> &x) {
    std::vector<R> expected;
    for (T value : x)
      expected.push_back(static_cast<R>(value));
    EXPECT_EQ((run<R>("Cast", {x}, to, {{"to", int64_t(to)}})), expected) << "to " << to;
  }

  std::mt19937_64 random{64};
};

using All = testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(Integers, All);

/// Modulo 2^bits, as ONNX's own: a product of two uint16 would be an int.
template <class T> uint64_t wide(T value) {
  return static_cast<uint64_t>(value);
}

TYPED_TEST(Integers, Arithmetic) {
  using T = TypeParam;
  this->expectBinary("Add", [](T x, T y) { return T(wide(x) + wide(y)); });
  this->expectBinary("Sub", [](T x, T y) { return T(wide(x) - wide(y)); });
  this->expectBinary("Mul", [](T x, T y) { return T(wide(x) * wide(y)); });
  this->expectBinary("Div", [](T x, T y) { // by 0 it is 0, and the least over -1 wraps
    return y == 0 ? T(0) : y == T(-1) && std::is_signed_v<T> ? T(0 - wide(x)) : T(x / y);
  });
  this->expectBinary("Mod", [](T x, T y) { // of a division by 0 it is the dividend
    if (y == 0)
      return x;
    if (y == T(-1) && std::is_signed_v<T>)
      return T(0);
    const T rest = T(x % y);
    return rest != 0 && (rest < 0) != (y < 0) ? T(rest + y) : rest;
  });
  this->expectBinary("Max", [](T x, T y) { return std::max(x, y); });
  this->expectBinary("Min", [](T x, T y) { return std::min(x, y); });
}

TYPED_TEST(Integers, Comparisons) {
  using T = TypeParam;
  this->expectBinary("Less", [](T x, T y) { return x < y; });
  this->expectBinary("LessOrEqual", [](T x, T y) { return x <= y; });
  this->expectBinary("Greater", [](T x, T y) { return x > y; });
  this->expectBinary("GreaterOrEqual", [](T x, T y) { return x >= y; });
  this->expectBinary("Equal", [](T x, T y) { return x == y; });
}

TYPED_TEST(Integers, Bits) {
  using T = TypeParam;
  constexpr unsigned bits = 8 * sizeof(T);
  const auto isLess = [](T y) { return y >= 0 && wide(y) < bits; };
  this->expectBinary("BitwiseXor", [](T x, T y) { return T(x ^ y); });
  this->expectBinary("BitShift", [&](T x, T y) { return isLess(y) ? T(wide(x) << y) : T(0); },
                     {{"direction", "LEFT"}});
  this->expectBinary("BitShift", [&](T x, T y) { return isLess(y) ? T(x >> y) : T(x < 0 ? -1 : 0); },
                     {{"direction", "RIGHT"}});
}

TYPED_TEST(Integers, Conversions) {
  const auto x = numbers<TypeParam>(this->random);
  this->template expectCast<int8_t>(Proto::INT8, x);
  this->template expectCast<uint8_t>(Proto::UINT8, x);
  this->template expectCast<int16_t>(Proto::INT16, x);
  this->template expectCast<uint16_t>(Proto::UINT16, x);
  this->template expectCast<int32_t>(Proto::INT32, x);
  this->template expectCast<uint32_t>(Proto::UINT32, x);
  this->template expectCast<int64_t>(Proto::INT64, x);
  this->template expectCast<uint64_t>(Proto::UINT64, x);
  this->template expectCast<float>(Proto::FLOAT, x);
  this->template expectCast<double>(Proto::DOUBLE, x);
}

/// What lies outside of the type is its nearest value; a NaN is the least.
template <class T, class Float> void expectFromFloats(int32_t from) {
  constexpr double least = double(std::numeric_limits<T>::min()),
                   beyond = std::ldexp(1.0, std::numeric_limits<T>::digits);
  std::vector<Float> x = {0,
                          Float(0.9),
                          Float(-0.9),
                          Float(least),
                          Float(least * 2 - 5),
                          Float(beyond),
                          std::nextafter(Float(beyond), Float(0)),
                          Float(beyond * 2),
                          Float(1e30),
                          Float(-1e30),
                          Float(-1),
                          Float(100.5)};
  OnnxBuilder model(17);
  const Shape shape = {int64_t(x.size())};
  model.output(model.node("Cast", {model.input("x", from, shape)}, {{"to", int64_t(dtypeOf<T>())}}),
               dtypeOf<T>(), shape);
  const auto found = numbersOf<T>(runModel(model, {bytesOf(x)})[0]);
  ASSERT_EQ(found.size(), x.size());
  // The largest float below 2^bits, where the type's most is none.
  const Float most = std::min(std::nextafter(Float(beyond), Float(0)), Float(std::numeric_limits<T>::max()));
  for (size_t i = 0; i < x.size(); ++i) {
    const T expected =
        x[i] <= Float(least) ? std::numeric_limits<T>::min() : T(x[i] >= Float(beyond) ? most : x[i]);
    EXPECT_EQ(found[i], expected) << x[i];
  }
}

TYPED_TEST(Integers, OfFloats) {
  expectFromFloats<TypeParam, float>(Proto::FLOAT);
  expectFromFloats<TypeParam, double>(Proto::DOUBLE);
}

TYPED_TEST(Integers, Extremes) {
  using T = TypeParam;
  const std::vector<T> x = numbers<T>(this->random);
  if (dtypeOf<T>() != Proto::INT16 && dtypeOf<T>() != Proto::UINT16) { // ONNX has none of these
    EXPECT_EQ((this->template run<T>("ReduceMax", {x}, dtypeOf<T>(), {{"keepdims", 1}}, 1)),
              std::vector<T>{*std::max_element(x.begin(), x.end())});
    EXPECT_EQ((this->template run<T>("ReduceMin", {x}, dtypeOf<T>(), {{"keepdims", 1}}, 1)),
              std::vector<T>{*std::min_element(x.begin(), x.end())});
  }
  const int64_t at = std::max_element(x.begin(), x.end()) - x.begin();
  EXPECT_EQ((this->template run<int64_t>("ArgMax", {x}, Proto::INT64, {}, 1)), std::vector<int64_t>{at});
}

/// Of constants that arithmetic on shapes would fold, where uint64 is beyond int64.
TEST(LargeIntegers, ConstantsAreNotFoldedAsSigned) {
  OnnxBuilder model(17);
  auto *tensor = model.proto().mutable_graph()->add_initializer();
  tensor->set_name("large");
  tensor->set_data_type(Proto::UINT64);
  tensor->add_dims(2);
  tensor->add_uint64_data(std::numeric_limits<uint64_t>::max());
  tensor->add_uint64_data(7);
  model.output(model.node("Cast", {"large"}, {{"to", int64_t(Proto::DOUBLE)}}), Proto::DOUBLE, {2});
  model.output(model.node("Greater", {"large", model.input("x", Proto::UINT64, {2})}), Proto::BOOL, {2});
  const Outputs outputs = runModel(model, {bytesOf(std::vector<uint64_t>{1, 8})});
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(numbersOf<double>(outputs[0]), (std::vector<double>{0x1p64, 7}));
  EXPECT_EQ(outputs[1], (std::vector<uint8_t>{1, 0}));
}

} // namespace
} // namespace daedalus::test
