// Products that a library computes.

#ifndef DAEDALUS_LIB_TARGET_CUDA_LIBRARYGEMM_H
#define DAEDALUS_LIB_TARGET_CUDA_LIBRARYGEMM_H

#include "LibraryChoice.h"

#include "Products/Product.h"

#include "cuda_gemm.h"

#include "daedalus/Target/CUDA/ScheduleOps.h"

#include <array>
#include <optional>

namespace daedalus::cuda {

/// What a product is of matrices that lie by rows or by columns; nothing of others.
std::optional<Gemm> gemmOf(const Product &product);

/// Whether a library is given it; not of bytes whose lines do not begin at multiples of 4, as cuBLAS asks
/// for.
bool takes(const LibraryChoice &library, const Gemm &gemm);

void createGemm(mlir::OpBuilder &b, mlir::Location loc, const Gemm &gemm, mlir::StringAttr function,
                const std::array<mlir::Value, 3> &buffers, mlir::UnitAttr accumulates);

/// An operation's product as a package has it.
Gemm gemmOf(GemmOp op);

} // namespace daedalus::cuda

#endif
