// What the CPU is told of a compilation: how its machine code is made.

#ifndef DAEDALUS_TARGET_CPU_SETTINGS_H
#define DAEDALUS_TARGET_CPU_SETTINGS_H

#include <string>

namespace daedalus::cpu {

struct Settings {
  static constexpr const char *target = "cpu";
  /// Levels of the processor, separated by commas, for each of which the package has code; "native" is the
  /// highest one that this host has (docs/targets.md).
  std::string levels = "native";
  /// Libraries, or functions of the user's, that kernels are given to where they compute them, such as
  /// "openblas" or "onednn:conv,mine:matmul" (docs/targets.md); empty: none.
  std::string libraries;
  /// The path of a calibration (Calibration.h), for prices of kernels; empty: the one that `bench
  /// --calibrate` left for the level that this host runs.
  std::string calibration;
  /// For firmware: `levels` names one of its processors (Levels.h), and kernel N of the package is the
  /// function "PREFIX_kernel_N" of a relocatable object. Empty: shared objects for this host.
  std::string firmwarePrefix;
};

} // namespace daedalus::cpu

#endif
