// ONNX's element types in MLIR: signless, booleans as bytes.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_GENERAL_TYPES_H
#define DAEDALUS_LIB_IMPORT_ONNX_GENERAL_TYPES_H

#include "mlir/IR/Builders.h"

#include <cstdint>

namespace daedalus::onnximport {

/// float32, float64, int8, uint8, int32, int64 and bool.
bool isPlainType(int32_t dtype);
/// Their names, for messages.
constexpr const char *plainTypeNames = "float32, float64, int8, uint8, int32, int64 or bool";
/// Of a tensor's elements; `dtype` is plain.
mlir::Type elementType(mlir::Builder builder, int32_t dtype);
bool isFloatType(int32_t dtype);
/// uint8 and bool.
bool isUnsignedType(int32_t dtype);
/// Least and largest value; of a float infinities.
double leastOf(int32_t dtype);
double mostOf(int32_t dtype);

} // namespace daedalus::onnximport

#endif
