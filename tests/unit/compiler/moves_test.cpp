// Moves of elements against lists of where each one comes from: random slices, pads, tiles and expansions,
// whose numbers are known when the model is compiled, or come at run time. Both are other kernels.

#include "run_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using Shape = OnnxBuilder::Shape;
using Numbers = std::vector<int64_t>;

/// For each dimension, and each index along it in the output, the input's index; -1 is what surrounds it.
using Sources = std::vector<Numbers>;

/// A move of a random tensor: attributes, and inputs behind the tensor by their names.
struct Move {
  std::string type;
  Shape shape;
  Sources sources;
  std::vector<Numbers> numbers = {}; ///< the inputs
  std::vector<OnnxBuilder::Attribute> attributes = {};
};

constexpr float around = 2.5f; ///< the value of a Pad

std::vector<float> expected(const Move &move, const std::vector<float> &x) {
  std::vector<float> result;
  std::function<void(size_t, int64_t, bool)> visit = [&](size_t d, int64_t position, bool inside) {
    if (d == move.sources.size())
      return result.push_back(inside ? x[position] : around);
    for (int64_t at : move.sources[d])
      visit(d + 1, position * move.shape[d] + std::max<int64_t>(at, 0), inside && at >= 0);
  };
  visit(0, 0, true);
  return result;
}

std::vector<float> run(const Move &move, const std::vector<float> &x, bool atRunTime) {
  OnnxBuilder model;
  std::vector<Bytes> data = {bytesOf(x)};
  std::vector<std::string> names = {model.input("x", Proto::FLOAT, move.shape)};
  for (const Numbers &numbers : move.numbers) {
    const Shape shape = {static_cast<int64_t>(numbers.size())};
    names.push_back(atRunTime ? model.input("n" + std::to_string(names.size()), Proto::INT64, shape)
                              : model.integers(Proto::INT64, shape, numbers));
    if (atRunTime)
      data.push_back(bytesOf(numbers));
  }
  if (move.type == "Pad")
    names.push_back(model.floats({}, {around}));
  Shape shape;
  for (const Numbers &along : move.sources)
    shape.push_back(along.size());
  model.output(model.node(move.type, names, move.attributes, "move"), Proto::FLOAT, shape);
  return numbersOf<float>(runModel(model, data)[0]);
}

void check(const Move &move) {
  std::vector<float> x(count(move.shape));
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(i);
  const std::vector<float> reference = expected(move, x);
  EXPECT_EQ(run(move, x, false), reference) << move.type;
  EXPECT_EQ(run(move, x, true), reference) << move.type << " at run time";
}

class Moves : public testing::Test {
protected:
  int64_t number(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  }

  Shape shape() {
    Shape result(number(1, 4));
    for (int64_t &size : result)
      size = number(1, 5);
    return result;
  }

  std::mt19937 random{5};
};

/// The indices that numpy's start:end:step names.
Numbers sliced(int64_t size, int64_t start, int64_t end, int64_t step) {
  const int64_t least = step > 0 ? 0 : -1, most = step > 0 ? size : size - 1;
  const auto bound = [&](int64_t at) { return std::clamp(at < 0 ? at + size : at, least, most); };
  Numbers result;
  for (int64_t at = std::max<int64_t>(bound(start), 0); step > 0 ? at < bound(end) : at > bound(end);
       at += step)
    result.push_back(at);
  return result;
}

TEST_F(Moves, Slice) {
  for (int round = 0; round < 25; ++round) {
    Move move{"Slice", shape(), {}, {{}, {}, {}, {}}};
    for (size_t d = 0; d < move.shape.size(); ++d) {
      const int64_t size = move.shape[d], step = number(0, 1) ? number(1, 3) : number(-3, -1);
      const int64_t start = number(-size - 2, size + 2), end = number(-size - 2, size + 2);
      const bool isNamed = number(0, 3) > 0;
      move.sources.push_back(isNamed ? sliced(size, start, end, step) : sliced(size, 0, size, 1));
      if (!isNamed && (d + 1 < move.shape.size() || !move.numbers[0].empty()))
        continue;
      if (!isNamed) // ONNX wants one at least
        move.sources.back() = sliced(size, start, end, step);
      const int64_t axis = number(0, 1) ? int64_t(d) : int64_t(d) - int64_t(move.shape.size());
      for (auto [input, value] :
           {std::pair(0, start), std::pair(1, end), std::pair(2, axis), std::pair(3, step)})
        move.numbers[input].push_back(value);
    }
    check(move);
  }
}

/// The input's indices of a padded dimension.
Numbers padded(int64_t size, int64_t before, int64_t behind, const std::string &mode) {
  Numbers result;
  for (int64_t at = -before; at < size + behind; ++at) {
    const int64_t reflected = at < 0 ? -at : at >= size ? 2 * (size - 1) - at : at;
    const bool inside = at >= 0 && at < size;
    result.push_back(inside              ? at
                     : mode == "edge"    ? std::clamp<int64_t>(at, 0, size - 1)
                     : mode == "reflect" ? reflected
                                         : -1);
  }
  return result;
}

TEST_F(Moves, Pad) {
  for (const char *mode : {"constant", "edge", "reflect"})
    for (int round = 0; round < 8; ++round) {
      Move move{"Pad", shape(), {}, {{}}, {{"mode", mode}}};
      Numbers before, behind;
      for (int64_t size : move.shape) {
        const int64_t most = std::string(mode) == "reflect" ? size - 1 : 3;
        const int64_t least = std::max<int64_t>(-2, -size);
        before.push_back(number(least, most)), behind.push_back(number(least, most));
        if (size + before.back() + behind.back() < 0)
          before.back() = behind.back() = 0;
        move.sources.push_back(padded(size, before.back(), behind.back(), mode));
      }
      move.numbers[0] = before;
      move.numbers[0].insert(move.numbers[0].end(), behind.begin(), behind.end());
      check(move);
    }
}

TEST_F(Moves, Tile) {
  for (int round = 0; round < 8; ++round) {
    Move move{"Tile", shape(), {}, {{}}};
    for (int64_t size : move.shape) {
      move.numbers[0].push_back(number(1, 3));
      Numbers along;
      for (int64_t at = 0; at < size * move.numbers[0].back(); ++at)
        along.push_back(at % size);
      move.sources.push_back(along);
    }
    check(move);
  }
}

TEST_F(Moves, Expand) {
  for (int round = 0; round < 8; ++round) {
    Move move{"Expand", shape(), {}, {{}}};
    for (int64_t &size : move.shape) {
      size = number(0, 1) ? 1 : size;
      move.numbers[0].push_back(size == 1 ? number(1, 4) : number(0, 1) ? 1 : size);
      Numbers along;
      for (int64_t at = 0; at < std::max(size, move.numbers[0].back()); ++at)
        along.push_back(size == 1 ? 0 : at);
      move.sources.push_back(along);
    }
    check(move);
  }
}

TEST_F(Moves, ANumberHasNothingToTranspose) {
  EXPECT_EQ(run({"Transpose", {}, {}}, {7}, false), (std::vector<float>{7}));
}

} // namespace
} // namespace daedalus::test
