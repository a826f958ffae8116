// Real scales as integers, and the proofs that accumulators fit 32 bits.

#ifndef DAEDALUS_DIALECT_QNN_TRANSFORMS_ARITHMETIC_H
#define DAEDALUS_DIALECT_QNN_TRANSFORMS_ARITHMETIC_H

#include "daedalus/support/result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace daedalus {

/// What the rounding of numbers beside the accumulator may change a result by, in steps of it: with less than
/// one, what is rounded to the nearest step is at most one off.
constexpr double mostRounding = 0.9;

/// value * multiplier / 2^shift, with multiplier in [2^30, 2^31) (less where the shift would exceed 62) and
/// shift in 1 to 62.
struct Multiplier {
  int32_t multiplier = 0;
  int8_t shift = 1;
};

/// The nearest multiplier to `real` > 0; exact for products and quotients of float32 up to 31 bits. Nothing
/// where `real` is 2^30 or more.
std::optional<Multiplier> toMultiplier(double real);

/// One requant of C channels: clamp(round((acc + bias) * multiplier / 2^shift) + zeroPoint, lo, hi).
struct Requant {
  llvm::SmallVector<int32_t> bias, multipliers;
  llvm::SmallVector<int8_t> shifts;
  int64_t zeroPoint = 0, lo = -128, hi = 127;
};

/// A requant whose channels all have the same numbers.
Requant uniformRequant(int64_t channels, int32_t bias, Multiplier multiplier, int64_t zeroPoint);

/// The requant of a product of `weights`, `channels` rows, with an input of zero point `inputZeroPoint`.
/// Proof: with x in [-128,127], sum w (x - zx) + bias lies in [least, most] for each channel, both of which
/// must fit int32; the hardware's sum w x + (bias - zx sum w) is the same number modulo 2^32, so it is equal.
/// The error says which channel.
Result<Requant> productRequant(llvm::ArrayRef<int16_t> weights, llvm::ArrayRef<int32_t> bias,
                               llvm::ArrayRef<double> scales, int64_t inputZeroPoint);

/// qo = zo + (2^shift sum + factors[c] (r - zr)) * scale[c], of the sums of a product as productRequant() has
/// them, in units of units[c], and a residual r. `units` and `factors` are one, or one a channel. Proof: both
/// terms together lie in int32 for each channel; `shift` is the largest up to 15 for which they do and
/// factors stay below 2^21, and the rounding of the factors is at most mostRounding. The error says
/// which channel has no such numbers.
struct ResidualRecipe {
  int shift = 0;
  llvm::SmallVector<int32_t> factors;
  Requant requant;
};
Result<ResidualRecipe> residualRecipe(llvm::ArrayRef<int16_t> weights, llvm::ArrayRef<int32_t> bias,
                                      llvm::ArrayRef<double> units, int64_t inputZeroPoint,
                                      double residualScale, int64_t residualZeroPoint, double scaleOut);

/// qo = zo + (ma (a - za) + mb (b - zb)) / 2^k with one shift; mb is negative for a difference. Proof: |ma| A
/// + |mb| B < 2^31 where A and B are the largest |a - za| and |b - zb|, so the sum fits int32; |ma| + |mb| <
/// 2^24; k as large as that allows. Nothing where the rounding of ma and mb may change the result
/// by more than mostRounding, as it may where one scale is 2^14 times the result's or more.
struct AddRecipe {
  int32_t ma = 0, mb = 0, bias = 0;
  Multiplier multiplier; // 2^30 and a shift of 30 + k
};
std::optional<AddRecipe> addRecipe(double scaleA, int64_t zeroA, double scaleB, int64_t zeroB,
                                   double scaleOut, bool subtracts = false);

} // namespace daedalus

#endif
