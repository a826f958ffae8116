#include "CaseData.h"
#include "OnnxFile.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace daedalus::cli {
namespace {

using package::DType;
using Names = std::vector<std::string>;

constexpr float scale = 1.0f / 64; // of quantized inputs; results of products have 1
constexpr int8_t zero = -128;      // of quantized inputs

/// xorshift64*.
class Random {
public:
  uint32_t bits() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return static_cast<uint32_t>((state * 0x2545F4914F6CDD1D) >> 32);
  }
  float real() { return static_cast<float>(bits() >> 8) / (1 << 23) - 1; } // from -1 to 1

private:
  uint64_t state = 0x9E3779B97F4A7C15;
};

std::vector<uint8_t> floats(Random &random, uint64_t count) {
  std::vector<uint8_t> bytes(count * sizeof(float));
  for (uint64_t i = 0; i < count; ++i) {
    const float value = random.real();
    std::memcpy(&bytes[i * sizeof value], &value, sizeof value);
  }
  return bytes;
}

/// Whole numbers from `least`, `count` different ones at most.
std::vector<uint8_t> bytesFrom(Random &random, uint64_t size, int least, uint32_t count) {
  std::vector<uint8_t> bytes(size);
  for (uint8_t &byte : bytes)
    byte = static_cast<uint8_t>(least + static_cast<int>(random.bits() % count));
  return bytes;
}

int64_t reduction(const CpuCase &c) {
  return c.kind == CaseKind::MatMul ? c.k : c.channels / c.groups * c.kernel * c.kernel;
}

/// So that the results of random numbers fill the int8 range and seldom leave it.
std::vector<float> factorsOf(const CpuCase &c, Random &random) {
  const float typical = 40 / (std::sqrt(static_cast<float>(reduction(c))) * 73 * 73);
  std::vector<float> factors(c.kind == CaseKind::Conv ? c.outputs : 1);
  for (float &factor : factors)
    factor = typical * (1 + random.real() / 4);
  return factors;
}

package::TensorType vectorOf(DType dtype, size_t size) {
  return {dtype, {static_cast<int64_t>(size)}};
}

/// The constants of quantized weights, and their DequantizeLinear: "w", and "b" where there is a bias.
void addQuantizedWeights(OnnxFile &file, const CpuCase &c, const CaseData &data) {
  const bool isConv = c.kind == CaseKind::Conv;
  std::vector<float> scales;
  for (float factor : data.factors)
    scales.push_back(factor / scale);
  const std::vector<int8_t> zeros(scales.size());
  const auto shape = [&](DType dtype) {
    return isConv ? vectorOf(dtype, scales.size()) : package::TensorType{dtype, {}};
  };
  file.constant("w8", c.weights(), data.weights.data());
  file.constant("wScale", shape(DType::F32), scales.data());
  file.constant("wZero", shape(DType::I8), zeros.data());
  file.node("weights", "DequantizeLinear", {"w8", "wScale", "wZero"}, "w", {{"axis", {0}, false}});
  if (!isConv)
    return;
  for (float &value : scales)
    value *= scale;
  const std::vector<int32_t> bias(data.bias.begin(), data.bias.end());
  file.constant("b32", vectorOf(DType::I32, bias.size()), bias.data());
  file.constant("bScale", vectorOf(DType::F32, scales.size()), scales.data());
  file.node("bias", "DequantizeLinear", {"b32", "bScale"}, "b", {{"axis", {0}, false}});
}

void addFloatConstants(OnnxFile &file, const CpuCase &c, const CaseData &data) {
  if (c.kind == CaseKind::LayerNorm)
    file.constant("w", vectorOf(DType::F32, data.factors.size()), data.factors.data());
  else if (!data.weights.empty())
    file.constant("w", c.weights(), data.weights.data());
  if (!data.bias.empty())
    file.constant("b", vectorOf(DType::F32, data.bias.size()), data.bias.data());
}

std::string operatorOf(CaseKind kind) {
  switch (kind) {
  case CaseKind::MatMul:
    return "MatMul";
  case CaseKind::Conv:
    return "Conv";
  case CaseKind::Softmax:
    return "Softmax";
  case CaseKind::LayerNorm:
    return "LayerNormalization";
  case CaseKind::Add:
    return "Add";
  case CaseKind::MaxPool:
    return "MaxPool";
  case CaseKind::AveragePool:
    return "AveragePool";
  case CaseKind::GlobalAveragePool:
    return "GlobalAveragePool";
  }
  return "";
}

void addKernel(OnnxFile &file, const CpuCase &c, const std::string &prefix, const std::string &result) {
  Names inputs = {prefix + "x"};
  if (c.kind == CaseKind::Add)
    inputs.push_back(prefix + "z");
  if (c.kind == CaseKind::MatMul || c.kind == CaseKind::Conv || c.kind == CaseKind::LayerNorm)
    inputs.push_back("w");
  if (c.kind == CaseKind::Conv || c.kind == CaseKind::LayerNorm)
    inputs.push_back("b");
  std::vector<OnnxAttribute> attributes;
  if (c.kind == CaseKind::Conv || c.kind == CaseKind::MaxPool || c.kind == CaseKind::AveragePool)
    attributes = {{"kernel_shape", {c.kernel, c.kernel}},
                  {"strides", {c.stride, c.stride}},
                  {"pads", {c.pad, c.pad, c.pad, c.pad}}};
  if (c.kind == CaseKind::Conv)
    attributes.push_back({"group", {c.groups}, false});
  file.node("kernel", operatorOf(c.kind), inputs, result, attributes);
}

void addQuantized(OnnxFile &file, const CpuCase &c, const CaseData &data) {
  file.scalar("xScale", scale);
  file.scalar("xZero", zero);
  file.node("input", "DequantizeLinear", {"x", "xScale", "xZero"}, "float_x");
  if (c.kind == CaseKind::Add) {
    file.scalar("zScale", scale / 2);
    file.node("second", "DequantizeLinear", {"z", "zScale", "xZero"}, "float_z");
  }
  if (!c.isMemoryBound())
    addQuantizedWeights(file, c, data);
  addKernel(file, c, "float_", "float_y");
  file.scalar("yScale", c.isMemoryBound() ? scale : 1.0f);
  file.scalar("yZero", c.isMemoryBound() ? zero : int8_t(0));
  file.node("output", "QuantizeLinear", {"float_y", "yScale", "yZero"}, "y");
}

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
    return c.isInt8 ? static_cast<int8_t>(bytes[index]) - zero : real(bytes, index);
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

CaseData caseData(const CpuCase &c) {
  Random random;
  const auto activations = [&] {
    return c.isInt8 ? bytesFrom(random, elementCount(c.input()), zero, 128)
                    : floats(random, elementCount(c.input()));
  };
  CaseData data;
  data.input = activations();
  if (c.kind == CaseKind::Add)
    data.second = activations();
  if (!c.isMemoryBound()) {
    const uint64_t count = elementCount(c.weights());
    data.weights = c.isInt8 ? bytesFrom(random, count, -127, 255) : floats(random, count);
  }
  if (c.kind == CaseKind::Conv || c.kind == CaseKind::LayerNorm)
    for (int64_t i = 0; i < (c.kind == CaseKind::Conv ? c.outputs : c.n); ++i)
      data.bias.push_back(c.isInt8 ? std::round(random.real() * 1000) : random.real());
  if (c.kind == CaseKind::LayerNorm)
    for (int64_t i = 0; i < c.n; ++i)
      data.factors.push_back(random.real());
  else if (c.isInt8 && !c.isMemoryBound())
    data.factors = factorsOf(c, random);
  return data;
}

std::string onnxModel(const CpuCase &c, const CaseData &data) {
  OnnxFile file;
  file.input("x", c.input());
  if (c.kind == CaseKind::Add)
    file.input("z", c.input());
  file.output("y", c.output());
  if (c.isInt8) {
    addQuantized(file, c, data);
  } else {
    addFloatConstants(file, c, data);
    addKernel(file, c, "", "y");
  }
  return file.bytes();
}

double expectedAt(const CpuCase &c, const CaseData &data, uint64_t index) {
  const double result = resultAt(c, data, index);
  if (!c.isInt8)
    return result;
  return std::clamp(result + (c.isMemoryBound() ? zero : 0), -128.0, 127.0);
}

} // namespace daedalus::cli
