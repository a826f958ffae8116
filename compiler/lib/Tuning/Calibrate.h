// What work costs on this host's CPU, for placement by price: kernels of many sizes are compiled, run and
// timed.
#pragma once

#include "Tuning/Timing.h"

#include "daedalus/Target/CPU/Calibration.h"

#include <functional>

namespace daedalus::tuning {

struct CalibrateOptions {
  std::string levels = "native"; ///< as of --cpu; the highest that this host has is measured
  unsigned threads = 1;
  uint64_t runs = 15; ///< of each model
};

/// A file in the folder with which kernels are priced at nothing, for what they are counted; its path.
Result<std::string> blankCalibration(const std::string &folder, const std::string &level);

/// How many models calibrate() measures.
size_t calibrationModels();

/// `done` is told how many models are measured.
Result<cpu::Calibration> calibrate(const CalibrateOptions &options, const std::function<void(size_t)> &done);

} // namespace daedalus::tuning
