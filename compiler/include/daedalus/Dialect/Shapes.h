// The shape of a tensor or buffer, and the type of its elements; a scalar has its own.

#ifndef DAEDALUS_DIALECT_SHAPES_H
#define DAEDALUS_DIALECT_SHAPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Value.h"

namespace daedalus {

inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return mlir::cast<mlir::ShapedType>(value.getType()).getShape();
}

inline mlir::Type elementOf(mlir::Value value) {
  return mlir::getElementTypeOrSelf(value.getType());
}

} // namespace daedalus

#endif
