// The passes of Passes.td, and the pipeline of all passes from `graph` down to `dae`.

#ifndef DAEDALUS_PIPELINES_PASSES_H
#define DAEDALUS_PIPELINES_PASSES_H

#include "daedalus/Target/Settings.h"

#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace daedalus {
class TargetStates;

#define GEN_PASS_DECL
#include "daedalus/Pipelines/Passes.h.inc"

/// The pass, with what the passes of one compilation share.
std::unique_ptr<mlir::Pass> createPlaceKernels(const PlaceKernelsOptions &options,
                                               std::shared_ptr<TargetStates> states);

/// The names of ways to place kernels (place-kernels), and whether it is one; the error lists them.
std::vector<std::string> placementPolicies();
Result<void> checkPlacementPolicy(const std::string &policy);

/// What the pipeline is told.
struct LowerOptions {
  std::shared_ptr<TargetStates> states; ///< that the passes share
  std::string target = "auto", policy = "accelerator-first";
  bool prices = false;     ///< as of place-kernels
  uint64_t most = 0;       ///< as of form-streams
  bool recordPlan = false; ///< as of TargetPassOptions
  bool constants = true;   ///< as of TargetPassOptions
};

/// Graphs and tensor programs to calls of kernels.
void addKernels(mlir::OpPassManager &passes);

/// Kernels that addKernels made to placed kernels.
void addPlacementOfKernels(mlir::OpPassManager &passes, const LowerOptions &options);

/// Graphs and tensor programs to placed kernels: level `linalg`.
void addPlacement(mlir::OpPassManager &passes, const LowerOptions &options);

/// Placed kernels to level `dae`: steps, streams of instructions, kernels for the CPU as loops on buffers.
void addLowering(mlir::OpPassManager &passes, const LowerOptions &options);

/// All passes of the compiler, upstream ones that programs are rewritten with, and the pipelines by their
/// names: `daedalus-place`, and `daedalus-lower`, which is all of it. May be called again.
void registerPasses();

/// The dialects of all levels, with what the passes need of them.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace daedalus

#endif
