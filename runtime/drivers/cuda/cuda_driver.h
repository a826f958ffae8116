// The driver of GPUs of NVIDIA's, by CUDA's driver API.
#pragma once

#include "daedalus/runtime/device_driver.h"

namespace daedalus::cuda {

/// Opens the GPU whose number DAEDALUS_CUDA_DEVICE says, else number 0: allocates its memory and loads the
/// package's code. The error says what is missing or too old.
Result<std::unique_ptr<runtime::DeviceDriver>> openGpu(const package::Device &device);

} // namespace daedalus::cuda
