// Between a plan's operations and what the planner works on.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_DECISIONS_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_DECISIONS_H

#include "Plan/Fusion.h"
#include "Plan/Planner.h"

namespace daedalus::accelerator {

/// Whether the fingerprint that the plan has of a kernel or of one that it takes in is that of `func`.
mlir::LogicalResult checkFingerprint(mlir::Operation *part, std::optional<llvm::StringRef> fingerprint,
                                     mlir::func::FuncOp func);

/// The schedule of a kernel as the plan has it, its sizes no larger than what they are of. A failure is a
/// diagnostic at the decision that the kernel or the machine cannot have.
mlir::FailureOr<Schedule> decidedSchedule(dae::KernelOp decided, const Kernel &kernel,
                                          const isa::Machine &machine);

/// Gives kernels of given groups that hand over to their neighbours the windows for it; and, once they have
/// schedules, checks that what is handed over is what the neighbour reads. Failures are diagnostics at the
/// plan's line.
mlir::LogicalResult shapeHandovers(std::vector<KernelUse> &uses, llvm::ArrayRef<GivenGroup> given);
mlir::LogicalResult checkHandovers(llvm::ArrayRef<KernelUse> uses, const isa::Machine &machine);

/// Appends the groups, whose kernels are `uses` with the schedules of `calls`, to a plan.
void writeGroups(dae::PlanOp plan, llvm::ArrayRef<Group> groups, llvm::ArrayRef<KernelUse> uses);

} // namespace daedalus::accelerator

#endif
