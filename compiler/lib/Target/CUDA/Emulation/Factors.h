// Elements of the factors of tensor cores' products, as numbers.
#pragma once

#include "Code.h"
#include "Numbers.h"

namespace daedalus::cuda {

inline bool isInteger(Factor factor) {
  return factor == Factor::Signed || factor == Factor::Unsigned;
}

/// tf32 has 10 bits of fraction: the hardware does not look at the others.
inline float factorOfFloat(Factor factor, uint32_t bits) {
  switch (factor) {
  case Factor::Half:
    return floatOfFloat16(static_cast<uint16_t>(bits));
  case Factor::BFloat:
    return floatOfBfloat16(static_cast<uint16_t>(bits));
  case Factor::Tf32:
    return floatOfBits(bits & 0xffffe000);
  case Factor::Signed:
  case Factor::Unsigned:
    break;
  }
  return 0;
}

inline int64_t factorOfInteger(Factor factor, uint32_t bits) {
  return factor == Factor::Signed ? signedOf(bits, 8) : static_cast<int64_t>(bits);
}

} // namespace daedalus::cuda
