// Which GPU of this host is driven.
#pragma once

#include "cuda_api.h"

namespace daedalus::cuda {

/// One of them, and what it is.
struct Gpu {
  DeviceNumber number = 0;
  std::string name;
  uint32_t capability = 0; ///< 80 is sm_80

  std::string title() const { return name + " (sm_" + std::to_string(capability) + ")"; }
};

/// Starts the driver's library, and finds the GPU whose number DAEDALUS_CUDA_DEVICE says, else number 0. The
/// error says what is missing or too old.
Result<Gpu> findGpu(const DriverApi &api);

} // namespace daedalus::cuda
