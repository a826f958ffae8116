// The static memory plan: where every tensor of main lies in the arena.

#ifndef DAEDALUS_LIB_PIPELINES_MEMORYPLAN_H
#define DAEDALUS_LIB_PIPELINES_MEMORYPLAN_H

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
  MemoryPlan(mlir::func::FuncOp main, const std::vector<PlannedStep> &steps);

  /// Offset of a tensor of main; views share their source's.
  uint64_t offset(mlir::Value value) const;
  uint64_t scratchOffset(size_t step) const { return scratch[step]; }
  uint64_t bytes() const { return size; }

private:
  struct Buffer {
    uint64_t offset, bytes;
    int64_t from, to; // steps, inclusive
  };
  uint64_t allocate(uint64_t bytes, int64_t from, int64_t to);

  std::vector<Buffer> buffers;
  llvm::DenseMap<mlir::Value, uint64_t> offsets;
  std::vector<uint64_t> scratch;
  uint64_t size = 0;
};

/// Bytes of a tensor.
uint64_t tensorBytes(mlir::Type type);

} // namespace daedalus

#endif
