// See Types.h.

#include "Values/Types.h"

#include "mlir/IR/BuiltinTypes.h"

#include <onnx/onnx_pb.h>

#include <cmath>
#include <limits>

namespace daedalus::onnximport {
namespace {

using onnx::TensorProto;

struct PlainInteger {
  int32_t dtype;
  unsigned bits;
  bool isUnsigned;
};
constexpr PlainInteger integers[] = {
    {TensorProto::INT8, 8, false},   {TensorProto::INT16, 16, false}, {TensorProto::INT32, 32, false},
    {TensorProto::INT64, 64, false}, {TensorProto::UINT8, 8, true},   {TensorProto::UINT16, 16, true},
    {TensorProto::UINT32, 32, true}, {TensorProto::UINT64, 64, true}, {TensorProto::BOOL, 8, true}};

const PlainInteger *integerOf(int32_t dtype) {
  for (const PlainInteger &one : integers)
    if (one.dtype == dtype)
      return &one;
  return nullptr;
}

} // namespace

llvm::ArrayRef<int32_t> plainTypes() {
  static constexpr int32_t all[] = {TensorProto::FLOAT,    TensorProto::DOUBLE, TensorProto::FLOAT16,
                                    TensorProto::BFLOAT16, TensorProto::INT8,   TensorProto::UINT8,
                                    TensorProto::INT16,    TensorProto::UINT16, TensorProto::INT32,
                                    TensorProto::UINT32,   TensorProto::INT64,  TensorProto::UINT64,
                                    TensorProto::BOOL};
  return all;
}

bool isPlainType(int32_t dtype) {
  return llvm::is_contained(plainTypes(), dtype);
}

mlir::Type elementType(mlir::Builder builder, int32_t dtype) {
  switch (dtype) {
  case TensorProto::FLOAT:
    return builder.getF32Type();
  case TensorProto::DOUBLE:
    return builder.getF64Type();
  case TensorProto::FLOAT16:
    return builder.getF16Type();
  case TensorProto::BFLOAT16:
    return builder.getBF16Type();
  default:
    const PlainInteger *integer = integerOf(dtype);
    return builder.getIntegerType(integer ? integer->bits : 8);
  }
}

bool isHalfType(int32_t dtype) {
  return dtype == TensorProto::FLOAT16 || dtype == TensorProto::BFLOAT16;
}

bool isFloat32Type(int32_t dtype) {
  return dtype == TensorProto::FLOAT || isHalfType(dtype);
}

bool isFloatType(int32_t dtype) {
  return isFloat32Type(dtype) || dtype == TensorProto::DOUBLE;
}

bool isUnsignedType(int32_t dtype) {
  const PlainInteger *integer = integerOf(dtype);
  return integer && integer->isUnsigned;
}

double leastOf(int32_t dtype) {
  if (isFloatType(dtype))
    return -std::numeric_limits<double>::infinity();
  const PlainInteger *integer = integerOf(dtype);
  return integer && !integer->isUnsigned ? -std::ldexp(1.0, int(integer->bits) - 1) : 0;
}

double mostOf(int32_t dtype) {
  if (isFloatType(dtype))
    return std::numeric_limits<double>::infinity();
  const PlainInteger *integer = integerOf(dtype);
  if (!integer || dtype == TensorProto::BOOL)
    return 1;
  return std::ldexp(1.0, int(integer->bits) - !integer->isUnsigned) - 1;
}

} // namespace daedalus::onnximport
