// Steps on targets with a memory of their own: where their tensors lie there, and which copies that takes.

#ifndef DAEDALUS_LIB_PIPELINES_DEVICES_H
#define DAEDALUS_LIB_PIPELINES_DEVICES_H

#include "Memory/Arena.h"
#include "Streams.h"

#include "daedalus/Target/Target.h"

#include <list>

namespace daedalus {

class Devices {
public:
  Devices(const Steps &steps, TargetStates &states) : steps(steps), states(states) {}

  /// Copies the operands that are not in the target's memory, calls the kernel, and copies its result back
  /// where somebody else reads it. What the target's next steps read stays. Steps come in their order.
  mlir::LogicalResult addStep(host::StepOp step, const Target &target, PackageBuilder &builder);
  /// The targets' code.
  mlir::LogicalResult finish(PackageBuilder &builder);

private:
  struct Memory {
    const Target *target;
    size_t number; ///< of the device in the package
    Arena arena{};
    llvm::DenseMap<mlir::Value, int64_t> lastUse{};   ///< by this target's steps, of what has memory in @main
    llvm::DenseMap<mlir::Value, uint64_t> resident{}; ///< by offset
    llvm::SmallVector<mlir::func::FuncOp> kernels{};
  };
  Memory &memoryOf(const Target &target, PackageBuilder &builder);
  static uint64_t place(Memory &memory, mlir::Value root, int64_t now);
  static uint32_t kernelIndex(Memory &memory, host::StepOp step, mlir::func::FuncOp kernel,
                              package::Device &device);

  const Steps &steps;
  TargetStates &states;
  std::list<Memory> memories;
};

} // namespace daedalus

#endif
