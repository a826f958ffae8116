// Calls of kernels as the accelerator runs them: a contraction takes the addition or the lookup that alone
// uses its result into its own tiles.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_FUSION_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_FUSION_H

#include "Lowering/Tiles.h"
#include "daedalus/Target/Accelerator/Accelerator.h"
#include "daedalus/Target/Accelerator/Planning.h"

namespace daedalus::accelerator {

/// A call of @main with its kernel read, before it has a schedule.
struct KernelUse {
  mlir::func::CallOp call;
  mlir::func::FuncOp func; ///< the schedule's owner
  KernelCall prepared;
  RankedSchedules schedules; ///< as Candidates has them, once they were asked for
  KernelName name;
  dae::KernelOp decided{}; ///< what a given plan says of it
  dae::FuseOp fusion{};    ///< by which a given plan has it in the tiles of another
  /// The call that it took into its tiles, whose operand of that number it makes.
  struct Taken {
    KernelName name;
    mlir::func::FuncOp func;
    unsigned operand;
  };
  std::optional<Taken> taken{};
  bool readsAlone =
      true; ///< no other part of its call reads its input, which may lie where that part wants it
};

/// Fuses what a given plan says, and of calls that it does not name what can be fused; a fused call stands
/// where the last of its parts stood. What a fused kernel needs must fit the machine, or it stays as it was.
/// A failure is a diagnostic at the plan's line.
mlir::LogicalResult fuse(std::vector<KernelUse> &uses, const isa::Machine &machine, Planning &planning);

} // namespace daedalus::accelerator

#endif
