// See Calibration.h.

#include "daedalus/Target/CUDA/Calibration.h"

#include "daedalus/Target/CalibrationFile.h"
#include "daedalus/support/cache_folder.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cmath>

namespace daedalus::cuda {
namespace {

constexpr const char *form = "daedalus gpu calibration 1";
constexpr const char *remedy = "; make one with daedalus bench --calibrate --target cuda";

/// As they stand in the file.
struct Factor {
  const char *name;
  double Calibration::*value;
};
constexpr Factor factors[] = {{"launch_ns", &Calibration::launch},
                              {"step_ns", &Calibration::step},
                              {"bytes_per_ns", &Calibration::bytes},
                              {"operations_per_ns", &Calibration::operations},
                              {"fma_products_per_ns", &Calibration::fmaProducts},
                              {"half_products_per_ns", &Calibration::halfProducts},
                              {"byte_products_per_ns", &Calibration::byteProducts},
                              {"copy_ns", &Calibration::copy},
                              {"copied_bytes_per_ns", &Calibration::copiedBytes}};

Result<Calibration> parse(const llvm::json::Object &object) {
  Calibration read;
  const auto text = [&](const char *key) { return object.getString(key).value_or("").str(); };
  if (text("format") != form)
    return error("has the format '" + text("format") + "'; expected '" + form + "'");
  read.gpu = text("gpu"), read.date = text("date");
  if (read.gpu.empty() || read.date.empty())
    return error("lacks its gpu or its date");
  for (const auto &[name, value] : factors) {
    const std::optional<double> number = object.getNumber(name);
    if (!number)
      return error(std::string("lacks the number '") + name + "'");
    if (!std::isfinite(*number) || *number <= 0)
      return error("says " + std::to_string(*number) + " for '" + name + "'; expected a number above 0");
    read.*value = *number;
  }
  return read;
}

} // namespace

double Calibration::nanosecondsOf(const LaunchWork &work) const {
  return launch +
         std::max({work.bytes / bytes, work.operations / operations, work.fmaProducts / fmaProducts,
                   work.halfProducts / halfProducts, work.byteProducts / byteProducts, work.steps * step});
}

double Calibration::nanosecondsOf(llvm::ArrayRef<LaunchWork> launches) const {
  double sum = 0;
  for (const LaunchWork &work : launches)
    sum += nanosecondsOf(work);
  return sum;
}

Result<std::string> calibrationFile() {
  const Result<std::string> folder = cacheFolder("calibrations");
  if (!folder)
    return error(folder.error());
  return *folder + "/cuda.json";
}

Result<Calibration> readCalibration(const std::string &path) {
  return readCalibrationFile<Calibration>(path, "the GPU", remedy, parse);
}

std::string calibrationText(const Calibration &calibration) {
  llvm::json::Object object{{"format", form}, {"gpu", calibration.gpu}, {"date", calibration.date}};
  for (const auto &[name, value] : factors)
    object[name] = calibration.*value;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object)));
  return text;
}

} // namespace daedalus::cuda
