// What the CUDA backend knows and keeps through one compilation.

#ifndef DAEDALUS_LIB_TARGET_CUDA_STATE_H
#define DAEDALUS_LIB_TARGET_CUDA_STATE_H

#include "daedalus/Target/CUDA/CUDA.h"
#include "daedalus/Target/CUDA/Calibration.h"
#include "daedalus/Target/Target.h"

#include <vector>

namespace daedalus::cuda {

class State : public TargetState {
public:
  Result<void> open(const TargetSettings &settings, mlir::ModuleOp module) override;

  /// Reads the calibration. The error says that there is none, or what is wrong with it.
  Result<void> calibrate();

  std::vector<Architecture> architectures; ///< that code is made for
  std::string file;                        ///< of the calibration that was asked for; may be empty
  Calibration calibration;                 ///< of an A100 where none was read
  bool isCalibrated = false;
  std::map<std::string, std::vector<LaunchWork>> works; ///< of the kernels that were priced
  std::string libraries;                                ///< that products are given to
};

/// The options that the backend declares.
std::vector<TargetOption> targetOptions();

} // namespace daedalus::cuda

#endif
