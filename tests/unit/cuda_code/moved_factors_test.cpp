// Factors that are moved so that products read them in chunks (cuda-line-up-factors): the results are those
// of plain loops, of whole numbers whose sums are exact.
#include "library_calls.h"

namespace daedalus::test {
namespace {

using Shape = std::vector<int64_t>;

struct Numbers {
  Shape shape;
  std::vector<int> values;

  Numbers(Shape shape, std::mt19937 &random) : shape(std::move(shape)) {
    int64_t count = 1;
    for (int64_t extent : this->shape)
      count *= extent;
    for (int64_t i = 0; i < count; ++i)
      values.push_back(int(random() % 3) - 1);
  }

  std::vector<uint8_t> halves() const {
    std::vector<uint16_t> made;
    for (int value : values)
      made.push_back(float16Of(float(value)));
    return bytesOfNumbers(made);
  }
  std::vector<uint8_t> bytes() const {
    return bytesOfNumbers(std::vector<int8_t>(values.begin(), values.end()));
  }
};

int64_t from(std::mt19937 &random, int64_t least, int64_t most) {
  return least + int64_t(random() % uint64_t(most - least + 1));
}

/// What the model's one kernel gives on both architectures, and that it has as many launches.
void expectOutput(const std::string &model, const std::vector<std::vector<uint8_t>> &inputs,
                  const std::vector<uint8_t> &expected, size_t launches) {
  for (const char *gpu : {"sm_80", "sm_90a"}) {
    SCOPED_TRACE(gpu);
    Result<EmulatedKernel> kernel = EmulatedKernel::ofModel(model, "", {gpu});
    Result<EmulatedRun> run = kernel ? kernel->run(inputs) : error(kernel.error());
    ASSERT_TRUE(run) << run.error();
    EXPECT_EQ(run->launches.size(), launches);
    EXPECT_EQ(run->outputs[0], expected);
  }
}

TEST(CudaMovedFactors, AreOfProductsOfBytes) {
  std::mt19937 random(1);
  for (int number = 0; number < 4; ++number) {
    SCOPED_TRACE(number);
    const bool isConstant = number % 2;
    const int64_t k = 16 * from(random, 16, 24), m = isConstant ? 40 : from(random, 256, 300),
                  n = isConstant ? 70 : from(random, 256, 300);
    const Numbers a({m, k}, random), b({k, n}, random);
    OnnxBuilder model;
    const std::string left = model.input("a", i8, a.shape),
                      right = isConstant ? model.integers(i8, b.shape, {b.values.begin(), b.values.end()})
                                         : model.input("b", i8, b.shape);
    model.output(model.node("MatMulInteger", {left, right}), i32, {m, n});
    std::vector<int32_t> expected(size_t(m * n), 0);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t l = 0; l < k; ++l)
        for (int64_t j = 0; j < n; ++j)
          expected[i * n + j] += a.values[i * k + l] * b.values[l * n + j];
    std::vector<std::vector<uint8_t>> inputs = {a.bytes()};
    if (!isConstant)
      inputs.push_back(b.bytes());
    expectOutput(model.bytes(), inputs, bytesOfNumbers(expected), isConstant ? 1 : 2);
  }
}

/// A convolution of one image, with as much around it on all sides.
struct Convolution {
  int64_t channels, results, image, kernel, stride, pad;

  explicit Convolution(std::mt19937 &random)
      : channels(8 * from(random, 2, 4)), results(from(random, 120, 140)), image(from(random, 33, 37)),
        kernel(random() % 2 ? 3 : 1), stride(from(random, 1, 2)), pad(kernel / 2) {
    if (kernel == 1)
      channels *= 4;
    while (channels * results * kernel * kernel * result() * result() < 1 << 24)
      results *= 2;
  }

  int64_t result() const { return (image + 2 * pad - kernel) / stride + 1; }

  std::vector<uint8_t> of(const Numbers &x, const Numbers &w) const {
    std::vector<uint16_t> all;
    for (int64_t f = 0; f < results; ++f)
      for (int64_t row = 0; row < result(); ++row)
        for (int64_t column = 0; column < result(); ++column)
          all.push_back(float16Of(float(sumAt(x, w, f, row, column))));
    return bytesOfNumbers(all);
  }

private:
  int sumAt(const Numbers &x, const Numbers &w, int64_t f, int64_t row, int64_t column) const {
    int sum = 0;
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t u = 0; u < kernel; ++u)
        for (int64_t v = 0; v < kernel; ++v) {
          const int64_t i = row * stride + u - pad, j = column * stride + v - pad;
          if (i >= 0 && i < image && j >= 0 && j < image)
            sum += x.values[(c * image + i) * image + j] *
                   w.values[((f * channels + c) * kernel + u) * kernel + v];
        }
    return sum;
  }
};

TEST(CudaMovedFactors, AreOfConvolutionsOfHalves) {
  std::mt19937 random(2);
  for (int number = 0; number < 4; ++number) {
    const Convolution made(random);
    SCOPED_TRACE(std::to_string(made.channels) + " channels, " + std::to_string(made.results) +
                 " results, image " + std::to_string(made.image) + ", kernel " + std::to_string(made.kernel) +
                 ", stride " + std::to_string(made.stride));
    const Numbers x({1, made.channels, made.image, made.image}, random),
        w({made.results, made.channels, made.kernel, made.kernel}, random);
    OnnxBuilder model;
    const std::string image = model.input("x", f16, x.shape), filters = model.input("w", f16, w.shape);
    const std::string y =
        model.node("Conv", {image, filters},
                   {{"strides", Shape{made.stride, made.stride}}, {"pads", Shape(4, made.pad)}});
    model.output(y, f16, {1, made.results, made.result(), made.result()});
    expectOutput(model.bytes(), {x.halves(), w.halves()}, made.of(x, w), 3);
  }
}

} // namespace
} // namespace daedalus::test
