// Between the types of tensors' elements, as ONNX's Cast.

#include "Kernel.h"

using namespace mlir;

namespace daedalus::onnximport {

/// Out of a float: into the range of `to` first, since what lies outside has no meaning; a NaN becomes the
/// least.
Value GeneralKernel::fromFloat(Value value, int32_t to) {
  const bool wide = to == onnx::TensorProto::INT64;
  Type integer = wide ? Type(b.getI64Type()) : Type(b.getI32Type());
  const double most = wide                             ? 9223371487098961920.0
                      : to == onnx::TensorProto::INT32 ? 2147483520.0
                                                       : mostOf(to);
  value = b.create<arith::MaxNumFOp>(loc, value, number(leastOf(to), value.getType()));
  value = b.create<arith::MinNumFOp>(loc, value, number(most, value.getType()));
  value = b.create<arith::FPToSIOp>(loc, integer, value);
  Type element = onnximport::elementType(b, to);
  return element == integer ? value : b.create<arith::TruncIOp>(loc, element, value).getResult();
}

Value GeneralKernel::convert(Value value, int32_t from, int32_t to) {
  if (from == to)
    return value;
  if (to == onnx::TensorProto::BOOL)
    return stored(truth(value));
  Type type = onnximport::elementType(b, to);
  if (isFloatType(from) && isFloatType(to))
    return type.isF64() ? b.create<arith::ExtFOp>(loc, type, value).getResult()
                        : b.create<arith::TruncFOp>(loc, type, value).getResult();
  if (isFloatType(from))
    return fromFloat(value, to);
  if (isFloatType(to))
    return isUnsignedType(from) ? b.create<arith::UIToFPOp>(loc, type, value).getResult()
                                : b.create<arith::SIToFPOp>(loc, type, value).getResult();
  const unsigned has = value.getType().getIntOrFloatBitWidth(), needs = type.getIntOrFloatBitWidth();
  if (has == needs)
    return value;
  if (has > needs)
    return b.create<arith::TruncIOp>(loc, type, value);
  return isUnsignedType(from) ? b.create<arith::ExtUIOp>(loc, type, value).getResult()
                              : b.create<arith::ExtSIOp>(loc, type, value).getResult();
}

} // namespace daedalus::onnximport
