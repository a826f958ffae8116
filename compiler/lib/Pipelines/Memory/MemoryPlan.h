// The static memory plan: where every tensor of @main and of its streams lies in the arena.

#ifndef DAEDALUS_LIB_PIPELINES_MEMORYPLAN_H
#define DAEDALUS_LIB_PIPELINES_MEMORYPLAN_H

#include "Arena.h"
#include "Package/Streams.h"
#include "daedalus/Target/Target.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <vector>

namespace daedalus {

class MemoryPlan {
public:
  /// A stream is one step, so its tensors never share memory. Offsets are multiples of 64 bytes; tensors
  /// whose lives do not overlap may share memory. Inputs live from before the first step, outputs to behind
  /// the last. The arena begins with room for the padding before any input of a kernel that its target asks
  /// for.
  explicit MemoryPlan(const Steps &steps);

  /// Offset of a tensor of main or of a stream; views share their source's.
  uint64_t offset(mlir::Value value) const;
  /// The same for a tensor of a stream, which may lie in the result of the Concat that reads it.
  Slot slot(mlir::Value value) const;
  /// Of the memory that a kernel takes besides, by its step; 0 bytes: none.
  uint64_t scratchOffset(size_t step) const { return scratch[step].first; }
  uint64_t scratchBytes(size_t step) const { return scratch[step].second; }
  uint64_t bytes() const { return arena.bytes(); }

private:
  /// A tensor that lies in a wider one from channel `channel` on.
  struct Part {
    mlir::Value whole;
    int64_t channel;
  };
  const MemoryNeeds &needsOf(mlir::func::CallOp call);
  bool isReadByPixels(mlir::Value value);
  bool mayBePart(mlir::Value value);
  void placeParts(mlir::func::FuncOp stream);
  int64_t paddedPitch(mlir::Value value);
  void padPixels(mlir::func::FuncOp stream);
  uint64_t bytesOf(mlir::Value value) const;
  uint64_t widening(mlir::Value value) const;

  const Steps &steps;
  std::map<mlir::Operation *, MemoryNeeds> needs; ///< by the kernel
  llvm::DenseMap<mlir::Value, Part> parts;
  llvm::DenseMap<mlir::Value, int64_t> pitches; ///< of padded tensors
  Arena arena;
  llvm::DenseMap<mlir::Value, uint64_t> offsets;
  std::vector<std::pair<uint64_t, uint64_t>> scratch; ///< offset and bytes
};

} // namespace daedalus

#endif
