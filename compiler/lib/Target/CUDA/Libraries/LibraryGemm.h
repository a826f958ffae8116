// Products that a library computes.

#ifndef DAEDALUS_LIB_TARGET_CUDA_LIBRARYGEMM_H
#define DAEDALUS_LIB_TARGET_CUDA_LIBRARYGEMM_H

#include "LibraryChoice.h"

#include "Products/Product.h"

#include "cuda_gemm.h"

#include "daedalus/Target/CUDA/ScheduleOps.h"

#include <optional>

namespace daedalus::cuda {

/// A call of a library, on whole buffers of a kernel's.
struct LibraryGemm {
  std::string function;
  Gemm gemm;
  mlir::Value x, y, out;

  void create(mlir::OpBuilder &b, mlir::Location loc, bool accumulates) const;
};

/// What of the libraries' functions computes a product; nothing where none of them does: its matrices are by
/// neither rows nor columns, or of bytes whose lines do not begin at multiples of 4, as cuBLAS asks for.
std::optional<LibraryGemm> libraryGemmOf(const Product &product, llvm::ArrayRef<LibraryChoice> libraries);

/// An operation's product as a package has it.
Gemm gemmOf(GemmOp op);

} // namespace daedalus::cuda

#endif
