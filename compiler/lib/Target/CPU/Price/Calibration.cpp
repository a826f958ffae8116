// See Calibration.h.

#include "daedalus/Target/CPU/Calibration.h"

#include "daedalus/Target/CalibrationFile.h"
#include "daedalus/support/cache_folder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace daedalus::cpu {
namespace {

/// By Work, as they stand in the file.
constexpr const char *names[workKinds] = {"kernel",
                                          "byte_product",
                                          "product",
                                          "byte_row",
                                          "row",
                                          "byte_depthwise",
                                          "depthwise",
                                          "byte_own_sum",
                                          "own_sum",
                                          "operation",
                                          "division",
                                          "function",
                                          "requantization",
                                          "long_requantization",
                                          "byte_step",
                                          "step",
                                          "constant_byte",
                                          "once_byte",
                                          "byte",
                                          "far_byte"};
constexpr const char *form = "daedalus calibration 1";
constexpr const char *remedy = "; make one with daedalus bench --calibrate";

double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

Result<Calibration> parse(const llvm::json::Object &object) {
  Calibration read;
  const auto text = [&](const char *key) { return object.getString(key).value_or("").str(); };
  if (text("format") != form)
    return error("has the format '" + text("format") + "'; expected '" + form + "'");
  read.processor = text("processor"), read.level = text("level"), read.date = text("date");
  read.threads = static_cast<unsigned>(object.getInteger("threads").value_or(0));
  read.error = object.getNumber("error").value_or(NAN);
  if (read.processor.empty() || read.level.empty() || read.date.empty() || read.threads == 0 ||
      !std::isfinite(read.error))
    return error("lacks its processor, level, date, threads or error");
  const llvm::json::Object *microseconds = object.getObject("microseconds");
  for (size_t kind = 0; kind < workKinds; ++kind) {
    const std::optional<double> value =
        microseconds ? microseconds->getNumber(names[kind]) : std::optional<double>();
    if (!value)
      return error(std::string("gives no microseconds for '") + names[kind] + "'");
    if (!std::isfinite(*value) || *value < 0)
      return error(std::string("gives ") + std::to_string(*value) + " microseconds for '" + names[kind] +
                   "'; expected a number that is not negative");
    read.microseconds[kind] = *value;
  }
  return read;
}

} // namespace

double Calibration::priceOf(const Amounts &amounts) const {
  double sum = 0;
  for (size_t kind = 0; kind < workKinds; ++kind)
    sum += amounts[kind] * microseconds[kind];
  return sum;
}

namespace {

/// The weighted least squares of `samples` by coordinates: each is set to where the sum is smallest while the
/// others stay, or to 0, until nothing changes. The sum is convex, so that is the least of all.
void improve(Amounts &microseconds, llvm::ArrayRef<Sample> samples, llvm::ArrayRef<double> weights) {
  constexpr int rounds = 20000;
  std::vector<double> left; // of each sample's time, weighted
  for (auto [sample, weight] : llvm::zip(samples, weights)) {
    double rest = sample.microseconds;
    for (size_t kind = 0; kind < workKinds; ++kind)
      rest -= sample.amounts[kind] * microseconds[kind];
    left.push_back(rest * weight);
  }
  for (int round = 0; round < rounds; ++round) {
    double change = 0;
    for (size_t kind = 0; kind < workKinds; ++kind) {
      double square = 0, product = 0;
      for (auto [sample, weight, rest] : llvm::zip(samples, weights, left)) {
        const double part = sample.amounts[kind] * weight;
        square += part * part;
        product += part * rest;
      }
      if (square == 0)
        continue;
      const double next = std::max(0.0, microseconds[kind] + product / square),
                   moved = next - microseconds[kind];
      for (auto [sample, weight, rest] : llvm::zip(samples, weights, left))
        rest -= moved * sample.amounts[kind] * weight;
      change = std::max(change, std::abs(moved) * std::sqrt(square));
      microseconds[kind] = next;
    }
    if (change < 1e-9)
      break;
  }
}

} // namespace

/// Differences count in parts of the geometric mean of both times, so that half of a time counts as much as
/// twice of it: the weights come from the fit before.
Calibration fit(llvm::ArrayRef<Sample> samples) {
  constexpr int fits = 30;
  Calibration result;
  std::vector<double> expected, differences;
  for (const Sample &sample : samples)
    expected.push_back(sample.microseconds);
  for (int i = 0; i < fits; ++i) {
    std::vector<double> weights;
    for (auto [sample, price] : llvm::zip(samples, expected))
      weights.push_back(1 / std::sqrt(sample.microseconds * std::max(price, sample.microseconds / 16)));
    improve(result.microseconds, samples, weights);
    for (auto [sample, price] : llvm::zip(samples, expected))
      price = result.priceOf(sample.amounts);
  }
  for (auto [sample, price] : llvm::zip(samples, expected))
    differences.push_back(std::abs(price - sample.microseconds) / sample.microseconds);
  result.error = median(std::move(differences));
  return result;
}

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0)
      return line.substr(line.find(':') + 2);
  return "processor without a name";
}

Result<std::string> calibrationFile(const std::string &level) {
  const Result<std::string> folder = cacheFolder("calibrations");
  if (!folder)
    return error(folder.error());
  return *folder + "/" + level + ".json";
}

Result<Calibration> readCalibration(const std::string &path) {
  return readCalibrationFile<Calibration>(path, "the CPU", remedy, parse);
}

std::string calibrationText(const Calibration &calibration) {
  llvm::json::Object microseconds;
  for (size_t kind = 0; kind < workKinds; ++kind)
    microseconds[names[kind]] = calibration.microseconds[kind];
  const llvm::json::Value value = llvm::json::Object{{"format", form},
                                                     {"processor", calibration.processor},
                                                     {"level", calibration.level},
                                                     {"date", calibration.date},
                                                     {"threads", calibration.threads},
                                                     {"error", calibration.error},
                                                     {"microseconds", std::move(microseconds)}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}\n", value);
  return text;
}

} // namespace daedalus::cpu
