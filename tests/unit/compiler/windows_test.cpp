// Pools and convolutions of one to three dimensions, of floats and bytes, with random strides, dilations,
// paddings and groups, against loops over the window's positions.

#include "run_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using Shape = OnnxBuilder::Shape;

/// A window over [N,C,...] with random attributes.
struct Window {
  Shape input, kernel, strides, dilations, before, behind, output;
  bool ceil = false;

  Window(std::mt19937 &random, int64_t channels, bool mayCeil, bool mayDilate = true) {
    const auto number = [&](int64_t least, int64_t most) {
      return std::uniform_int_distribution<int64_t>(least, most)(random);
    };
    const int64_t rank = number(1, 3);
    input = {number(1, 2), channels};
    ceil = mayCeil && number(0, 1);
    for (int64_t d = 0; d < rank; ++d) {
      kernel.push_back(number(1, 3)), strides.push_back(number(1, 3));
      dilations.push_back(mayDilate ? number(1, 2) : 1);
      before.push_back(number(0, kernel[d] - 1)), behind.push_back(number(0, kernel[d] - 1));
      const int64_t extent = (kernel[d] - 1) * dilations[d] + 1;
      input.push_back(extent + number(0, 4));
      const int64_t steps = input.back() + before[d] + behind[d] - extent, more = steps / strides[d] + 1;
      // A window that begins behind the input and the padding before it is refused.
      if (ceil && steps % strides[d] != 0 && more * strides[d] >= input.back() + before[d])
        strides[d] = 1;
      const int64_t size = steps / strides[d] + 1 + (ceil && steps % strides[d] != 0);
      output.push_back(size);
    }
  }

  size_t rank() const { return kernel.size(); }

  std::vector<OnnxBuilder::Attribute> attributes() const {
    Shape pads = before;
    pads.insert(pads.end(), behind.begin(), behind.end());
    return {{"kernel_shape", kernel}, {"strides", strides}, {"dilations", dilations}, {"pads", pads}};
  }

  Shape outputShape(int64_t channels) const {
    Shape shape = {input[0], channels};
    shape.insert(shape.end(), output.begin(), output.end());
    return shape;
  }

  /// Calls `f` with the number of each output position, and the coordinates of each element of its window;
  /// they may lie outside of the input.
  void forEach(const std::function<void(int64_t position, int64_t inKernel, const Shape &at)> &f) const {
    const int64_t positions = count(output), size = count(kernel);
    for (int64_t position = 0; position < positions; ++position)
      for (int64_t element = 0; element < size; ++element) {
        Shape at(rank());
        int64_t p = position, e = element;
        for (size_t d = rank(); d-- > 0; p /= output[d], e /= kernel[d])
          at[d] = p % output[d] * strides[d] + e % kernel[d] * dilations[d] - before[d];
        f(position, element, at);
      }
  }

  /// The number of an element in an image of the input; -1 outside.
  int64_t inside(const Shape &at) const {
    int64_t index = 0;
    for (size_t d = 0; d < rank(); ++d) {
      if (at[d] < 0 || at[d] >= input[2 + d])
        return -1;
      index = index * input[2 + d] + at[d];
    }
    return index;
  }

  int64_t imageSize() const { return count(input) / input[0] / input[1]; }
};

class Windows : public testing::Test {
protected:
  std::vector<float> smallFloats(int64_t size) {
    std::vector<float> values(size);
    for (float &value : values)
      value = float(int64_t(random() % 41) - 20); // whole: sums are exact
    return values;
  }

  std::mt19937 random{11};
};

TEST_F(Windows, MaxPoolWithIndices) {
  for (int round = 0; round < 14; ++round) {
    const Window window(random, 3, true);
    std::vector<float> x = smallFloats(count(window.input));
    if (round % 4 == 0) // what surrounds the input is no maximum either
      for (float &value : x)
        value = value < 15 ? -std::numeric_limits<float>::infinity() : value;
    OnnxBuilder model;
    auto attributes = window.attributes();
    attributes.push_back({"ceil_mode", window.ceil});
    const Shape shape = window.outputShape(3);
    model.output(model.node("MaxPool", {model.input("x", Proto::FLOAT, window.input)}, attributes),
                 Proto::FLOAT, shape);
    model.proto().mutable_graph()->mutable_node(0)->add_output("indices");
    model.output("indices", Proto::INT64, shape);
    std::vector<float> most(count(shape), -std::numeric_limits<float>::infinity());
    std::vector<int64_t> indices(most.size(), -1);
    for (int64_t image = 0; image < window.input[0] * 3; ++image)
      window.forEach([&](int64_t position, int64_t, const Shape &at) {
        const int64_t in = window.inside(at), out = image * count(window.output) + position;
        if (in >= 0 && (indices[out] < 0 || x[image * window.imageSize() + in] > most[out])) {
          indices[out] = image * window.imageSize() + in;
          most[out] = x[indices[out]];
        }
      });
    const auto outputs = runModel(model, {bytesOf(x)});
    EXPECT_EQ(numbersOf<float>(outputs[0]), most);
    EXPECT_EQ(numbersOf<int64_t>(outputs[1]), indices);
  }
}

TEST_F(Windows, MaxPoolOfBytes) {
  for (const bool isSigned : {true, false})
    for (int round = 0; round < 8; ++round) {
      const Window window(random, 2, false);
      const Bytes x = randomBytes(random, count(window.input));
      OnnxBuilder model;
      const int32_t dtype = isSigned ? Proto::INT8 : Proto::UINT8;
      const Shape shape = window.outputShape(2);
      model.output(model.node("MaxPool", {model.input("x", dtype, window.input)}, window.attributes()), dtype,
                   shape);
      std::vector<int> most(count(shape), isSigned ? -128 : 0);
      for (int64_t image = 0; image < window.input[0] * 2; ++image)
        window.forEach([&](int64_t position, int64_t, const Shape &at) {
          if (const int64_t in = window.inside(at); in >= 0) {
            const int8_t byte = x[image * window.imageSize() + in];
            int &here = most[image * count(window.output) + position];
            here = std::max(here, isSigned ? int(byte) : int(uint8_t(byte)));
          }
        });
      EXPECT_EQ(runModel(model, {x})[0], std::vector<uint8_t>(most.begin(), most.end()));
    }
}

TEST_F(Windows, AveragePool) {
  for (int round = 0; round < 30; ++round) {
    const Window window(random, 2, true, false);
    const bool countsPadding = round % 2;
    const std::vector<float> x = smallFloats(count(window.input));
    OnnxBuilder model;
    auto attributes = window.attributes();
    attributes.erase(attributes.begin() + 2); // dilations
    attributes.push_back({"ceil_mode", window.ceil});
    attributes.push_back({"count_include_pad", countsPadding});
    const Shape shape = window.outputShape(2);
    model.output(model.node("AveragePool", {model.input("x", Proto::FLOAT, window.input)}, attributes),
                 Proto::FLOAT, shape);
    std::vector<float> sums(count(shape), 0), counts(sums.size(), 0);
    for (int64_t image = 0; image < window.input[0] * 2; ++image)
      window.forEach([&](int64_t position, int64_t, const Shape &at) {
        const int64_t in = window.inside(at), out = image * count(window.output) + position;
        sums[out] += in >= 0 ? x[image * window.imageSize() + in] : 0;
        bool isCounted = in >= 0;
        if (countsPadding) {
          isCounted = true;
          for (size_t d = 0; d < window.rank(); ++d) // what ceil_mode adds behind is not counted
            isCounted &= at[d] < window.input[2 + d] + window.behind[d];
        }
        counts[out] += isCounted;
      });
    for (size_t i = 0; i < sums.size(); ++i)
      sums[i] /= counts[i];
    EXPECT_EQ(numbersOf<float>(runModel(model, {bytesOf(x)})[0]), sums);
  }
}

/// The sums of a convolution, of numbers that are centred already.
template <class T>
std::vector<T> convolved(const Window &window, const std::vector<T> &x, const std::vector<T> &w,
                         int64_t outputs, int64_t groups) {
  const int64_t each = outputs / groups, depth = window.input[1] / groups, size = count(window.kernel);
  std::vector<T> sums(count(window.outputShape(outputs)), 0);
  for (int64_t n = 0; n < window.input[0]; ++n)
    for (int64_t o = 0; o < outputs; ++o)
      window.forEach([&](int64_t position, int64_t inKernel, const Shape &at) {
        const int64_t in = window.inside(at);
        for (int64_t c = 0; in >= 0 && c < depth; ++c)
          sums[(n * outputs + o) * count(window.output) + position] +=
              x[(n * window.input[1] + o / each * depth + c) * window.imageSize() + in] *
              w[(o * depth + c) * size + inKernel];
      });
  return sums;
}

/// Channels of the input and of the output, and the groups, depthwise among them.
constexpr int64_t channelsAndGroups[][3] = {{3, 4, 1}, {4, 6, 2}, {4, 4, 4}, {3, 6, 3}, {1, 1, 1}};

Shape weightShape(const Window &window, int64_t outputs, int64_t groups) {
  Shape shape = {outputs, window.input[1] / groups};
  shape.insert(shape.end(), window.kernel.begin(), window.kernel.end());
  return shape;
}

TEST_F(Windows, Conv) {
  for (const auto &[channels, outputs, groups] : channelsAndGroups)
    for (int round = 0; round < 4; ++round) {
      const Window window(random, channels, false);
      const Shape weights = weightShape(window, outputs, groups);
      const std::vector<float> x = smallFloats(count(window.input)), w = smallFloats(count(weights)),
                               bias = smallFloats(outputs);
      OnnxBuilder model;
      auto attributes = window.attributes();
      attributes.push_back({"group", groups});
      const std::string name = model.input("x", Proto::FLOAT, window.input);
      const bool isConstant = round % 2;
      model.output(
          model.node("Conv",
                     {name, isConstant ? model.floats(weights, w) : model.input("w", Proto::FLOAT, weights),
                      model.floats({outputs}, bias)},
                     attributes),
          Proto::FLOAT, window.outputShape(outputs));
      std::vector<float> sums = convolved(window, x, w, outputs, groups);
      for (size_t i = 0; i < sums.size(); ++i)
        sums[i] += bias[i / count(window.output) % outputs];
      std::vector<Bytes> inputs = {bytesOf(x)};
      if (!isConstant)
        inputs.push_back(bytesOf(w));
      EXPECT_EQ(numbersOf<float>(runModel(model, inputs)[0]), sums);
    }
}

TEST_F(Windows, ConvInteger) {
  for (const auto &[channels, outputs, groups] : channelsAndGroups)
    for (int round = 0; round < 4; ++round) {
      const Window window(random, channels, false);
      const Shape weights = weightShape(window, outputs, groups);
      const Bytes x = randomBytes(random, count(window.input)), w = randomBytes(random, count(weights));
      const int64_t zeroOfX = random() % 256;
      const std::vector<int64_t> zerosOfW =
          round % 2 ? std::vector<int64_t>{7} : std::vector<int64_t>(outputs, int64_t(random() % 9));
      OnnxBuilder model;
      auto attributes = window.attributes();
      attributes.push_back({"group", groups});
      const std::string name = model.input("x", Proto::UINT8, window.input);
      const Shape zeros = round % 2 ? Shape{} : Shape{outputs};
      model.output(model.node("ConvInteger",
                              {name, model.input("w", Proto::INT8, weights),
                               model.integers(Proto::UINT8, {}, {zeroOfX}),
                               model.integers(Proto::INT8, zeros, zerosOfW)},
                              attributes),
                   Proto::INT32, window.outputShape(outputs));
      std::vector<int32_t> centredX, centredW;
      for (int8_t byte : x)
        centredX.push_back(uint8_t(byte) - int32_t(zeroOfX));
      for (size_t i = 0; i < w.size(); ++i)
        centredW.push_back(w[i] - int32_t(zerosOfW[zerosOfW.size() == 1 ? 0 : i / (w.size() / outputs)]));
      EXPECT_EQ(numbersOf<int32_t>(runModel(model, {x, w})[0]),
                convolved(window, centredX, centredW, outputs, groups));
    }
}

} // namespace
} // namespace daedalus::test
