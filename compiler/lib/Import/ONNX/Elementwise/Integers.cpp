// Operators on integers' bits and remainders.

#include "Elementwise/Elementwise.h"
#include "OperatorTable.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

bool bitShift(C &c) {
  return c.oneOf("direction", "", {"LEFT", "RIGHT"}) && binary(c);
}

/// Integers take the divisor's sign or with `fmod` the dividend's, floats the dividend's.
bool modulo(C &c) {
  if (!c.isFlag("fmod"))
    return false;
  if (c.version < 28 && isFloatType(c.dtype(0)) && !c.integer("fmod", 0))
    return c.fail("attribute 'fmod' has value 0 for inputs of type " + dtypeName(c.dtype(0)) +
                  "; expected 1");
  return binary(c);
}

template <class Op> Value bitwise(K &k) {
  return k.binaryOutput([&](Value x, Value y) -> Value { return k.b.create<Op>(k.loc, x, y); });
}

/// By as many bits as there are or more it is 0, or to the right the sign of what has one.
Value bitShift(K &k) {
  const bool toLeft = textAttribute(k.node, "direction", "") == "LEFT", hasSign = !isUnsignedType(k.dtype(0));
  return k.binaryOutput([&](Value x, Value y) -> Value {
    Type type = x.getType();
    const unsigned bits = type.getIntOrFloatBitWidth();
    Value isLess = k.compare(Compare::Less, y, k.number(bits, type), true);
    if (hasSign && !toLeft)
      return k.b.create<arith::ShRSIOp>(k.loc, x, k.select(isLess, y, k.number(bits - 1, type)));
    Value by = k.select(isLess, y, k.number(0, type)), shifted;
    if (toLeft)
      shifted = k.b.create<arith::ShLIOp>(k.loc, x, by);
    else
      shifted = k.b.create<arith::ShRUIOp>(k.loc, x, by);
    return k.select(isLess, shifted, k.number(0, type));
  });
}

/// The remainder of a division that truncates, or with `byFloor` of one that rounds down: of the divisor's
/// sign. Of a division by 0 it is the dividend.
Value remainderOf(K &k, Value x, Value y, bool isUnsigned, bool byFloor) {
  Value zero = k.number(0, x.getType());
  Value rest = k.sub(x, k.mul(k.div(x, y, isUnsigned), y));
  if (isUnsigned || !byFloor)
    return rest;
  Value differ =
      k.compare(Compare::NotEqual, k.compare(Compare::Less, rest, zero), k.compare(Compare::Less, y, zero));
  return k.select(k.both(differ, k.compare(Compare::NotEqual, rest, zero)), k.add(rest, y), rest);
}

/// C's fmod, computed in float64 from the quotient: exact of float32 up to quotients of 2^29.
Value floatRemainder(K &k, Value x, Value y) {
  const int32_t from = k.dtype(0), wide = onnx::TensorProto::DOUBLE;
  Value a = k.absolute(k.convert(x, from, wide)), b = k.absolute(k.convert(y, from, wide));
  Value zero = k.number(0, a.getType());
  Value rest = k.sub(a, k.mul(k.b.create<math::FloorOp>(k.loc, k.div(a, b)), b));
  rest = k.select(k.compare(Compare::Less, rest, zero), k.add(rest, b), rest);
  rest = k.select(k.compare(Compare::GreaterOrEqual, rest, b), k.sub(rest, b), rest);
  // What is less than the divisor stays, infinite divisors included.
  rest = k.convert(k.select(k.compare(Compare::Less, a, b), a, rest), wide, from);
  return k.select(k.compare(Compare::Less, x, k.number(0, x.getType())),
                  k.sub(k.number(0, x.getType()), rest), rest);
}

/// That of a division that rounds down, of the divisor's sign: from 28 on `fmod` 0 says it of floats too.
Value flooredRemainder(K &k, Value x, Value y) {
  Value rest = floatRemainder(k, x, y), zero = k.number(0, x.getType());
  Value differ = k.b.create<arith::XOrIOp>(k.loc, k.compare(Compare::Less, rest, zero),
                                           k.compare(Compare::Less, y, zero));
  Value moved = k.select(differ, k.add(rest, y), rest);
  return k.select(k.equal(rest, zero), k.b.create<math::CopySignOp>(k.loc, zero, y), moved);
}

Value modulo(K &k) {
  const bool isC = k.integer("fmod", 0) != 0;
  return k.binaryOutput([&](Value x, Value y) {
    if (isFloatType(k.dtype(0)))
      return isC ? floatRemainder(k, x, y) : flooredRemainder(k, x, y);
    return remainderOf(k, x, y, isUnsignedType(k.dtype(0)), !isC);
  });
}

Value bitwiseNot(K &k) {
  return unary(
      k, [&](Value x) -> Value { return k.b.create<arith::XOrIOp>(k.loc, x, k.number(-1, x.getType())); });
}

} // namespace

void addIntegers(Operators &all) {
  all["BitShift"] = {11, bitShift, bitShift};
  all["BitwiseAnd"] = {1, binary, bitwise<arith::AndIOp>};
  all["BitwiseNot"] = {1, sameShape, bitwiseNot, nullptr, inFloat32, true};
  all["BitwiseOr"] = {1, binary, bitwise<arith::OrIOp>};
  all["BitwiseXor"] = {1, binary, bitwise<arith::XOrIOp>};
  all["Mod"] = {10, modulo, modulo};
}

} // namespace daedalus::onnximport
