// Products of two tensors that are computed, as attention has them: batches of any rank and broadcast,
// operands that lie transposed, zero points on either side. Both targets give the bytes of
// docs/quantization.md, computed here in plain loops, which are within one step of the product in double
// precision; none of it is computed in floats.
#include "run_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using Shape = OnnxBuilder::Shape;

/// An int8 or uint8 tensor, in the order in which a Transpose in front of the product brings it; without one
/// as it is.
struct Side {
  Shape shape; ///< of the matrices
  int zeroPoint = 0;
  std::vector<int64_t> order = {}; ///< `perm` of the Transpose
};

struct Form {
  Side left, right;
  int zeroPoint = 0;
  bool isUnsigned = false;
  std::string op = "MatMul";
};

const std::string fits = "accelerator: fits machine 'default'";
const std::string apart = "cpu: it multiplies two inputs whose images lie in more than two dimensions";

constexpr float ofLeft = 0.0125f, ofRight = 0.021f;

/// Where the element of the matrices with this index lies in the tensor that is transposed.
int64_t positionOf(const Side &side, const std::vector<int64_t> &at) {
  std::vector<int64_t> shape(side.shape), index(at);
  for (size_t d = 0; d < side.order.size(); ++d)
    shape[side.order[d]] = side.shape[d], index[side.order[d]] = at[d];
  int64_t position = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    position = position * shape[d] + index[d];
  return position;
}

Shape lyingShape(const Side &side) {
  Shape shape(side.shape);
  for (size_t d = 0; d < side.order.size(); ++d)
    shape[side.order[d]] = side.shape[d];
  return shape;
}

Shape outputShape(const Form &form) {
  const Shape &left = form.left.shape, &right = form.right.shape;
  Shape shape(std::max(left.size(), right.size()), 1);
  for (const Shape *side : {&left, &right})
    for (size_t d = 0; d + 2 < side->size(); ++d) {
      int64_t &size = shape[shape.size() - side->size() + d];
      size = std::max(size, (*side)[d]);
    }
  shape[shape.size() - 2] = left[left.size() - 2], shape.back() = right.back();
  return shape;
}

/// The index of a side's matrix for one of the output.
std::vector<int64_t> batchOf(const Side &side, const std::vector<int64_t> &output) {
  std::vector<int64_t> at(output.end() - int64_t(side.shape.size()), output.end());
  for (size_t d = 0; d + 2 < at.size(); ++d)
    at[d] = side.shape[d] == 1 ? 0 : at[d];
  return at;
}

/// The sum of products of each element of the output.
std::vector<int64_t> sums(const Form &form, const Bytes &left, const Bytes &right) {
  const auto value = [&](const Side &side, const Bytes &bytes, const std::vector<int64_t> &at) {
    const int8_t byte = bytes[positionOf(side, at)];
    return int64_t(form.isUnsigned ? uint8_t(byte) : byte) - side.zeroPoint;
  };
  const Shape shape = outputShape(form);
  std::vector<int64_t> result, at(shape.size(), 0);
  for (int64_t count = 0, size = test::count(shape); count < size; ++count) {
    int64_t sum = 0;
    for (int64_t k = 0; k < form.left.shape.back(); ++k) {
      std::vector<int64_t> l = batchOf(form.left, at), r = batchOf(form.right, at);
      l.back() = k, r[r.size() - 2] = k;
      sum += value(form.left, left, l) * value(form.right, right, r);
    }
    result.push_back(sum);
    for (size_t d = shape.size(); d-- > 0 && ++at[d] == shape[d];)
      at[d] = 0;
  }
  return result;
}

/// A scale for which few results are cut: of random bytes, sums lie around the product of what their means
/// are less the zero points.
float scaleOf(const Form &form) {
  const float mean = form.isUnsigned ? 127.5f : -0.5f, depth = float(form.left.shape.back());
  const float left = mean - float(form.left.zeroPoint), right = mean - float(form.right.zeroPoint);
  const float spread = 74 * std::sqrt(depth) * (74 + std::abs(left) + std::abs(right));
  return ofLeft * ofRight * (std::abs(depth * left * right) + 2 * spread) / 120;
}

OnnxBuilder modelOf(const Form &form) {
  const int32_t dtype = form.isUnsigned ? Proto::UINT8 : Proto::INT8;
  OnnxBuilder model(14);
  const auto zero = [&](int zeroPoint) { return model.integers(dtype, {}, {zeroPoint}); };
  const auto side = [&](const char *name, const Side &side, float scale) {
    std::string x = model.input(name, dtype, lyingShape(side));
    if (form.op != "QLinearMatMul")
      x = model.node("DequantizeLinear", {x, model.floats({}, {scale}), zero(side.zeroPoint)});
    return side.order.empty() ? x : model.node("Transpose", {x}, {{"perm", side.order}});
  };
  const std::string left = side("left", form.left, ofLeft), right = side("right", form.right, ofRight);
  const std::string scale = model.floats({}, {scaleOf(form)});
  if (form.op == "QLinearMatMul") {
    model.output(
        model.node(form.op,
                   {left, model.floats({}, {ofLeft}), zero(form.left.zeroPoint), right,
                    model.floats({}, {ofRight}), zero(form.right.zeroPoint), scale, zero(form.zeroPoint)},
                   {}, "product"),
        dtype, outputShape(form));
    return model;
  }
  const std::string y = model.node(form.op, {left, right}, {}, "product");
  model.output(model.node("QuantizeLinear", {y, scale, zero(form.zeroPoint)}), dtype, outputShape(form));
  return model;
}

class Attention : public testing::Test {
protected:
  /// Where the product ran, of a compilation for `target`.
  std::string placeOf(const OnnxBuilder &model, const std::string &target) {
    const Result<Compiled> compiled = compileBytes(model.bytes(), target);
    if (!compiled)
      return compiled.error();
    for (const package::Layer &layer : compiled->package.layers)
      if (layer.node.find("product") != std::string::npos && layer.macs)
        return layer.target + ": " + layer.reason;
    return "nowhere";
  }

  /// Where it runs, and why; nothing: anywhere.
  void check(const Form &form, const std::string &where = fits) {
    SCOPED_TRACE(testing::PrintToString(form.left.shape) + testing::PrintToString(form.left.order) +
                 " zero " + std::to_string(form.left.zeroPoint) + " by " +
                 testing::PrintToString(form.right.shape) + testing::PrintToString(form.right.order) +
                 " zero " + std::to_string(form.right.zeroPoint));
    const Bytes left = randomBytes(random, count(form.left.shape)),
                right = randomBytes(random, count(form.right.shape));
    const OnnxBuilder model = modelOf(form);
    if (!where.empty()) {
      EXPECT_THAT(placeOf(model, "auto"), testing::HasSubstr(where));
    }
    const std::vector<int64_t> exact = sums(form, left, right);
    const Outputs onCpu = runModel(model, {left, right}),
                  accelerated = runModel(model, {left, right}, "auto");
    ASSERT_EQ(onCpu[0].size(), exact.size());
    EXPECT_EQ(onCpu, accelerated);
    const double factor = double(ofLeft) * double(ofRight) / double(scaleOf(form));
    const int least = form.isUnsigned ? 0 : -128;
    int64_t inside = 0;
    for (size_t i = 0; i < exact.size(); ++i) {
      const double steps = std::nearbyint(double(exact[i]) * factor) + form.zeroPoint;
      const int expected = std::clamp<int>(int(steps), least, least + 255),
                found = form.isUnsigned ? int(onCpu[0][i]) : int(int8_t(onCpu[0][i]));
      EXPECT_LE(std::abs(expected - found), 1) << i;
      inside += found > least && found < least + 255;
    }
    EXPECT_GE(inside * 4, int64_t(exact.size())); // or the scale is none to test with
  }

  std::mt19937 random{23};
};

TEST_F(Attention, OfAnyRank) {
  check({{{5, 7}}, {{7, 9}}});
  check({{{2, 5, 7}}, {{2, 7, 9}}});
  check({{{1, 3, 13, 17}}, {{1, 3, 17, 19}}});
  check({{{2, 3, 13, 16}}, {{2, 3, 16, 32}}});
  check({{{2, 1, 3, 5, 33}}, {{2, 1, 3, 33, 18}}});
}

TEST_F(Attention, OperandsMayBeTransposed) {
  check({{{3, 13, 17}}, {{3, 17, 19}, 0, {0, 2, 1}}});                           // of keys
  check({{{1, 3, 13, 20}, 0, {0, 2, 1, 3}}, {{1, 3, 20, 19}, 0, {0, 2, 3, 1}}}); // of heads
  check({{{1, 3, 13, 20}}, {{1, 3, 20, 19}, 0, {0, 2, 1, 3}}});
  check({{{1, 3, 13, 20}, 0, {0, 1, 3, 2}}, {{1, 3, 20, 19}}});
  check({{{2, 3, 13, 20}, 0, {0, 2, 1, 3}}, {{2, 3, 20, 19}, 0, {0, 2, 3, 1}}});
  check({{{2, 3, 2, 5, 20}, 0, {0, 2, 1, 3, 4}}, {{2, 3, 2, 20, 19}, 0, {1, 0, 2, 4, 3}}}, apart);
}

TEST_F(Attention, BatchesBroadcast) {
  check({{{3, 5, 7}}, {{1, 7, 9}}});
  check({{{1, 5, 7}}, {{3, 7, 9}}});
  check({{{5, 7}}, {{3, 7, 9}}});
  check({{{3, 5, 7}}, {{7, 9}}});
  check({{{2, 3, 5, 7}}, {{3, 7, 9}}});
  check({{{2, 1, 5, 7}}, {{1, 3, 7, 9}}});
  check({{{2, 1, 2, 5, 7}}, {{1, 3, 1, 7, 9}}});
}

TEST_F(Attention, SizesOfOne) {
  for (const auto &[m, k, n] : {std::array{1, 7, 9}, {5, 1, 9}, {5, 7, 1}, {1, 7, 1}, {1, 1, 9}, {1, 1, 1}}) {
    check({{{3, m, k}}, {{3, k, n}}}, k == 1 ? "" : fits);
    check({{{3, m, k}, 5}, {{3, k, n}, -7, {0, 2, 1}}}, k == 1 ? "" : fits);
  }
}

TEST_F(Attention, ZeroPointsOnEitherSide) {
  for (const int left : {0, -128, 127, 5})
    for (const int right : {0, -128, 127, -7})
      check({{{2, 13, 40}, left}, {{2, 40, 19}, right, {0, 2, 1}}, left ? 3 : -3});
}

TEST_F(Attention, UnsignedActivations) {
  for (const int right : {0, 128, 131})
    check({{{1, 3, 13, 37}, 0}, {{1, 3, 37, 20}, right}, 120, true});
  check({{{1, 3, 13, 20}, 128}, {{1, 3, 20, 37}, 121, {0, 1, 3, 2}}, 128, true});
}

TEST_F(Attention, LargerThanTheScratchpads) {
  check({{{2, 150, 64}, -3}, {{2, 64, 700}, 2, {0, 2, 1}}});
  check({{{2, 40, 1500}, -3}, {{2, 1500, 40}, 2, {0, 2, 1}}});
}

TEST_F(Attention, AsQLinearMatMul) {
  Form form{{{1, 3, 13, 37}, -4}, {{1, 3, 37, 20}, 9}, 2};
  form.op = "QLinearMatMul";
  check(form);
}

TEST_F(Attention, ConstantsAreOneOfTheOperands) {
  for (const bool isLeft : {false, true}) {
    OnnxBuilder model;
    const std::string x = model.dequantize(model.input("x", Proto::INT8, {2, 6, 6}), ofLeft, 3);
    const Bytes bytes = randomBytes(random, 72);
    const std::string w = model.weights({2, 6, 6}, bytes, {ofRight}, 0);
    const std::string y =
        isLeft ? model.node("MatMul", {w, x}, {}, "product") : model.node("MatMul", {x, w}, {}, "product");
    model.output(model.quantize(y, ofLeft * ofRight * 150, 1), Proto::INT8, {2, 6, 6});
    const Bytes input = randomBytes(random, 72);
    EXPECT_EQ(runModel(model, {input}), runModel(model, {input}, "auto"));
    EXPECT_THAT(placeOf(model, "auto"), testing::Not(testing::HasSubstr("float")));
  }
}

/// A sum of more products than 32 bits are proved to hold stays in floats.
TEST_F(Attention, DeepSumsStayInFloats) {
  const auto product = [](int64_t depth) {
    return modelOf({{{1, 1, depth}, -128}, {{1, depth, 1}, -128, {0, 2, 1}}});
  };
  EXPECT_THAT(placeOf(product(33025), "auto"), testing::Not(testing::HasSubstr("float")));
  EXPECT_THAT(placeOf(product(33026), "auto"), testing::HasSubstr("float"));
}

} // namespace
} // namespace daedalus::test
