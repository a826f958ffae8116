// Types of tensors and buffers as the package names them.

#ifndef DAEDALUS_TARGET_TENSORTYPES_H
#define DAEDALUS_TARGET_TENSORTYPES_H

#include "daedalus/package/package.h"

#include "mlir/IR/BuiltinTypes.h"

namespace daedalus {

/// The element type of a tensor or buffer. Integers of 8 bits have no sign there: they are int8.
inline package::DType elementType(mlir::Type type) {
  if (type.isF32())
    return package::DType::F32;
  if (type.isF64())
    return package::DType::F64;
  return type.isInteger(64)   ? package::DType::I64
         : type.isInteger(32) ? package::DType::I32
                              : package::DType::I8;
}

/// Of a tensor or buffer with a static shape.
inline package::TensorType tensorType(mlir::Type type) {
  auto shaped = mlir::cast<mlir::ShapedType>(type);
  return {elementType(shaped.getElementType()), {shaped.getShape().begin(), shaped.getShape().end()}};
}

} // namespace daedalus

#endif
