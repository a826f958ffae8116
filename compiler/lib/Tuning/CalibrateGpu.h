// What work costs on a GPU, for placement by price: programs of one kind of work each are compiled, run on
// the device and timed by its clock, copies by the host's.
#pragma once

#include "daedalus/Target/CUDA/Calibration.h"
#include "daedalus/Target/Settings.h"
#include "daedalus/runtime/device_driver.h"

#include <functional>

namespace daedalus::tuning {

struct GpuCalibrateOptions {
  TargetSettings settings;          ///< of the target, such as the architecture that code is made for
  uint64_t runs = 15;               ///< of each program
  runtime::DeviceDrivers drivers{}; ///< before those of the process
};

/// How many programs calibrateGpu() measures.
size_t gpuCalibrationPrograms();

/// `done` is told how many programs are measured. The error says that there is no such device, or that its
/// ticks are no time.
Result<cuda::Calibration> calibrateGpu(const GpuCalibrateOptions &options,
                                       const std::function<void(size_t)> &done);

} // namespace daedalus::tuning
