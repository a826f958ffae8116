// Interprets the steps of a function.
#pragma once

#include "accelerator.h"
#include "externals.h"
#include "kernels.h"

#include "daedalus/package/package.h"
#include "daedalus/runtime/session.h"

#include <memory>
#include <vector>

namespace daedalus::runtime {

/// What steps act on. The accelerator is null where the package has no programs.
struct ExecutionContext {
  const package::Package &package;
  uint8_t *constants;
  uint8_t *arena;
  const cpu::Kernels &kernels;
  Accelerator *accelerator;
  const std::vector<std::unique_ptr<DeviceDriver>> &devices;
  const Externals &externals;
  bool keepsProfiles; ///< in the result
};

/// Runs the steps in order; inputs are already in the arena. Adds cycles, layers and counters to `result`,
/// whose layers are those of layersOf().
Result<void> execute(const ExecutionContext &context, const package::Function &function, RunResult &result);

} // namespace daedalus::runtime
