// What the code of a model for GPUs does, counted by emulation: of each launch some blocks run, and their
// counts stand for the others.
#pragma once

#include "Emulation/EmulatedCode.h"

#include "daedalus/package/package.h"

#include <string>
#include <vector>

namespace daedalus::cli {

struct LaunchCounts {
  std::string node; ///< of ONNX
  cuda::Launch launch;
  uint64_t blocks = 0, counted = 0; ///< of the grid, and those that ran
  cuda::EmulationCounts counts;     ///< of all blocks, as far as those that ran are like the others
};

/// Of the first function of a package that was compiled with --cuda-arch emulated, in the order of its steps.
/// Inputs and what launches leave to each other are zeros. The error is the emulator's, or says that the
/// package has no such code.
Result<std::vector<LaunchCounts>> countLaunches(const package::Package &package, uint64_t blocksOfEach);

} // namespace daedalus::cli
