// Entries of a schedule, made of what is decided.

#ifndef DAEDALUS_LIB_TARGET_CUDA_ENTRIES_H
#define DAEDALUS_LIB_TARGET_CUDA_ENTRIES_H

#include "Products/Product.h"
#include "Products/Tile.h"
#include "Windows/Window.h"

#include "daedalus/Target/CUDA/ScheduleOps.h"

#include "mlir/IR/Builders.h"

#include <array>

namespace daedalus::cuda {

/// Of the batch, of M, N and K.
std::array<int64_t, 4> sizesOf(const Product &product);

ProductOp createEntry(mlir::OpBuilder &b, mlir::Location loc, mlir::Type element,
                      llvm::ArrayRef<int64_t> sizes, const Tile &tile);
WindowOp createEntry(mlir::OpBuilder &b, mlir::Location loc, mlir::Type element,
                     llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> window, const WindowTile &tile);

} // namespace daedalus::cuda

#endif
