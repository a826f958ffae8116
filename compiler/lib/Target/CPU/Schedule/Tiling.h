// How the last operation of a kernel is cut into tiles, which are computed one after the other or on several
// threads.

#ifndef DAEDALUS_LIB_TARGET_CPU_TILING_H
#define DAEDALUS_LIB_TARGET_CPU_TILING_H

#include "MicroKernels/Contraction.h"

namespace daedalus::cpu {

struct Tiling {
  llvm::SmallVector<int64_t> sizes; ///< of a tile along each loop; 0: all of it
  int64_t count = 1;                ///< tiles
  bool isParallel = false;          ///< whether threads share them
};

/// The loops of an operation's result, as its dimensions have them; none where these are no loops.
llvm::SmallVector<unsigned> resultLoops(mlir::linalg::LinalgOp op);

/// Whether a tile has one place or all of a loop, for what it reads is else no range.
bool isUndivided(mlir::func::FuncOp kernel);

/// For the last operation of a kernel; of one tile where nothing is to be gained by more.
Tiling chooseTiling(mlir::func::FuncOp kernel, mlir::linalg::LinalgOp last);

/// Whether an operation reads along its innermost loop what does not lie side by side.
bool isStrided(mlir::linalg::LinalgOp op);

} // namespace daedalus::cpu

#endif
