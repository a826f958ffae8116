// Between the types of tensors' elements, as ONNX's Cast.

#include "Body/Kernel.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using onnx::TensorProto;

/// The largest float of `type` that is no more than an integer type's most, of which 2^bits is one more.
double mostBelow(unsigned bits, Type type) {
  const unsigned digits = type.isF64() ? 53 : 24;
  return std::ldexp(1.0, int(bits)) - (bits > digits ? std::ldexp(1.0, int(bits - digits)) : 1.0);
}

/// Whether the integers of a type are all float32s.
bool fitsFloat32(int32_t dtype) {
  return mostOf(dtype) <= 1 << 24;
}

} // namespace

/// Out of a float: into the range of `to` first, since what lies outside has no meaning; a NaN becomes the
/// least.
Value GeneralKernel::fromFloat(Value value, int32_t to) {
  Type element = onnximport::elementType(b, to), type = value.getType();
  const unsigned bits = element.getIntOrFloatBitWidth();
  value = b.create<arith::MaxNumFOp>(loc, value, number(leastOf(to), type));
  value = b.create<arith::MinNumFOp>(loc, value, number(mostBelow(bits - !isUnsignedType(to), type), type));
  if (to == TensorProto::UINT64)
    return b.create<arith::FPToUIOp>(loc, element, value);
  const bool wide = bits == 64 || to == TensorProto::UINT32;
  Type integer = wide ? b.getI64Type() : b.getI32Type();
  value = b.create<arith::FPToSIOp>(loc, integer, value);
  return element == integer ? value : b.create<arith::TruncIOp>(loc, element, value).getResult();
}

/// To a float of 16 bits: rounded once, from a type that holds the value.
Value GeneralKernel::toHalf(Value value, int32_t from, int32_t to) {
  const bool isExact = from == TensorProto::FLOAT || (!isFloatType(from) && fitsFloat32(from));
  value = convert(value, from, isExact ? TensorProto::FLOAT : TensorProto::DOUBLE);
  return b.create<arith::TruncFOp>(loc, onnximport::elementType(b, to), value);
}

Value GeneralKernel::convert(Value value, int32_t from, int32_t to) {
  if (from == to)
    return value;
  if (isHalfType(from))
    return convert(b.create<arith::ExtFOp>(loc, b.getF32Type(), value), TensorProto::FLOAT, to);
  if (to == TensorProto::BOOL)
    return stored(truth(value));
  if (isHalfType(to))
    return toHalf(value, from, to);
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
