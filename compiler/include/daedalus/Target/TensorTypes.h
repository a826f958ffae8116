// Types of tensors and buffers as the package names them.

#ifndef DAEDALUS_TARGET_TENSORTYPES_H
#define DAEDALUS_TARGET_TENSORTYPES_H

#include "daedalus/package/package.h"

#include "mlir/IR/BuiltinTypes.h"

namespace daedalus {

/// The element type of a tensor or buffer. Integers have no sign there: they are int8, int16, int32 and
/// int64.
inline package::DType elementType(mlir::Type type) {
  if (type.isF32())
    return package::DType::F32;
  if (type.isF64())
    return package::DType::F64;
  if (type.isF16() || type.isBF16())
    return type.isF16() ? package::DType::F16 : package::DType::BF16;
  return type.isInteger(64)   ? package::DType::I64
         : type.isInteger(32) ? package::DType::I32
         : type.isInteger(16) ? package::DType::I16
                              : package::DType::I8;
}

/// The type of `name` that is stored as `stored`, whose sign nothing else tells; `stored` where there is
/// none.
inline package::DType namedType(package::DType stored, llvm::StringRef name) {
  using package::DType;
  for (DType type : {DType::Bool, DType::U8, DType::U16, DType::U32, DType::U64}) {
    const DType as = type == DType::U16   ? DType::I16
                     : type == DType::U32 ? DType::I32
                     : type == DType::U64 ? DType::I64
                                          : DType::I8;
    if (as == stored && name == package::name(type))
      return type;
  }
  return stored;
}

/// Of a tensor or buffer with a static shape.
inline package::TensorType tensorType(mlir::Type type) {
  auto shaped = mlir::cast<mlir::ShapedType>(type);
  return {elementType(shaped.getElementType()), {shaped.getShape().begin(), shaped.getShape().end()}};
}

} // namespace daedalus

#endif
