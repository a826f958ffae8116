// Views: operations whose result shares the memory of their operand.

#ifndef DAEDALUS_ANALYSIS_VIEWS_H
#define DAEDALUS_ANALYSIS_VIEWS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace daedalus {

inline bool isView(mlir::Operation *op) {
  return mlir::isa<mlir::tensor::ExpandShapeOp, mlir::tensor::CollapseShapeOp>(op);
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
