#include "measure.h"

#include "rotation.h"

#include "daedalus/runtime/npy.h"
#include "daedalus/runtime/session.h"
#include "daedalus/support/stopwatch.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace daedalus::test {
namespace {

using runtime::RunResult;
using runtime::Session;

constexpr size_t mostRuns = 101;

Result<package::Package> read(const std::string &folder, const Entry &entry) {
  std::ifstream file(folder + "/" + entry.name + ".dae", std::ios::binary);
  if (!file)
    return error("there is no package '" + entry.name + ".dae'");
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  return package::readPackage(Span<const uint8_t>(bytes.data(), bytes.size()));
}

Result<std::unique_ptr<Session>> open(const std::string &folder, const Entry &entry) {
  Result<package::Package> package = read(folder, entry);
  return package ? Session::create(std::move(*package), {}) : error(package.error());
}

Result<Tensor> readTensor(const std::string &folder, const Entry &entry, const char *kind, size_t number,
                          const package::Value &value) {
  Result<Tensor> tensor =
      runtime::readNpy(folder + "/" + entry.name + "/" + kind + "_" + std::to_string(number) + ".npy");
  if (!tensor)
    return tensor;
  tensor->name = value.name;
  if (package::byteSize(tensor->type) == package::byteSize(value.type))
    tensor->type.dtype = value.type.dtype; // NumPy has no bfloat16
  return tensor;
}

/// In milliseconds, or in ticks of a device that has no clock.
double timeOf(const RunResult &result) {
  double time = 0;
  for (const runtime::LayerCycles &layer : result.layers)
    time +=
        double(layer.deviceTicks) / (layer.ticksPerMicrosecond > 0 ? layer.ticksPerMicrosecond * 1000 : 1);
  return time;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Times {
  std::vector<double> device, whole;
};

Result<Times> timesOf(Session &session, const std::vector<Tensor> &inputs, size_t leastRuns,
                      double mostSeconds) {
  Times times;
  if (const auto warm = session.run(size_t(0), inputs); !warm)
    return error(warm.error());
  double seconds = 0;
  while (times.whole.size() < leastRuns || (times.whole.size() < mostRuns && seconds < mostSeconds)) {
    Stopwatch watch;
    const auto result = session.run(size_t(0), inputs);
    if (!result)
      return error(result.error());
    times.whole.push_back(watch.lap() * 1000);
    seconds += times.whole.back() / 1000;
    times.device.push_back(timeOf(*result));
  }
  return times;
}

/// Of work in a time in milliseconds: products count as two operations.
std::string rate(const Entry &entry, double milliseconds) {
  char text[64];
  if (entry.kind == Entry::Kind::Bytes)
    std::snprintf(text, sizeof text, "%.1f GB/s", entry.work() / milliseconds / 1e6);
  else
    std::snprintf(text, sizeof text, "%.3f Tera-operations/s", 2 * entry.work() / milliseconds / 1e9);
  return text;
}

std::string rowOf(const Entry &entry, const Times &times) {
  char text[160];
  const double time = median(times.device);
  std::snprintf(text, sizeof text, "%-28s %11.4f %11.4f %11.3f  ", entry.name.c_str(), time,
                *std::min_element(times.device.begin(), times.device.end()), median(times.whole));
  return text + rate(entry, time);
}

std::string share(double part) {
  char text[32];
  std::snprintf(text, sizeof text, " (%.0f%% of its speed)", 100 * part);
  return text;
}

std::string besideBlas(const Entry &entry, const Result<double> &blas, double own) {
  if (!blas)
    return ", " + blas.error();
  char text[64];
  std::snprintf(text, sizeof text, "; cuBLAS %.4f ms, ", *blas);
  return text + rate(entry, *blas) + share(*blas / own);
}

std::string besideCopy(const Entry &entry, const Result<double> &bytesPerSecond, double own) {
  if (!bytesPerSecond)
    return ", " + bytesPerSecond.error();
  const double copy = entry.work() / *bytesPerSecond * 1000;
  return "; a copy " + rate(entry, copy) + share(copy / own);
}

std::vector<Tensor> inputsOf(const package::Function &function, Random &random,
                             Tensor (*make)(const std::string &, const TensorType &, Random &)) {
  std::vector<Tensor> inputs;
  for (const package::Value &value : function.inputs)
    inputs.push_back(make(value.name, value.type, random));
  return inputs;
}

Result<Outcome> measureNetwork(Session &session, const Entry &entry, const std::vector<Tensor> &inputs) {
  const Result<Times> times = timesOf(session, inputs, /*leastRuns=*/5, /*mostSeconds=*/3);
  return times ? Result<Outcome>(Outcome{"", rowOf(entry, *times)}) : error(times.error());
}

Result<Outcome> measureKernel(Session &session, const Entry &entry, const package::Package &package,
                              const std::vector<Tensor> &inputs, Random &random, const Rivals &rivals) {
  Result<Times> times = timesOf(session, inputs, /*leastRuns=*/3, /*mostSeconds=*/0);
  if (!times)
    return error(times.error());
  Result<std::vector<double>> ofKernel = timesOfKernel(package, random);
  if (!ofKernel)
    return error(ofKernel.error());
  times->device = std::move(*ofKernel);
  std::string row = rowOf(entry, *times);
  if (entry.isOfMatrices() && rivals.blas)
    row +=
        besideBlas(entry, rivals.blas->multiply(inputs[0], inputs[1], entry.kind == Entry::Kind::Transposed),
                   median(times->device));
  if (entry.kind == Entry::Kind::Bytes && rivals.device)
    row += besideCopy(entry, rivals.device->copyRate(entry.sizes[0] / 2), median(times->device));
  return Outcome{"", row};
}

} // namespace

Result<Outcome> check(const std::string &folder, const Entry &entry) {
  const auto session = open(folder, entry);
  if (!session)
    return error(session.error());
  const package::Function &function = **(*session)->function(0);
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < function.inputs.size(); ++i) {
    Result<Tensor> input = readTensor(folder, entry, "input", i, function.inputs[i]);
    if (!input)
      return error(input.error());
    inputs.push_back(std::move(*input));
  }
  const auto result = (*session)->run(size_t(0), inputs);
  if (!result)
    return error(result.error());
  for (size_t i = 0; i < function.outputs.size(); ++i) {
    const Result<Tensor> expected = readTensor(folder, entry, "output", i, function.outputs[i]);
    if (!expected)
      return error(expected.error());
    if (auto ok = compare(result->outputs[i], *expected, entry.relative, entry.absolute); !ok)
      return Outcome{ok.error(), ""};
  }
  return Outcome{};
}

Result<Outcome> measure(const std::string &folder, const Entry &entry, Random &random, const Rivals &rivals) {
  const Result<package::Package> package = read(folder, entry);
  if (!package)
    return error(package.error());
  const auto session = Session::create(*package, {});
  if (!session)
    return error(session.error());
  const package::Function &function = **(*session)->function(0);
  if (entry.isOfMatrices()) {
    const std::vector<Tensor> exact = inputsOf(function, random, exactTensor);
    const auto result = (*session)->run(size_t(0), exact);
    if (!result)
      return error(result.error());
    if (auto ok = checkProduct(exact[0], exact[1], entry.kind == Entry::Kind::Transposed, result->outputs[0],
                               random);
        !ok)
      return Outcome{ok.error(), ""};
  }
  const std::vector<Tensor> inputs = inputsOf(function, random, randomTensor);
  return entry.kind == Entry::Kind::Products
             ? measureNetwork(**session, entry, inputs)
             : measureKernel(**session, entry, *package, inputs, random, rivals);
}

} // namespace daedalus::test
