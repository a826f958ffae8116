// See Types.h.

#include "Types.h"

#include "mlir/IR/BuiltinTypes.h"

#include <onnx/onnx_pb.h>

#include <limits>

namespace daedalus::onnximport {

using onnx::TensorProto;

bool isPlainType(int32_t dtype) {
  switch (dtype) {
  case TensorProto::FLOAT:
  case TensorProto::DOUBLE:
  case TensorProto::INT8:
  case TensorProto::UINT8:
  case TensorProto::INT32:
  case TensorProto::INT64:
  case TensorProto::BOOL:
    return true;
  default:
    return false;
  }
}

mlir::Type elementType(mlir::Builder builder, int32_t dtype) {
  switch (dtype) {
  case TensorProto::FLOAT:
    return builder.getF32Type();
  case TensorProto::DOUBLE:
    return builder.getF64Type();
  case TensorProto::INT32:
    return builder.getI32Type();
  case TensorProto::INT64:
    return builder.getI64Type();
  default:
    return builder.getI8Type();
  }
}

bool isFloatType(int32_t dtype) {
  return dtype == TensorProto::FLOAT || dtype == TensorProto::DOUBLE;
}

bool isUnsignedType(int32_t dtype) {
  return dtype == TensorProto::UINT8 || dtype == TensorProto::BOOL;
}

double leastOf(int32_t dtype) {
  switch (dtype) {
  case TensorProto::FLOAT:
  case TensorProto::DOUBLE:
    return -std::numeric_limits<double>::infinity();
  case TensorProto::INT8:
    return -128;
  case TensorProto::INT32:
    return std::numeric_limits<int32_t>::min();
  case TensorProto::INT64:
    return static_cast<double>(std::numeric_limits<int64_t>::min());
  default:
    return 0;
  }
}

double mostOf(int32_t dtype) {
  switch (dtype) {
  case TensorProto::FLOAT:
  case TensorProto::DOUBLE:
    return std::numeric_limits<double>::infinity();
  case TensorProto::INT8:
    return 127;
  case TensorProto::UINT8:
    return 255;
  case TensorProto::INT32:
    return std::numeric_limits<int32_t>::max();
  case TensorProto::INT64:
    return static_cast<double>(std::numeric_limits<int64_t>::max());
  default:
    return 1;
  }
}

} // namespace daedalus::onnximport
