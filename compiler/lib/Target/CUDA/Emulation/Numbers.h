// Numbers in slots: integers of a width, and the four formats of floats with the rounding to each.
#pragma once

#include "daedalus/support/float16.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace daedalus::cuda {

inline uint64_t lowBits(uint64_t value, unsigned width) {
  return width >= 64 ? value : value & ((uint64_t(1) << width) - 1);
}

inline int64_t signedOf(uint64_t value, unsigned width) {
  return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

/// The nearest float32, but never one that rounding made even: a second rounding, to fewer bits, is then as
/// good as one.
inline float roundedToOdd(double value) {
  const float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || std::isnan(value) || std::isinf(nearest) ||
      (bitsOf(nearest) & 1))
    return nearest;
  const bool tooLarge = std::fabs(static_cast<double>(nearest)) > std::fabs(value);
  return floatOfBits(tooLarge ? bitsOf(nearest) - 1 : bitsOf(nearest) + 1);
}

/// The sum, where it is inexact the odd one of the two doubles beside it: for another rounding, to fewer
/// bits.
inline double sumToOdd(double a, double b) {
  const double sum = a + b, ofA = sum - b, ofB = sum - ofA, error = (a - ofA) + (b - ofB);
  uint64_t bits;
  std::memcpy(&bits, &sum, sizeof bits);
  if (!std::isfinite(sum) || error == 0 || (bits & 1))
    return sum;
  bits += (error > 0) == (sum > 0) ? 1 : -1;
  double odd;
  std::memcpy(&odd, &bits, sizeof odd);
  return odd;
}

/// Arithmetic of a format is done in Wide, whose results rounded once more are the right ones.
struct HalfFormat {
  using Wide = float;
  static float get(uint64_t bits) { return floatOfFloat16(static_cast<uint16_t>(bits)); }
  static uint64_t put(float value) { return float16Of(value); }
  static uint64_t round(double value) { return float16Of(roundedToOdd(value)); }
};

struct BFloatFormat {
  using Wide = float;
  static float get(uint64_t bits) { return floatOfBfloat16(static_cast<uint16_t>(bits)); }
  static uint64_t put(float value) { return bfloat16Of(value); }
  static uint64_t round(double value) { return bfloat16Of(roundedToOdd(value)); }
};

struct SingleFormat {
  using Wide = float;
  static float get(uint64_t bits) { return floatOfBits(static_cast<uint32_t>(bits)); }
  static uint64_t put(float value) { return bitsOf(value); }
  static uint64_t round(double value) { return bitsOf(static_cast<float>(value)); }
};

struct DoubleFormat {
  using Wide = double;
  static double get(uint64_t bits) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  static uint64_t put(double value) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  static uint64_t round(double value) { return put(value); }
};

} // namespace daedalus::cuda
