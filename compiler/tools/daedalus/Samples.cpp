#include "Samples.h"
#include "Files.h"
#include "Progress.h"
#include "daedalus/runtime/npy.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace daedalus::cli {
namespace {

using package::TensorType;
using package::Value;
using runtime::Tensor;

std::string named(const Value &value) {
  return "'" + value.name + "' (" + package::toString(value.type) + ")";
}

std::string listed(const std::vector<Value> &values) {
  std::string text;
  for (const Value &value : values)
    text += (text.empty() ? "" : ", ") + named(value);
  return text;
}

const Value &find(const package::Function &function, const std::string &name) {
  for (const Value &value : function.inputs)
    if (value.name == name)
      return value;
  throw Failed{"the model has no input '" + name + "'; its inputs are " + listed(function.inputs)};
}

// The type of one sample where the first dimension counts samples, else the type itself.
TensorType sampleType(TensorType type, bool samples) {
  if (samples && !type.shape.empty())
    type.shape[0] = 1;
  return type;
}

void checkType(const Tensor &tensor, const Value &value, const std::string &path, bool samples) {
  if (samples && (value.type.shape.empty() || value.type.shape[0] != 1))
    throw Failed{"--samples needs a first dimension of 1, and the input " + named(value) + " has none"};
  if (sampleType(tensor.type, samples) == value.type)
    return;
  TensorType expected = value.type;
  std::string text = package::toString(expected);
  if (samples)
    text.replace(text.find('[') + 1, 1, "samples"); // the first dimension is 1
  throw Failed{"'" + path + "' holds " + package::toString(tensor.type) + ", but the input '" + value.name +
               "' is " + text};
}

void checkAllGiven(const std::vector<Tensor> &tensors, const package::Function &function) {
  std::vector<Value> missing;
  for (const Value &value : function.inputs)
    if (std::none_of(tensors.begin(), tensors.end(), [&](const Tensor &t) { return t.name == value.name; }))
      missing.push_back(value);
  if (!missing.empty())
    throw Failed{"no data for the input " + listed(missing) + ": give it with --input " + missing[0].name +
                 "=FILE.npy"};
}

Tensor slice(const Tensor &tensor, uint64_t index) {
  Tensor part{tensor.name, sampleType(tensor.type, true), {}};
  uint64_t bytes = package::byteSize(part.type);
  part.data.assign(tensor.data.begin() + index * bytes, tensor.data.begin() + (index + 1) * bytes);
  return part;
}

int64_t integerAt(const Tensor &tensor, uint64_t index) {
  const uint8_t *at = &tensor.data[index * package::byteSize(tensor.type.dtype)];
  switch (tensor.type.dtype) {
  case package::DType::I8:
    return static_cast<int8_t>(*at);
  case package::DType::I32: {
    int32_t value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  case package::DType::I64: {
    int64_t value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  default:
    return *at;
  }
}

double numberAt(const Tensor &tensor, uint64_t index) {
  if (tensor.type.dtype == package::DType::F64) {
    double value;
    std::memcpy(&value, &tensor.data[index * sizeof value], sizeof value);
    return value;
  }
  if (tensor.type.dtype != package::DType::F32)
    return static_cast<double>(integerAt(tensor, index));
  float value;
  std::memcpy(&value, &tensor.data[index * sizeof value], sizeof value);
  return value;
}

} // namespace

std::vector<Tensor> readInputs(const std::vector<std::string> &options, const package::Function &function,
                               bool samples) {
  std::vector<Tensor> tensors;
  for (const std::string &option : options) {
    size_t equals = option.find('=');
    if (equals == std::string::npos)
      throw Usage{"--input takes NAME=FILE.npy, not '" + option + "'"};
    std::string name = option.substr(0, equals), path = option.substr(equals + 1);
    const Value &value = find(function, name);
    if (std::any_of(tensors.begin(), tensors.end(), [&](const Tensor &t) { return t.name == name; }))
      throw Usage{"--input gives '" + name + "' twice"};
    Tensor tensor = orFail(runtime::readNpy(path));
    checkType(tensor, value, path, samples);
    if (samples && !tensors.empty() && tensor.type.shape[0] != tensors[0].type.shape[0])
      throw Failed{"the inputs '" + tensors[0].name + "' and '" + name + "' have " +
                   std::to_string(tensors[0].type.shape[0]) + " and " + std::to_string(tensor.type.shape[0]) +
                   " samples, which should be the same number"};
    tensor.name = name;
    tensors.push_back(std::move(tensor));
  }
  checkAllGiven(tensors, function);
  return tensors;
}

std::vector<Tensor> zeroInputs(const package::Function &function) {
  std::vector<Tensor> tensors;
  for (const Value &value : function.inputs)
    tensors.push_back({value.name, value.type, std::vector<uint8_t>(package::byteSize(value.type))});
  return tensors;
}

std::vector<Tensor> randomInputs(const package::Function &function) {
  std::mt19937 random(1);
  std::vector<Tensor> tensors = zeroInputs(function);
  for (Tensor &tensor : tensors) {
    if (tensor.type.dtype == package::DType::F32) {
      for (size_t at = 0; at + sizeof(float) <= tensor.data.size(); at += sizeof(float)) {
        const float value = static_cast<float>(random() >> 8) / (1 << 23) * 3 - 3; // from -3 to 3
        std::memcpy(&tensor.data[at], &value, sizeof value);
      }
    } else if (tensor.type.dtype == package::DType::I8 || tensor.type.dtype == package::DType::U8) {
      for (uint8_t &byte : tensor.data)
        byte = static_cast<uint8_t>(random());
    }
  }
  return tensors;
}

SampleRun runSamples(runtime::Session &session, const package::Function &function,
                     const std::vector<Tensor> &inputs) {
  SampleRun run;
  run.samples = inputs.empty() ? 0 : static_cast<uint64_t>(inputs[0].type.shape[0]);
  if (run.samples == 0)
    throw Failed{"--samples found no samples: the model has no inputs, or they are empty"};
  Progress progress(run.samples, "samples");
  for (uint64_t i = 0; i < run.samples; ++i) {
    std::vector<Tensor> parts;
    for (const Tensor &input : inputs)
      parts.push_back(slice(input, i));
    runtime::RunResult result = orFail(session.run(function.name, parts));
    run.totalCycles += result.cycles;
    const std::vector<uint8_t> &data = result.outputs.at(0).data;
    run.stacked.data.insert(run.stacked.data.end(), data.begin(), data.end());
    if (i == 0)
      run.first = std::move(result);
    progress.done(i + 1);
  }
  run.stacked.name = run.first.outputs[0].name;
  run.stacked.type = run.first.outputs[0].type;
  if (run.stacked.type.shape.empty() || run.stacked.type.shape[0] != 1)
    run.stacked.type.shape.insert(run.stacked.type.shape.begin(), 0);
  run.stacked.type.shape[0] = static_cast<int64_t>(run.samples);
  return run;
}

double accuracy(const Tensor &stacked, const std::string &labelsPath) {
  Tensor labels = orFail(runtime::readNpy(labelsPath));
  uint64_t samples = static_cast<uint64_t>(stacked.type.shape[0]);
  if (labels.type.dtype == package::DType::F32 || labels.type.dtype == package::DType::F64 ||
      labels.type.shape.size() != 1 || package::elementCount(labels.type) != samples)
    throw Failed{"'" + labelsPath + "' holds " + package::toString(labels.type) + ", but the labels of " +
                 std::to_string(samples) + " samples are integers of shape [" + std::to_string(samples) +
                 "]"};
  uint64_t values = package::elementCount(stacked.type) / samples, right = 0;
  for (uint64_t i = 0; i < samples; ++i) {
    uint64_t best = 0;
    for (uint64_t k = 1; k < values; ++k)
      if (numberAt(stacked, i * values + k) > numberAt(stacked, i * values + best))
        best = k;
    right += integerAt(labels, i) == static_cast<int64_t>(best);
  }
  return static_cast<double>(right) / static_cast<double>(samples);
}

} // namespace daedalus::cli
