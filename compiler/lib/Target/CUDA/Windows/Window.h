// Reductions over windows that overlap: pools, depthwise convolutions, sliding sums. Elements of an image are
// read for several results, so that a block of threads can fetch them once.

#ifndef DAEDALUS_LIB_TARGET_CUDA_WINDOW_H
#define DAEDALUS_LIB_TARGET_CUDA_WINDOW_H

#include "daedalus/Target/CUDA/ScheduleOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>
#include <string>

namespace daedalus::cuda {

struct Window {
  mutable mlir::linalg::LinalgOp op;
  mlir::OpOperand *image;
  llvm::SmallVector<unsigned> parallel, reductions; ///< loops: by the result's dimensions, and in order
  llvm::SmallVector<int64_t> sizes;                 ///< of all loops
  llvm::SmallVector<unsigned> dimensions;           ///< of the image, that have more than one element
  llvm::SmallVector<int64_t> extents;               ///< of these
  /// By these: elements along it with a step of each loop.
  llvm::SmallVector<llvm::SmallVector<int64_t>> steps;

  /// A reduction of a whole image with indices `stride * i + dilation * k`, where each loop of the result
  /// moves the window; nothing of others.
  static std::optional<Window> of(mlir::linalg::LinalgOp op);

  mlir::Type element() const { return mlir::getElementTypeOrSelf(image->get().getType()); }
  llvm::SmallVector<int64_t> sizesOf(llvm::ArrayRef<unsigned> loops) const;
};

/// How it is computed: as cuda.window says it (Schedule.td).
struct WindowTile {
  WindowWay way = WindowWay::Threads;
  llvm::SmallVector<int64_t> sizes; ///< of the result, that a block computes, by its dimensions

  int64_t points() const;
  int64_t threads() const; ///< of a block
  /// Of the part of the image that a block's windows lie in, by dimensions.
  llvm::SmallVector<int64_t> patch(const Window &window) const;
  /// Elements of the last dimension that are copied at once: of 16 bytes, or 1.
  int64_t chunk(const Window &window) const;
  /// Elements from a line of the patch in shared memory to the next.
  int64_t pitch(const Window &window) const;
  int64_t bytesOfShared(const Window &window) const;
};

/// Why a window cannot be computed so, with what is expected; empty where it can.
std::string whyNot(const Window &window, const WindowTile &tile);

} // namespace daedalus::cuda

#endif
