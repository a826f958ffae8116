// The arithmetic of the instruction set, written to be read: what the engines, the CPU target and the tests
// mean by one element of an instruction. Everything is exact; int32 wraps modulo 2^32.
#pragma once

#include "daedalus/isa/instructions.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace daedalus::isa {

inline int32_t wrapAdd(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
inline int32_t wrapSubtract(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b));
}
inline int32_t wrapMultiply(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}

/// `value` brought into [lo, hi]; hi wins where lo > hi.
inline int32_t clampTo(int32_t value, int lo, int hi) {
  return std::min(std::max(value, lo), hi);
}

/// value / 2^shift, rounded; shift 1 to 62, |value| below 2^62. Halves go to the even neighbour or up.
inline int64_t roundShift(int64_t value, int shift, Rounding rounding) {
  const int64_t half = int64_t(1) << (shift - 1);
  const bool odd = (value >> shift) & 1;
  const int64_t addend = rounding == Rounding::HalfUp || odd ? half : half - 1;
  return (value + addend) >> shift;
}

/// clamp(round((acc + bias) * multiplier / 2^shift) + zeroPoint, lo, hi). acc + bias wraps to int32 (a
/// compiler proves that it does not). multiplier is 0 to 2^31 - 1 and shift 1 to 62, so product and rounded
/// sum fit int64 and nothing is cut off before the clamp; of other values what PARAM's description says is
/// used.
inline int8_t requantize(int32_t acc, int32_t bias, int32_t multiplier, int shift, int zeroPoint, int lo,
                         int hi, Rounding rounding) {
  const int64_t product = static_cast<int64_t>(wrapAdd(acc, bias)) * (multiplier & 0x7fffffff);
  const int64_t value = roundShift(product, clampTo(shift & 63, 1, 62), rounding) + zeroPoint;
  return static_cast<int8_t>(std::min<int64_t>(std::max<int64_t>(value, lo), hi));
}

/// How VECTOR makes the results of an operation. An operation that isa.yaml adds has to be placed here before
/// anything compiles.
enum class VectorWay : uint8_t {
  Lanes,               ///< combine() of its operands' lanes
  Words,               ///< the bytes of its operand as they are
  Requantize,          ///< requantize() with a row of PARAM
  LookUp,              ///< an entry of a table, at lutIndex()
  RequantizeAndLookUp, ///< an entry of a table, at lutIndex() of requantize() with a row of PARAM
};
inline VectorWay wayOf(VectorOp op) {
  switch (op) {
  case VectorOp::Add:
  case VectorOp::Sub:
  case VectorOp::Mul:
  case VectorOp::Max:
  case VectorOp::Min:
  case VectorOp::Shl:
  case VectorOp::Shr:
  case VectorOp::Mov:
  case VectorOp::Mac:
    return VectorWay::Lanes;
  case VectorOp::Mov32:
    return VectorWay::Words;
  case VectorOp::Requant:
    return VectorWay::Requantize;
  case VectorOp::Lut:
    return VectorWay::LookUp;
  case VectorOp::RequantLut:
    return VectorWay::RequantizeAndLookUp;
  }
  std::abort(); // no operation: the decoder refuses it
}

/// Whether a destination of int8 takes the results of an operation clamped to [lo, hi], not as they are.
inline bool clampsResult(VectorOp op) {
  return op != VectorOp::Mov32 && op != VectorOp::RequantLut;
}

/// What VECTOR's operations of the way Lanes give for one lane; `b` is ignored by mov. mac is its product
/// alone: the addition to the old destination is a wrapAdd.
inline int32_t combine(VectorOp op, int32_t a, int32_t b) {
  switch (op) {
  case VectorOp::Add:
    return wrapAdd(a, b);
  case VectorOp::Sub:
    return wrapSubtract(a, b);
  case VectorOp::Mul:
    return wrapMultiply(a, b);
  case VectorOp::Max:
    return std::max(a, b);
  case VectorOp::Min:
    return std::min(a, b);
  case VectorOp::Shl:
    return static_cast<int32_t>(static_cast<uint32_t>(a) << (b & 31));
  case VectorOp::Shr:
    return a >> (b & 31);
  case VectorOp::Mac:
    return wrapMultiply(a, b);
  case VectorOp::Mov:
    return a;
  case VectorOp::Mov32:
  case VectorOp::Requant:
  case VectorOp::Lut:
  case VectorOp::RequantLut:
    break; // of another way
  }
  std::abort();
}

/// The place of a value in a table of LUT: a clamped to int8, plus 128.
inline unsigned lutIndex(int32_t a) {
  return static_cast<unsigned>(clampTo(a, -128, 127) + 128);
}

/// A byte of unsigned data as int8 and back: the top bit inverted (LOAD and STORE, unsigned_data).
inline uint8_t flipSign(uint8_t byte) {
  return byte ^ 0x80;
}

} // namespace daedalus::isa
