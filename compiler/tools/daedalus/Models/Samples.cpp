#include "Samples.h"
#include "Report/Numbers.h"
#include "cli/Files.h"
#include "cli/Progress.h"
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

/// What a first dimension that is too long may mean.
std::string samplesHint(const TensorType &given, const TensorType &expected) {
  const bool isBatch = expected.shape.size() == given.shape.size() && !given.shape.empty() &&
                       expected.shape[0] == 1 && given.shape[0] > 1 && sampleType(given, true) == expected;
  return isBatch ? "; --samples runs each of the " + std::to_string(given.shape[0]) : "";
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
               "' is " + text + (samples ? "" : samplesHint(tensor.type, value.type))};
}

bool isGiven(const std::vector<Tensor> &tensors, const std::string &name) {
  return std::any_of(tensors.begin(), tensors.end(), [&](const Tensor &t) { return t.name == name; });
}

/// The name and the file of an option: a function's only input needs no name.
std::pair<std::string, std::string> inputOf(const std::string &option, const package::Function &function) {
  if (const size_t equals = option.find('='); equals != std::string::npos)
    return {option.substr(0, equals), option.substr(equals + 1)};
  if (function.inputs.size() != 1)
    throw Usage{"--input takes NAME=FILE.npy, not '" + option + "', where a model has " +
                std::to_string(function.inputs.size()) + " inputs: " + listed(function.inputs)};
  return {function.inputs[0].name, option};
}

void checkAllGiven(const std::vector<Tensor> &tensors, const package::Function &function) {
  std::vector<Value> missing;
  for (const Value &value : function.inputs)
    if (!isGiven(tensors, value.name))
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

/// A first dimension of 1 counts the samples; without one there is another in front.
TensorType stackedType(TensorType type, uint64_t samples) {
  if (type.shape.empty() || type.shape[0] != 1)
    type.shape.insert(type.shape.begin(), 0);
  type.shape[0] = static_cast<int64_t>(samples);
  return type;
}

} // namespace

std::vector<Tensor> readInputs(const std::vector<std::string> &options, InputFiles &files,
                               const package::Function &function, bool samples) {
  std::vector<Tensor> tensors;
  for (const std::string &option : options) {
    const auto [name, path] = inputOf(option, function);
    const Value &value = find(function, name);
    if (isGiven(tensors, name))
      throw Usage{"--input gives '" + name + "' twice"};
    Tensor tensor = files.take(path);
    checkType(tensor, value, path, samples);
    if (samples && !tensors.empty() && tensor.type.shape[0] != tensors[0].type.shape[0])
      throw Failed{"the inputs '" + tensors[0].name + "' and '" + name + "' have " +
                   std::to_string(tensors[0].type.shape[0]) + " and " + std::to_string(tensor.type.shape[0]) +
                   " samples; expected the same number"};
    tensor.name = name;
    tensors.push_back(std::move(tensor));
  }
  checkAllGiven(tensors, function);
  return tensors;
}

SampleRun runSamples(runtime::Session &session, const package::Function &function,
                     const std::vector<Tensor> &inputs, bool keepsAll) {
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
    const size_t kept = keepsAll ? result.outputs.size() : 1;
    run.stacked.resize(kept);
    for (size_t k = 0; k < kept; ++k) {
      const std::vector<uint8_t> &data = result.outputs.at(k).data;
      run.stacked[k].data.insert(run.stacked[k].data.end(), data.begin(), data.end());
    }
    if (i == 0)
      run.first = std::move(result);
    progress.done(i + 1);
  }
  for (size_t k = 0; k < run.stacked.size(); ++k) {
    run.stacked[k].name = run.first.outputs[k].name;
    run.stacked[k].type = stackedType(run.first.outputs[k].type, run.samples);
  }
  return run;
}

double accuracy(const Tensor &stacked, const std::string &labelsPath) {
  Tensor labels = orFail(runtime::readNpy(labelsPath));
  uint64_t samples = static_cast<uint64_t>(stacked.type.shape[0]);
  if (isFloat(labels.type.dtype) || labels.type.shape.size() != 1 ||
      package::elementCount(labels.type) != samples)
    throw Failed{"'" + labelsPath + "' holds " + package::toString(labels.type) + ", but the labels of " +
                 std::to_string(samples) + " samples are integers of shape [" + std::to_string(samples) +
                 "]"};
  uint64_t values = package::elementCount(stacked.type) / samples, right = 0;
  for (uint64_t i = 0; i < samples; ++i) {
    uint64_t best = 0;
    for (uint64_t k = 1; k < values; ++k)
      if (numberAt(stacked.data, stacked.type.dtype, i * values + k) >
          numberAt(stacked.data, stacked.type.dtype, i * values + best))
        best = k;
    right += integerAt(labels.data, labels.type.dtype, i) == static_cast<int64_t>(best);
  }
  return static_cast<double>(right) / static_cast<double>(samples);
}

} // namespace daedalus::cli
