// What the CUDA backend knows and keeps through one compilation.

#ifndef DAEDALUS_LIB_TARGET_CUDA_STATE_H
#define DAEDALUS_LIB_TARGET_CUDA_STATE_H

#include "daedalus/Target/CUDA/CUDA.h"
#include "daedalus/Target/Target.h"

#include <vector>

namespace daedalus::cuda {

class State : public TargetState {
public:
  Result<void> open(const TargetSettings &settings, mlir::ModuleOp module) override;

  std::vector<Architecture> architectures; ///< that code is made for
};

/// The options that the backend declares.
std::vector<TargetOption> targetOptions();

} // namespace daedalus::cuda

#endif
