// Schedules (Schedule.td) as kernels are lowered and code is made: what is given for a kernel, whether it
// fits, and what was decided.

#ifndef DAEDALUS_LIB_TARGET_CPU_SCHEDULE_H
#define DAEDALUS_LIB_TARGET_CPU_SCHEDULE_H

#include "Tiling.h"

#include "daedalus/Target/CPU/Levels.h"
#include "daedalus/Target/CPU/ScheduleOps.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>

namespace daedalus::cpu {

/// What was decided about a kernel.
struct KernelSchedule {
  std::string fingerprint;
  llvm::SmallVector<int64_t> loops, tile; ///< of the result, as in cpu.kernel
  bool isUndivided = false;
  bool isParallel = false;
  KernelOp given; ///< null: the compiler's own choice
};

/// What is given for the kernels of a module.
class GivenSchedule {
public:
  GivenSchedule() = default;
  /// Takes the module's cpu.schedule out of it, if there is one.
  explicit GivenSchedule(mlir::ModuleOp module);

  /// Null where nothing is given.
  KernelOp find(llvm::StringRef fingerprint) const { return kernels.lookup(fingerprint); }

private:
  mlir::OwningOpRef<ScheduleOp> schedule;
  llvm::StringMap<KernelOp> kernels;
};

/// Tiles the last operation as it is given, or so that its accumulators stay in the caches, with its
/// producers fused. Nothing is decided about kernels that cannot be tiled.
mlir::FailureOr<std::optional<KernelSchedule>> tileAndFuse(mlir::func::FuncOp kernel,
                                                           const GivenSchedule &given);

/// A hash of a kernel on tensors: operations, types, maps and bodies, but no constants and no names.
std::string fingerprintOf(mlir::func::FuncOp kernel);

/// The tiles that are given for the last operation of a kernel; a diagnostic says why they do not fit.
mlir::FailureOr<Tiling> tilingOf(KernelOp given, mlir::func::FuncOp kernel, mlir::linalg::LinalgOp last);

/// What was decided about kernel functions, by their names, at the end of their module: a cpu.kernel for each
/// fingerprint.
void recordSchedule(llvm::ArrayRef<std::pair<mlir::StringAttr, KernelSchedule>> kernels,
                    mlir::ModuleOp module);

/// Gives kernels, on buffers, the blocks that the schedule of `module` has for them at a level. A diagnostic
/// says which one the processor has no registers for.
mlir::LogicalResult placeBlocks(mlir::ModuleOp module, mlir::ModuleOp kernels, const Level &level);

/// The schedule of a module at level `dae` as a file, with the blocks that its kernels have at some levels.
/// `kernels`: on buffers.
mlir::FailureOr<std::string> printSchedule(mlir::ModuleOp module, mlir::ModuleOp kernels,
                                           llvm::ArrayRef<Level> levels);

} // namespace daedalus::cpu

#endif
