// What a case computes, element by element and in double precision.
#include "Definition.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace daedalus::cli {
namespace {

/// Elements of a case's tensors as numbers; int8 activations as what they stand for.
class Values {
public:
  Values(const CpuCase &c, const CaseData &data) : c(c), data(data) {}
  double input(uint64_t index) const { return activation(data.input, index); }
  double second(uint64_t index) const { return activation(data.second, index); }
  double weight(uint64_t index) const {
    return c.isInt8 ? static_cast<int8_t>(data.weights[index]) : real(data.weights, index);
  }

private:
  static double real(const std::vector<uint8_t> &bytes, uint64_t index) {
    float value;
    std::memcpy(&value, &bytes[index * sizeof value], sizeof value);
    return value;
  }
  double activation(const std::vector<uint8_t> &bytes, uint64_t index) const {
    return c.isInt8 ? static_cast<int8_t>(bytes[index]) - quantizedZero : real(bytes, index);
  }
  const CpuCase &c;
  const CaseData &data;
};

/// Calls of the input's element and the place in the window, of those that lie inside of the image.
template <class F> void overWindow(const CpuCase &c, uint64_t plane, uint64_t pixel, F visit) {
  const int64_t y = int64_t(pixel) / c.outWidth() * c.stride - c.pad,
                x = int64_t(pixel) % c.outWidth() * c.stride - c.pad;
  for (int64_t row = 0; row < c.kernel; ++row)
    for (int64_t column = 0; column < c.kernel; ++column)
      if (y + row >= 0 && y + row < c.height && x + column >= 0 && x + column < c.width)
        visit((int64_t(plane) * c.height + y + row) * c.width + x + column, row * c.kernel + column);
}

double matMulAt(const CpuCase &c, const Values &values, uint64_t index) {
  double sum = 0;
  for (int64_t k = 0; k < c.k; ++k)
    sum += values.input(index / c.n * c.k + k) * values.weight(k * c.n + index % c.n);
  return sum;
}

double convAt(const CpuCase &c, const Values &values, uint64_t index) {
  const uint64_t pixels = c.outHeight() * c.outWidth(), plane = index / pixels;
  const int64_t image = int64_t(plane) / c.outputs, output = int64_t(plane) % c.outputs;
  const int64_t channels = c.channels / c.groups, first = output / (c.outputs / c.groups) * channels;
  double sum = 0;
  for (int64_t channel = 0; channel < channels; ++channel)
    overWindow(c, image * c.channels + first + channel, index % pixels, [&](int64_t element, int64_t place) {
      sum +=
          values.input(element) * values.weight((output * channels + channel) * c.kernel * c.kernel + place);
    });
  return sum;
}

double pooledAt(const CpuCase &c, const Values &values, uint64_t index) {
  const uint64_t pixels = c.outHeight() * c.outWidth();
  double sum = 0, most = -INFINITY, count = 0;
  overWindow(c, index / pixels, index % pixels, [&](int64_t element, int64_t) {
    sum += values.input(element);
    most = std::max(most, values.input(element));
    ++count;
  });
  return c.kind == CaseKind::MaxPool ? most : sum / count;
}

double softmaxAt(const CpuCase &c, const Values &values, uint64_t index) {
  const uint64_t row = index / c.n * c.n;
  double sum = 0;
  for (int64_t i = 0; i < c.n; ++i)
    sum += std::exp(values.input(row + i));
  return std::exp(values.input(index)) / sum;
}

double layerNormAt(const CpuCase &c, const CaseData &data, const Values &values, uint64_t index) {
  const uint64_t row = index / c.n * c.n;
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < c.n; ++i) {
    sum += values.input(row + i);
    squares += values.input(row + i) * values.input(row + i);
  }
  const double mean = sum / double(c.n), variance = squares / double(c.n) - mean * mean;
  return (values.input(index) - mean) / std::sqrt(variance + 1e-5) * data.factors[index % c.n] +
         data.bias[index % c.n];
}

/// In the units of the result, before its zero point.
double resultAt(const CpuCase &c, const CaseData &data, uint64_t index) {
  const Values values(c, data);
  switch (c.kind) {
  case CaseKind::MatMul:
    return matMulAt(c, values, index) * (c.isInt8 ? data.factors[0] : 1);
  case CaseKind::Conv: {
    const uint64_t channel = index / (c.outHeight() * c.outWidth()) % c.outputs;
    return (convAt(c, values, index) + data.bias[channel]) * (c.isInt8 ? data.factors[channel] : 1);
  }
  case CaseKind::Softmax:
    return softmaxAt(c, values, index);
  case CaseKind::LayerNorm:
    return layerNormAt(c, data, values, index);
  case CaseKind::Add:
    return values.input(index) + values.second(index) / (c.isInt8 ? 2 : 1);
  case CaseKind::MaxPool:
  case CaseKind::AveragePool:
  case CaseKind::GlobalAveragePool:
    return pooledAt(c, values, index);
  }
  return 0;
}

} // namespace

double expectedAt(const CpuCase &c, const CaseData &data, uint64_t index) {
  const double result = resultAt(c, data, index);
  if (!c.isInt8)
    return result;
  return std::clamp(result + (c.isMemoryBound() ? quantizedZero : 0), -128.0, 127.0);
}

} // namespace daedalus::cli
