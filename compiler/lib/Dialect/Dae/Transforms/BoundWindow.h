// A block that GEMM's window computes: which of its loops are the taps of the window, and which one the
// window slides along.

#ifndef DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_BOUNDWINDOW_H
#define DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_BOUNDWINDOW_H

#include "Nest.h"

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"

#include <optional>

namespace daedalus::dae {

/// The loops of a block on INP, WGT and ACC, with the rows that each moves on by; and its maps.
struct WindowBlock {
  llvm::ArrayRef<int64_t> ranges;
  llvm::ArrayRef<mlir::utils::IteratorType> iterators;
  llvm::ArrayRef<Nest::Loop> loops; ///< strides of INP, WGT, ACC
  mlir::AffineMap inp, wgt, acc;
};

struct BoundWindow {
  Nest::Window fields;
  int64_t firstColumn;                  ///< rows of INP from the first tap's row to the first column
  llvm::SmallVector<unsigned, 4> loops; ///< of the block that the fields and the lanes stand for
};

/// The taps are one or two reduction loops: byte t of a row of WGT is row * floor(N / rows) + column. Nothing
/// where the block is no such, or the fields of GEMM or the machine's interleave do not have it.
std::optional<BoundWindow> bindWindow(const WindowBlock &block, const isa::Machine &machine);

/// The value of a linear expression. (AffineMap::compose would make, and for ever keep, attributes of
/// numbers.)
int64_t valueAt(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> point);

} // namespace daedalus::dae

#endif
