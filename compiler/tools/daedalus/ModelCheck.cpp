#include "ModelCheck.h"
#include "Files.h"
#include "daedalus/Import/ONNX/TestData.h"
#include "daedalus/runtime/session.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

namespace daedalus::cli {
namespace {

namespace fs = std::filesystem;

constexpr double Relative = 1e-3, Absolute = 1e-7; // as ONNX's own runner

CheckOutcome refused(std::string why) {
  return {Verdict::Refused, std::move(why), {}};
}

std::string unreadable(const std::string &folder, const std::error_code &why) {
  return "cannot read the folder '" + folder + "': " + why.message();
}

/// Sorted; those that cannot be looked at are among them, for their files say why.
Result<std::vector<std::string>> dataSets(const std::string &folder) {
  std::vector<std::string> sets;
  std::error_code failure, none;
  for (auto it = fs::directory_iterator(folder, failure); it != fs::directory_iterator();
       it.increment(failure))
    if (it->is_directory(none) && it->path().filename().string().rfind("test_data_set_", 0) == 0)
      sets.push_back(it->path().string());
  if (failure)
    return error(unreadable(folder, failure));
  std::sort(sets.begin(), sets.end());
  return sets;
}

double numberAt(const uint8_t *data, package::DType dtype, uint64_t at) {
  const auto as = [&](auto value) {
    std::memcpy(&value, data + at * sizeof value, sizeof value);
    return static_cast<double>(value);
  };
  switch (dtype) {
  case package::DType::F32:
    return as(float());
  case package::DType::F64:
    return as(double());
  case package::DType::I32:
    return as(int32_t());
  case package::DType::I64:
    return as(int64_t());
  case package::DType::I8:
    return as(int8_t());
  default:
    return as(uint8_t());
  }
}

bool isClose(double value, double expected) {
  if (std::isnan(value) || std::isnan(expected))
    return std::isnan(value) && std::isnan(expected);
  if (std::isinf(value) || std::isinf(expected))
    return value == expected;
  return std::abs(value - expected) <= Absolute + Relative * std::abs(expected);
}

/// What is wrong with an output; empty: nothing.
std::string compare(const runtime::Tensor &output, const OnnxTensor &expected) {
  const std::string what = "output '" + output.name + "' ";
  if (output.type != expected.type)
    return what + "is " + package::toString(output.type) + ", expected " + package::toString(expected.type);
  const bool isFloat = output.type.dtype == package::DType::F32 || output.type.dtype == package::DType::F64;
  if (!isFloat && output.data == expected.data)
    return "";
  for (uint64_t i = 0; i < package::elementCount(output.type); ++i) {
    const double value = numberAt(output.data.data(), output.type.dtype, i);
    const double wanted = numberAt(expected.data.data(), output.type.dtype, i);
    if (isFloat ? !isClose(value, wanted) : value != wanted)
      return what + "is " + std::to_string(value) + " at element " + std::to_string(i) + ", expected " +
             std::to_string(wanted);
  }
  return "";
}

CheckOutcome runSet(runtime::Session &session, const package::Function &function, const std::string &set) {
  const auto file = [&](const char *kind, size_t i) {
    return (fs::path(set) / (std::string(kind) + "_" + std::to_string(i) + ".pb")).string();
  };
  std::vector<runtime::Tensor> inputs;
  for (size_t i = 0; i < function.inputs.size(); ++i) {
    auto tensor = readOnnxTensor(file("input", i));
    if (!tensor)
      return refused(tensor.error());
    inputs.push_back({function.inputs[i].name, tensor->type, std::move(tensor->data)});
  }
  auto result = session.run(function.name, inputs);
  if (!result)
    return refused(result.error());
  for (size_t i = 0; i < result->outputs.size(); ++i) {
    const auto expected = readOnnxTensor(file("output", i));
    if (!expected)
      return refused(expected.error());
    if (std::string wrong = compare(result->outputs[i], *expected); !wrong.empty())
      return {Verdict::Wrong, wrong, {}};
  }
  return {};
}

/// The model of a test, which need not be there: model.mlir where model.onnx is not.
fs::path modelOf(const fs::path &folder) {
  std::error_code failure;
  const fs::path program = folder / "model.mlir", model = folder / "model.onnx";
  return fs::exists(program, failure) && !fs::exists(model, failure) ? program : model;
}

} // namespace

const char *name(Verdict verdict) {
  return verdict == Verdict::Passed ? "passed" : verdict == Verdict::Refused ? "refused" : "wrong";
}

std::vector<std::string> findTests(const std::string &folder) {
  std::vector<std::string> tests;
  std::error_code failure;
  if (fs::exists(modelOf(folder), failure))
    return {folder};
  std::string at = folder; // where the iterator is
  for (auto it = fs::recursive_directory_iterator(folder, failure); it != fs::recursive_directory_iterator();
       it.increment(failure)) {
    at = it->path().string();
    if (it->path() == modelOf(it->path().parent_path()))
      tests.push_back(it->path().parent_path().string());
  }
  if (failure && failure != std::errc::no_such_file_or_directory && failure != std::errc::not_a_directory)
    throw Failed{unreadable(at, failure)};
  if (tests.empty())
    throw Failed{"'" + folder +
                 "' holds no test: expected a folder with model.onnx or model.mlir, and test_data_set_0, in or below it"};
  std::sort(tests.begin(), tests.end());
  return tests;
}

CheckOutcome checkTest(const std::string &folder, const CompileOptions &options, const std::string &engine) {
  auto compiled = compileModel(modelOf(folder).string(), options);
  if (!compiled)
    return refused(compiled.error());
  CheckOutcome outcome;
  for (const package::Layer &layer : compiled->package.layers)
    if (std::find(outcome.targets.begin(), outcome.targets.end(), layer.target) == outcome.targets.end())
      outcome.targets.push_back(layer.target);
  runtime::SessionOptions sessionOptions;
  sessionOptions.engine = engine;
  auto session = runtime::Session::create(std::move(compiled->package), sessionOptions);
  if (!session)
    return refused(session.error());
  const auto function = (*session)->function(0);
  const auto sets = dataSets(folder);
  if (!sets)
    return refused(sets.error());
  if (sets->empty())
    return refused("there is no folder test_data_set_* beside the model");
  for (const std::string &set : *sets) {
    CheckOutcome one = runSet(**session, **function, set);
    if (one.verdict != Verdict::Passed)
      return one;
  }
  return outcome;
}

} // namespace daedalus::cli
