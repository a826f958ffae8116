// Floats of 16 bits: float16 (IEEE 754 binary16: 5 bits of exponent, 10 of fraction) and bfloat16 (the upper
// half of a float32). Every one of them is a float32; a float32 becomes the nearest one, of two as near the
// even one.
#pragma once

#include <cstdint>
#include <cstring>

namespace daedalus {

inline float floatOfBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The bits without the last `count`, of which it takes 0 to 31, rounded to nearest even.
inline uint32_t shiftedToNearestEven(uint32_t bits, unsigned count) {
  if (count == 0)
    return bits;
  const uint32_t half = (uint32_t(1) << (count - 1)) - 1 + (bits >> count & 1);
  return static_cast<uint32_t>((uint64_t(bits) + half) >> count);
}

inline float floatOfFloat16(uint16_t bits) {
  const uint32_t sign = uint32_t(bits & 0x8000) << 16, exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  if (exponent == 0) {
    const float size = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -size : size;
  }
  const uint32_t wide = exponent == 0x1f ? 0xff : exponent + 112;
  return floatOfBits(sign | wide << 23 | fraction << 13);
}

inline float floatOfBfloat16(uint16_t bits) {
  return floatOfBits(uint32_t(bits) << 16);
}

/// A NaN stays one, with the upper bits of its fraction.
inline uint16_t float16Of(float value) {
  const uint32_t bits = bitsOf(value), size = bits & 0x7fffffff, exponent = size >> 23;
  const auto signed16 = [&](uint32_t magnitude) {
    return static_cast<uint16_t>((bits >> 16 & 0x8000) | magnitude);
  };
  if (size > 0x7f800000)
    return signed16(0x7e00 | (size >> 13 & 0x3ff));
  if (exponent > 142) // 2^16 and more
    return signed16(0x7c00);
  if (exponent > 112)
    return signed16(shiftedToNearestEven(size - (112u << 23), 13));
  const uint32_t fraction = (size & 0x7fffff) | 0x800000; // of 2^(exponent - 150), in units of 2^-24
  return signed16(exponent < 102 ? 0 : shiftedToNearestEven(fraction, 126 - exponent));
}

inline uint16_t bfloat16Of(float value) {
  const uint32_t bits = bitsOf(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>(shiftedToNearestEven(bits, 16));
}

} // namespace daedalus
