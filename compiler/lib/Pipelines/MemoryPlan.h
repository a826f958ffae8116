// The static memory plan: where every tensor of main lies in the arena.

#ifndef DAEDALUS_LIB_PIPELINES_MEMORYPLAN_H
#define DAEDALUS_LIB_PIPELINES_MEMORYPLAN_H

#include "Arena.h"
#include "Placement.h"
#include "daedalus/Target/Accelerator/Accelerator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace daedalus {

/// Steps as the plan sees them: a stream of the accelerator is one step, so its tensors never share memory.
struct PlannedStep {
  std::vector<mlir::func::CallOp> calls;
  bool isStream = false;
  uint64_t scratchBytes = 0;
};

class MemoryPlan {
public:
  /// Offsets are multiples of 64 bytes; tensors whose lives do not overlap may share memory. Inputs live from
  /// before the first step, outputs to behind the last. The arena begins with room for the padding before any
  /// input of an accelerator kernel, so that no LOAD counts from a negative offset.
  MemoryPlan(mlir::func::FuncOp main, const std::vector<PlannedStep> &steps, const Kernels &kernels);

  /// Offset of a tensor of main; views share their source's.
  uint64_t offset(mlir::Value value) const;
  /// The same for a tensor of a stream, which may lie in the result of the Concat that reads it.
  accelerator::Slot slot(mlir::Value value) const;
  uint64_t scratchOffset(size_t step) const { return scratch[step]; }
  uint64_t bytes() const { return arena.bytes(); }

private:
  /// A tensor that lies in a wider one from channel `channel` on.
  struct Part {
    mlir::Value whole;
    int64_t channel;
  };
  void placeParts(const PlannedStep &step, const Kernels &kernels);
  uint64_t widening(mlir::Value value) const;

  llvm::DenseMap<mlir::Value, Part> parts;
  Arena arena;
  llvm::DenseMap<mlir::Value, uint64_t> offsets;
  std::vector<uint64_t> scratch;
};

/// What a view of main is a view of; other values themselves.
mlir::Value rootOf(mlir::Value value);

/// Bytes of a tensor.
uint64_t tensorBytes(mlir::Type type);

} // namespace daedalus

#endif
