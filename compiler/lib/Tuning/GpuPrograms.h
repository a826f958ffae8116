// Programs that show what work costs on a GPU: of each, one kind of work takes nearly all of the time.
#pragma once

#include "daedalus/Target/CUDA/Calibration.h"

#include <string>
#include <vector>

namespace daedalus::tuning {

struct GpuProgram {
  std::string name;                  ///< of what it shows, for errors
  std::string text;                  ///< MLIR, a tensor program
  double cuda::LaunchWork::*work;    ///< that it has much of; null: it shows the price of a launch
  double cuda::Calibration::*factor; ///< that it shows
  bool isRate;                       ///< whether the factor is work by nanosecond, not the other way round
};

/// The first shows the price of a launch.
std::vector<GpuProgram> gpuPrograms();

/// The factor that launches which took so long show, on a GPU with this price of a launch.
double factorOf(const GpuProgram &program, const std::vector<cuda::LaunchWork> &launches, double nanoseconds,
                double launch);

} // namespace daedalus::tuning
