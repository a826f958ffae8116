// What the CUDA backend is told of a compilation.

#ifndef DAEDALUS_TARGET_CUDA_SETTINGS_H
#define DAEDALUS_TARGET_CUDA_SETTINGS_H

#include <string>

namespace daedalus::cuda {

struct Settings {
  static constexpr const char *target = "cuda";
  /// GPUs, separated by commas, for each of which the package has code: "sm_80" runs on later ones too,
  /// "sm_90a" on GPUs of 9.0 alone, and better there; or "emulated", for none.
  std::string architectures = "sm_80";
  /// The path of a calibration (Calibration.h), for prices of kernels; empty: the one that `bench
  /// --calibrate` left.
  std::string calibration;
  /// Libraries that products and convolutions are given to, such as "cublas:matmul"; empty: none.
  std::string libraries = "";
};

} // namespace daedalus::cuda

#endif
