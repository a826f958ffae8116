#include "ModelCheck.h"
#include "Comparison.h"
#include "Report/Json.h"
#include "Report/Numbers.h"
#include "cli/Files.h"
#include "daedalus/Import/ONNX/Describe.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace daedalus::cli {
namespace {

namespace fs = std::filesystem;

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

/// What the numbers of an output count in: the scale of its DequantizeLinear, 1 of bytes; 0: in nothing.
double stepOf(const runtime::Tensor &output, const OnnxDescription &model) {
  if (output.type.dtype == package::DType::I8 || output.type.dtype == package::DType::U8)
    return 1;
  for (const OnnxValueInfo &info : model.outputs)
    if (info.name == output.name)
      return info.step;
  return 0;
}

/// Whether bytes in it may be of a quantization.
bool quantizes(const OnnxDescription &model) {
  return std::any_of(model.operators.begin(), model.operators.end(), [](const auto &use) {
    return use.first.find("QuantizeLinear") != std::string::npos ||
           use.first.find("QLinear") != std::string::npos || use.first.find("QGemm") != std::string::npos;
  });
}

/// The tensor of a file. ONNX's older tests keep a bfloat16 as the uint16 of its bits.
Result<OnnxTensor> readAs(const std::string &path, package::DType dtype) {
  Result<OnnxTensor> tensor = readOnnxTensor(path);
  if (tensor && dtype == package::DType::BF16 && tensor->type.dtype == package::DType::U16)
    tensor->type.dtype = dtype;
  return tensor;
}

/// All outputs of a data set.
CheckOutcome runSet(runtime::Session &session, const package::Function &function, const std::string &set,
                    const OnnxDescription &model, const Tolerance &tolerance) {
  const auto file = [&](const char *kind, size_t i) {
    return (fs::path(set) / (std::string(kind) + "_" + std::to_string(i) + ".pb")).string();
  };
  std::vector<runtime::Tensor> inputs;
  for (size_t i = 0; i < function.inputs.size(); ++i) {
    auto tensor = readAs(file("input", i), function.inputs[i].type.dtype);
    if (!tensor)
      return refused(tensor.error());
    inputs.push_back({function.inputs[i].name, tensor->type, std::move(tensor->data)});
  }
  auto result = session.run(function.name, inputs);
  if (!result)
    return refused(result.error());
  CheckOutcome outcome;
  for (size_t i = 0; i < result->outputs.size(); ++i) {
    const auto expected = readAs(file("output", i), result->outputs[i].type.dtype);
    if (!expected)
      return refused(expected.error());
    const runtime::Tensor &output = result->outputs[i];
    const bool isQuantized = isFloat(output.type.dtype) || quantizes(model);
    CheckOutcome one = compare(output, *expected, stepOf(output, model), isQuantized, tolerance);
    if (one.verdict == Verdict::Wrong)
      return one;
    outcome.join(one);
  }
  return outcome;
}

/// That of a data.json beside the model, if there is one.
Result<Tolerance> toleranceOf(const fs::path &folder, std::optional<double> steps) {
  Tolerance tolerance;
  tolerance.steps = steps;
  std::error_code failure;
  const fs::path path = folder / "data.json";
  if (!fs::exists(path, failure))
    return tolerance;
  std::ifstream file(path);
  const Json json = Json::parse(file, nullptr, false);
  for (const auto &[key, value] : {std::pair("rtol", &tolerance.relative), {"atol", &tolerance.absolute}}) {
    if (!json.is_object() || (json.contains(key) && !(json[key].is_number() && json[key] >= 0)))
      return error("'" + path.string() +
                   "' is not a JSON object; expected one with the numbers rtol and atol, each at least 0");
    *value = json.value(key, *value);
  }
  return tolerance;
}

/// The model of a test, which need not be there: model.mlir where model.onnx is not.
fs::path modelOf(const fs::path &folder) {
  std::error_code failure;
  const fs::path program = folder / "model.mlir", model = folder / "model.onnx";
  return fs::exists(program, failure) && !fs::exists(model, failure) ? program : model;
}

} // namespace

const char *name(Verdict verdict) {
  constexpr const char *names[verdicts] = {"passed", "differs by 1 step", "refused", "wrong"};
  return names[static_cast<size_t>(verdict)];
}

void CheckOutcome::join(const CheckOutcome &other) {
  if (!other.detail.empty() && (detail.empty() || other.steps > steps))
    verdict = other.verdict, detail = other.detail, steps = other.steps;
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
                 "' holds no test: expected a folder with model.onnx or model.mlir, and test_data_set_0, in "
                 "or below it"};
  std::sort(tests.begin(), tests.end());
  return tests;
}

CheckOutcome checkTest(const std::string &folder, const CheckOptions &options) {
  const fs::path path = modelOf(folder);
  auto compiled = compileModel(path.string(), options.compile);
  if (!compiled)
    return refused(compiled.error());
  const Result<Tolerance> tolerance = toleranceOf(folder, options.steps);
  if (!tolerance)
    return refused(tolerance.error());
  OnnxDescription model;
  if (path.extension() == ".onnx")
    if (Result<OnnxDescription> described = describeOnnx(path.string()))
      model = std::move(*described);
  CheckOutcome outcome;
  for (const package::Layer &layer : compiled->package.layers)
    if (std::find(outcome.targets.begin(), outcome.targets.end(), layer.target) == outcome.targets.end())
      outcome.targets.push_back(layer.target);
  runtime::SessionOptions sessionOptions;
  sessionOptions.engine = options.engine;
  sessionOptions.threads = options.threads;
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
    CheckOutcome one = runSet(**session, **function, set, model, *tolerance);
    if (one.verdict == Verdict::Wrong || one.verdict == Verdict::Refused)
      return one;
    outcome.join(one);
  }
  return outcome;
}

} // namespace daedalus::cli
