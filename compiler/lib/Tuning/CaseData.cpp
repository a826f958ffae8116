#include "Tuning/CaseData.h"
#include "Tuning/OnnxFile.h"

#include <cmath>
#include <cstring>

namespace daedalus::tuning {
namespace {

using package::DType;
using Names = std::vector<std::string>;

constexpr float scale = 1.0f / 64; // of quantized inputs; results of products have 1

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
  file.scalar("xZero", quantizedZero);
  file.node("input", "DequantizeLinear", {"x", "xScale", "xZero"}, "float_x");
  if (c.kind == CaseKind::Add) {
    file.scalar("zScale", scale / 2);
    file.node("second", "DequantizeLinear", {"z", "zScale", "xZero"}, "float_z");
  }
  if (!c.isMemoryBound())
    addQuantizedWeights(file, c, data);
  addKernel(file, c, "float_", "float_y");
  file.scalar("yScale", c.outputScale * (c.isMemoryBound() ? scale : 1.0f));
  file.scalar("yZero", c.isMemoryBound() ? quantizedZero : int8_t(0));
  file.node("output", "QuantizeLinear", {"float_y", "yScale", "yZero"}, "y");
}

} // namespace

CaseData caseData(const CpuCase &c) {
  Random random;
  const auto activations = [&] {
    return c.isInt8 ? bytesFrom(random, elementCount(c.input()), quantizedZero, 128)
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

} // namespace daedalus::tuning
