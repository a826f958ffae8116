// ONNX's element types in MLIR: signless, booleans as bytes.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_VALUES_TYPES_H
#define DAEDALUS_LIB_IMPORT_ONNX_VALUES_TYPES_H

#include "mlir/IR/Builders.h"

#include <cstdint>

namespace daedalus::onnximport {

/// Those that tensors here have, as messages list them.
llvm::ArrayRef<int32_t> plainTypes();
bool isPlainType(int32_t dtype);
/// Their names, for messages.
constexpr const char *plainTypeNames =
    "float16, bfloat16, float32, float64, bool or integers of 8, 16, 32 or 64 bits";
/// Of a tensor's elements; `dtype` is plain.
mlir::Type elementType(mlir::Builder builder, int32_t dtype);
bool isFloatType(int32_t dtype);
/// float16 and bfloat16, which are computed in float32.
bool isHalfType(int32_t dtype);
/// float32, and what is computed in it.
bool isFloat32Type(int32_t dtype);
/// Unsigned integers and bool.
bool isUnsignedType(int32_t dtype);
/// Least and largest value, the nearest double of them; of a float infinities.
double leastOf(int32_t dtype);
double mostOf(int32_t dtype);

} // namespace daedalus::onnximport

#endif
