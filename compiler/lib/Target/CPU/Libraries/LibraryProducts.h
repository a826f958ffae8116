// A sum of products as a call, without what follows it (Libraries.h).

#ifndef DAEDALUS_LIB_TARGET_CPU_LIBRARYPRODUCTS_H
#define DAEDALUS_LIB_TARGET_CPU_LIBRARYPRODUCTS_H

#include "Libraries.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

namespace daedalus::cpu {

/// [batch,] M, N of [batch,] M, K and [batch,] K, N, each of which may be transposed.
std::optional<LibraryCall> matMulOf(mlir::linalg::LinalgOp op);

/// Images and products with their channels last, in groups or not, with zeros around the image.
std::optional<LibraryCall> convolutionOf(mlir::linalg::LinalgOp op);

inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

inline bool isZero(mlir::Value value) {
  return mlir::matchPattern(value, mlir::m_AnyZeroFloat()) || mlir::matchPattern(value, mlir::m_Zero());
}

/// The loop that a result of a map is, alone.
inline std::optional<unsigned> loopOf(mlir::AffineExpr expression) {
  if (auto dim = mlir::dyn_cast<mlir::AffineDimExpr>(expression))
    return dim.getPosition();
  return std::nullopt;
}

} // namespace daedalus::cpu

#endif
