// Transformations of kernels: what flatten, diagonal weights and fuse make of a kernel computes the same as
// the kernel did, element by element, by plain loops over the nest; fold, split and ramp leave nothing out.

#include "Kernels/Select.h"
#include "Transforms/Transforms.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace daedalus::testing {
namespace {

constexpr int64_t lanesOfRow = 16;

using namespace accelerator;

/// The elements that a kernel makes of dense inputs.
std::vector<int64_t> evaluate(const Kernel &kernel, const std::vector<std::vector<int8_t>> &inputs) {
  const Window &w = kernel.window;
  const int64_t in = kernel.blockDiagonal ? 0 : w.c / kernel.groups, out = w.oc / kernel.groups;
  std::vector<int64_t> result;
  const auto data = [&](int64_t b, int64_t y, int64_t x, int64_t c) -> int64_t {
    const bool isInside = y >= 0 && y < w.h && x >= 0 && x < w.w;
    return isInside ? inputs[0][((b * w.h + y) * w.w + x) * w.c + c] : w.pad;
  };
  const auto weightedSum = [&](int64_t b, int64_t y, int64_t x, int64_t o, int64_t i, int64_t j, int64_t n) {
    int64_t sum = 0;
    for (int64_t c = 0; c < n; ++c) {
      const int64_t channel = kernel.blockDiagonal ? o / n * n + c : o / out * in + c;
      if (channel < w.c)
        sum += data(b, y, x, channel) * kernel.weights[((o * w.kh + i) * w.kw + j) * n + c];
    }
    return sum;
  };
  std::vector<int64_t> arguments(Tail::FirstConstant + kernel.tail.channels.size(), 0);
  for (int64_t b = 0; b < w.b; ++b)
    for (int64_t oy = 0; oy < w.oh; ++oy)
      for (int64_t ox = 0; ox < w.ow; ++ox)
        for (int64_t o = 0; o < w.oc; ++o) {
          const size_t at = ((b * w.oh + oy) * w.ow + ox) * w.oc + o;
          int64_t sum = kernel.combiner ? kernel.combiner->neutral() : 0;
          for (int64_t i = 0; kernel.combiner && i < w.kh; ++i)
            for (int64_t j = 0; j < w.kw; ++j) {
              const int64_t y = oy * w.sh - w.pt + i * w.dh, x = ox * w.sw - w.pl + j * w.dw;
              const int64_t lanes = kernel.blockDiagonal ? lanesOfRow : in;
              if (kernel.isWeighted())
                sum += weightedSum(b, y, x, o, i, j, lanes);
              else if (kernel.combiner->kind == dae::VectorKind::Add)
                sum += data(b, y, x, o);
              else
                sum = std::max(sum, data(b, y, x, o));
            }
          for (size_t k = 0; k < kernel.inputs.size(); ++k)
            arguments[k] = isWindowed(kernel, k) ? 0 : inputs[k][at];
          arguments[Tail::Reduced] = sum;
          for (size_t k = 0; k < kernel.tail.channels.size(); ++k)
            arguments[Tail::FirstConstant + k] = kernel.tail.channels[k][o];
          result.push_back(*kernel.tail.all.evaluate(kernel.tail.result, arguments));
        }
  return result;
}

class Transforms : public ::testing::Test {
protected:
  int64_t number(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

  std::vector<int8_t> bytes(int64_t count) {
    std::vector<int8_t> values(count);
    for (int8_t &value : values)
      value = static_cast<int8_t>(number(-128, 127));
    return values;
  }

  /// A constant of int8 a channel.
  ExprId ofChannel(Kernel &kernel) {
    const std::vector<int8_t> values = bytes(kernel.window.oc);
    kernel.tail.channels.emplace_back(values.begin(), values.end());
    return kernel.tail.all.argument(Tail::FirstConstant + kernel.tail.channels.size() - 1, 32);
  }

  /// A reduction over a window, padded or as large as its input, in groups where it has weights.
  Kernel reduction(int64_t groups, bool isWhole) {
    Kernel kernel(mlir::UnknownLoc::get(&context));
    Window &w = kernel.window;
    w.b = number(1, 2), w.h = number(1, 5), w.w = number(1, 5);
    kernel.groups = groups;
    const int64_t in = number(1, 4);
    w.c = groups * in;
    w.kh = isWhole ? w.h : number(1, w.h), w.kw = isWhole ? w.w : number(1, w.w);
    w.pt = isWhole ? 0 : number(0, w.kh - 1), w.pl = isWhole ? 0 : number(0, w.kw - 1);
    w.sh = number(1, 2), w.sw = number(1, 2);
    w.pad = static_cast<int8_t>(number(-3, 3));
    w.oh = (w.h + w.pt - w.kh) / w.sh + 1, w.ow = (w.w + w.pl - w.kw) / w.sw + 1;
    if (number(0, 2) == 0) // in each way another one
      change(w);
    const bool weighted = groups > 1 || number(0, 1);
    kernel.combiner =
        Combiner{weighted || number(0, 1) ? dae::VectorKind::Add : dae::VectorKind::Max, weighted};
    w.oc = weighted ? groups * (number(0, 1) ? in : number(1, 20)) : w.c;
    if (weighted)
      kernel.weights = bytes(w.oc * w.kh * w.kw * in);
    kernel.inputs = {0};
    kernel.layouts = {std::nullopt};
    Expressions &all = kernel.tail.all;
    kernel.tail.result = all.argument(Tail::Reduced, 32);
    return kernel;
  }

  /// Steps, padding or results that other windows of the same size have; what lies behind the end is padding.
  void change(Window &w) {
    int64_t *const numbers[] = {&w.dh, &w.dw, &w.oh, &w.ow, &w.pt, &w.pl, &w.sh, &w.sw, &w.kh, &w.kw};
    if (number(0, 1))
      w.kh = w.kw = w.sh = w.sw = 1, w.pt = w.pl = 0, w.oh = w.h, w.ow = w.w;
    int64_t &one = *numbers[number(0, 9)];
    one += 1;
  }

  /// An int8: a number times the value plus another, cut.
  ExprId cut(Expressions &all, ExprId value) {
    const ExprId scaled =
        all.add(all.multiply(value, all.constant(number(-3, 3), 32)), all.constant(number(-9, 9), 32));
    return all.truncate(all.min(all.max(scaled, all.constant(-128, 32)), all.constant(127, 32)), 8);
  }

  std::vector<std::vector<int8_t>> inputsOf(const Kernel &kernel) {
    const Window &w = kernel.window;
    std::vector<std::vector<int8_t>> inputs;
    for (size_t k = 0; k < kernel.inputs.size(); ++k)
      inputs.push_back(isWindowed(kernel, k) ? bytes(w.b * w.h * w.w * w.c)
                                             : bytes(w.b * w.oh * w.ow * w.oc));
    return inputs;
  }

  mlir::MLIRContext context;
  std::mt19937 random{12};
};

TEST_F(Transforms, FlattenedKernelsComputeTheSame) {
  unsigned changed = 0;
  for (int round = 0; round < 2000; ++round) {
    Kernel kernel = reduction(1, round % 2);
    const auto inputs = inputsOf(kernel);
    const std::vector<int64_t> expected = evaluate(kernel, inputs);
    const int64_t height = kernel.window.h;
    flatten(kernel, round % 3);
    changed += kernel.window.h != height;
    ASSERT_EQ(evaluate(kernel, inputs), expected) << round;
  }
  EXPECT_GT(changed, 100u);
}

TEST_F(Transforms, FlattenedKernelsHaveTheirTensorsInOnePiece) {
  const auto window = [&](bool isWeighted) {
    Kernel kernel = reduction(1, true);
    kernel.window = Window();
    kernel.window.h = kernel.window.kh = 3, kernel.window.w = kernel.window.kw = 2;
    kernel.window.c = kernel.window.oc = 4;
    kernel.combiner = Combiner{dae::VectorKind::Add, isWeighted};
    kernel.weights = bytes(4 * 6 * 4);
    return kernel;
  };
  Kernel dense = window(true), part = window(true), sum = window(false), groups = window(true);
  groups.groups = 2;
  flatten(dense, true), flatten(part, false), flatten(sum, true), flatten(groups, true);
  EXPECT_EQ(dense.window.c, 24);
  for (const Kernel &kernel : {part, sum, groups}) {
    EXPECT_EQ(kernel.window.c, 4);
    EXPECT_EQ(kernel.window.w, 6);
  }
  Kernel repeated(mlir::UnknownLoc::get(&context));
  repeated.window.h = repeated.window.oh = 3, repeated.window.w = repeated.window.ow = 2;
  repeated.inputs = {0}, repeated.layouts = {std::nullopt};
  Kernel rows = repeated, columns = repeated, plain = repeated;
  rows.repeatH = 2, columns.repeatW = 2;
  flatten(rows, true), flatten(columns, true), flatten(plain, true);
  EXPECT_EQ(plain.window.c, 6);
  EXPECT_EQ(rows.window.h, 3);
  EXPECT_EQ(columns.window.h, 3);
}

TEST_F(Transforms, DiagonalWeightsComputeTheSame) {
  unsigned block = 0, diagonal = 0;
  for (int round = 0; round < 300; ++round) {
    Kernel kernel = reduction(number(2, 20), false);
    const auto inputs = inputsOf(kernel);
    const std::vector<int64_t> expected = evaluate(kernel, inputs);
    diagonalWeights(kernel, lanesOfRow);
    block += kernel.blockDiagonal, diagonal += kernel.diagonal;
    EXPECT_EQ(kernel.groups, 1);
    ASSERT_EQ(evaluate(kernel, inputs), expected) << round;
  }
  EXPECT_GT(block, 50u);
  EXPECT_GT(diagonal, 20u);
}

TEST_F(Transforms, PairedColumnsComputeTheSame) {
  unsigned paired = 0;
  for (int round = 0; round < 3000; ++round) {
    Kernel kernel = reduction(1, false);
    Expressions &all = kernel.tail.all;
    kernel.tail.channels = {std::vector<int64_t>(kernel.window.oc)};
    for (int64_t &value : kernel.tail.channels[0])
      value = number(0, 99);
    const ExprId biased = all.add(kernel.tail.result, all.argument(Tail::FirstConstant, 32));
    kernel.tail.result = all.requant(
        {biased, all.constant(0, 32), all.constant(1 << 30, 32), all.constant(33, 8)}, {0, -128, 127, 0});
    const auto inputs = inputsOf(kernel);
    const std::optional<Kernel> pair = pairedColumns(kernel, lanesOfRow);
    if (!pair)
      continue;
    ++paired;
    EXPECT_EQ(pair->window.ow * 2, kernel.window.ow);
    ASSERT_EQ(evaluate(*pair, inputs), evaluate(kernel, inputs)) << round;
  }
  EXPECT_GT(paired, 50u);
}

TEST_F(Transforms, OnlyWindowsThatFitARowTogetherArePaired) {
  Kernel kernel(mlir::UnknownLoc::get(&context));
  kernel.window = Window();
  kernel.window.c = 3, kernel.window.h = kernel.window.w = 8, kernel.window.oh = kernel.window.ow = 4;
  kernel.window.kh = kernel.window.kw = 3, kernel.window.sh = kernel.window.sw = 2;
  kernel.window.oc = 4;
  kernel.combiner = Combiner{dae::VectorKind::Add, true};
  kernel.weights = bytes(4 * 9 * 3);
  kernel.inputs = {0}, kernel.layouts = {std::nullopt};
  Expressions &all = kernel.tail.all;
  kernel.tail.result = all.truncate(
      all.min(all.max(all.argument(Tail::Reduced, 32), all.constant(-128, 32)), all.constant(127, 32)), 8);
  ASSERT_TRUE(pairedColumns(kernel, lanesOfRow));
  const auto refuses = [&](const std::function<void(Kernel &)> &change) {
    Kernel other = kernel;
    change(other);
    return !pairedColumns(other, lanesOfRow);
  };
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.combiner->weighted = false; }));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.dense = false; }));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.groups = 2; }));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.blockDiagonal = true; }));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.parts = {4}; }));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.repeatH = 2; }));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.repeatW = 2; }));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.window.kw = 1; }));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.window.dw = 2; }));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.window.ow = 3; }));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.window.c = 4; }));
}

TEST_F(Transforms, FusedKernelsComputeWhatBothDo) {
  for (int round = 0; round < 300; ++round) {
    Kernel producer = reduction(1, false);
    Expressions &all = producer.tail.all;
    producer.tail.result = cut(all, producer.tail.result);
    Kernel consumer(mlir::UnknownLoc::get(&context));
    const Window &w = producer.window;
    consumer.window.b = w.b, consumer.window.h = consumer.window.oh = w.oh;
    consumer.window.w = consumer.window.ow = w.ow, consumer.window.c = consumer.window.oc = w.oc;
    consumer.inputs = {0, 1};
    consumer.layouts = {std::nullopt, std::nullopt};
    Expressions &tail = consumer.tail.all;
    const auto input = [&](unsigned k) { return tail.extend(tail.argument(k, 8), 32); };
    consumer.tail.result = cut(
        tail, number(0, 1) ? tail.add(input(0), tail.multiply(input(1), number(0, 1) ? tail.constant(2, 32)
                                                                                     : ofChannel(consumer)))
                           : tail.max(input(0), input(1)));
    if (number(0, 1)) // a constant of its own
      producer.tail.result = cut(all, all.add(all.extend(producer.tail.result, 32), ofChannel(producer)));
    const size_t own = number(0, 1);
    const auto data = inputsOf(producer), inputs = inputsOf(consumer);
    std::vector<std::vector<int8_t>> separate = inputs;
    const std::vector<int64_t> between = evaluate(producer, data);
    separate[own].assign(between.begin(), between.end());
    if (!selectStages(producer) || !selectStages(consumer))
      continue; // a constant result
    const std::optional<Kernel> kernel = fused(producer, consumer, own);
    if (!kernel)
      continue;
    EXPECT_TRUE(kernel->isFused);
    ASSERT_EQ(evaluate(*kernel, {data[0], inputs[1 - own]}), evaluate(consumer, separate)) << round;
  }
}

TEST_F(Transforms, OnlyKernelsOfInt8ThatLieAsTheProductDoesAreFused) {
  Kernel producer = reduction(1, false);
  producer.tail.result = cut(producer.tail.all, producer.tail.result);
  Kernel consumer(mlir::UnknownLoc::get(&context));
  consumer.window = Window();
  consumer.inputs = {0}, consumer.layouts = {std::nullopt};
  const ExprId wide = consumer.tail.all.extend(consumer.tail.all.argument(0, 8), 32);
  consumer.tail.result = consumer.tail.all.truncate(
      consumer.tail.all.logic(ExprKind::Xor, wide, consumer.tail.all.constant(77, 32)), 8);
  const auto isFused = [&](const Kernel &first, const Kernel &last) {
    return fused(first, last, 0).has_value();
  };
  EXPECT_TRUE(isFused(producer, consumer));
  const auto refuses = [&](const std::function<void(Kernel &)> &change, bool isOfProducer = false) {
    Kernel first = producer, last = consumer;
    change(isOfProducer ? first : last);
    return !isFused(first, last);
  };
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.combiner = Combiner{}; }));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.repeatH = 2; }));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.repeatW = 2; }));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.parts = {1}; }));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.layouts[0] = Layout{}; }));
  const int64_t others = producer.window.oc + 1;
  EXPECT_TRUE(refuses([&](Kernel &kernel) {
    kernel.tail.channels = {{1}};
    kernel.window.oc = others;
  }));
  consumer.window.oc = producer.window.oc;
  consumer.tail.channels = {{1}};
  EXPECT_FALSE(refuses([](Kernel &) {}));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.isPaired = true; }, true));
  consumer.tail.channels.clear();
  EXPECT_TRUE(
      refuses([](Kernel &kernel) { kernel.tail.result = kernel.tail.all.extend(kernel.tail.result, 32); }));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.combiner.reset(); }, true));
  EXPECT_TRUE(refuses([](Kernel &kernel) { kernel.isFused = true; }, true));
}

TEST_F(Transforms, OnlyDenseWindowsFold) {
  Kernel kernel = reduction(1, false);
  kernel.window = Window();
  kernel.window.c = 4, kernel.window.h = kernel.window.w = 6, kernel.window.kh = kernel.window.kw = 3;
  kernel.combiner = Combiner{dae::VectorKind::Add, true};
  Schedule schedule;
  schedule.fold = dae::Fold::Width;
  const auto fits = [&](const Kernel &changed, int64_t blocks = 1) {
    Schedule with = schedule;
    with.ic = blocks;
    return bool(foldFits(changed, with, lanesOfRow));
  };
  EXPECT_TRUE(fits(kernel));
  EXPECT_FALSE(fits(kernel, 2));
  Kernel own = kernel, part = kernel, dilated = kernel, column = kernel;
  own.combiner->weighted = false;
  part.dense = false;
  dilated.window.dw = 2;
  column.window.dw = 2, column.window.kw = 1;
  EXPECT_FALSE(fits(own));
  EXPECT_FALSE(fits(part));
  EXPECT_FALSE(fits(dilated));
  EXPECT_TRUE(fits(column));
}

TEST_F(Transforms, FoldedWindowsHaveAllTheirLanes) {
  for (int round = 0; round < 100; ++round) {
    const Kernel kernel = reduction(1, false);
    const Window &w = kernel.window;
    const int64_t all = w.kh * w.kw * w.c;
    for (dae::Fold fold : {dae::Fold::None, dae::Fold::Width, dae::Fold::Window}) {
      const Reduction r = reductionOf(kernel, fold, lanesOfRow);
      EXPECT_EQ(r.kh * r.kw * r.lanes, all);
      EXPECT_EQ(r.blocks, (r.lanes + lanesOfRow - 1) / lanesOfRow);
    }
  }
}

TEST_F(Transforms, SplitAndRampTakeEachTileAndBlockOnce) {
  Kernel kernel = reduction(1, false);
  kernel.diagonal = true;
  for (int64_t share = 0; share <= 16; ++share) {
    Schedule schedule;
    schedule.vector = share;
    int64_t onVector = 0;
    for (int64_t tile = 0; tile < 160; ++tile)
      onVector += isOnVector(kernel, schedule, tile);
    EXPECT_EQ(onVector, 10 * share);
  }
  const std::vector<Range> pieces = rampOf({3, 4});
  ASSERT_EQ(pieces.size(), 4u);
  for (int64_t k = 0; k < 4; ++k)
    EXPECT_TRUE(pieces[k].begin == 3 + k && pieces[k].count == 1);
}

} // namespace
} // namespace daedalus::testing
