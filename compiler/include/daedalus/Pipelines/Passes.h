// The passes of Passes.td, and the pipeline of all passes from `graph` down to `dae`.

#ifndef DAEDALUS_PIPELINES_PASSES_H
#define DAEDALUS_PIPELINES_PASSES_H

#include "daedalus/Target/CodeOptions.h"

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

/// What the pipeline is told; the machine is in the module or named here.
struct LowerOptions {
  std::string target = "auto", machine;
  uint64_t most = 0;                              ///< as of form-streams
  bool recordPlan = false;                        ///< as of dae-blockize
  std::string intrinsics;                         ///< as of place-kernels and dae-tensorize
  std::shared_ptr<TargetStates> states = nullptr; ///< that the passes share; null: each has its own
  CodeOptions code = {};
};

/// Graphs and tensor programs to calls of kernels.
void addKernels(mlir::OpPassManager &passes);

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
