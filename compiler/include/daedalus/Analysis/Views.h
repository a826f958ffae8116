// Views: operations whose result shares the memory of their operand.

#ifndef DAEDALUS_ANALYSIS_VIEWS_H
#define DAEDALUS_ANALYSIS_VIEWS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace daedalus {

inline bool isView(mlir::Operation *op) {
  return mlir::isa<mlir::tensor::ExpandShapeOp, mlir::tensor::CollapseShapeOp>(op);
}

/// Whether a tensor of that type has an extent of 0.
inline bool hasNoElements(mlir::Type type) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() == 0;
}

/// A tensor without elements that stands in @main: it has no memory, and nothing computes it.
inline bool isNothing(mlir::Operation *op) {
  return mlir::isa<mlir::tensor::EmptyOp>(op) && hasNoElements(op->getResult(0).getType());
}

/// What a view is a view of; other values themselves.
inline mlir::Value rootOf(mlir::Value value) {
  while (mlir::Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Bytes of a tensor.
inline uint64_t tensorBytes(mlir::Type type) {
  auto tensor = mlir::cast<mlir::RankedTensorType>(type);
  return tensor.getNumElements() * tensor.getElementTypeBitWidth() / 8;
}

} // namespace daedalus

#endif
