// See Arithmetic.h.

#include "Arithmetic.h"

#include <algorithm>
#include <cmath>

namespace daedalus {

std::optional<Multiplier> toMultiplier(double real) {
  int exponent = 0;
  double fraction = std::frexp(real, &exponent); // real = fraction * 2^exponent, fraction in [0.5, 1)
  int64_t multiplier = std::llrint(std::ldexp(fraction, 31));
  if (multiplier == int64_t(1) << 31) {
    multiplier >>= 1;
    ++exponent;
  }
  int shift = 31 - exponent;
  if (shift < 1)
    return std::nullopt;
  if (shift > 62) {
    multiplier = std::llrint(std::ldexp(real, 62));
    shift = 62;
  }
  return Multiplier{static_cast<int32_t>(multiplier), static_cast<int8_t>(shift)};
}

Requant uniformRequant(int64_t channels, int32_t bias, Multiplier multiplier, int64_t zeroPoint) {
  Requant requant;
  requant.bias.assign(channels, bias);
  requant.multipliers.assign(channels, multiplier.multiplier);
  requant.shifts.assign(channels, multiplier.shift);
  requant.zeroPoint = zeroPoint;
  return requant;
}

Result<Requant> productRequant(llvm::ArrayRef<int16_t> weights, llvm::ArrayRef<int32_t> bias,
                               llvm::ArrayRef<double> scales, int64_t inputZeroPoint) {
  Requant requant;
  int64_t channels = bias.size(), size = weights.size() / channels;
  for (int64_t c = 0; c < channels; ++c) {
    int64_t sum = 0, least = bias[c], most = bias[c];
    for (int64_t w : weights.slice(c * size, size)) {
      int64_t atLow = w * (-128 - inputZeroPoint), atHigh = w * (127 - inputZeroPoint);
      sum += w;
      least += std::min(atLow, atHigh);
      most += std::max(atLow, atHigh);
    }
    if (least < INT32_MIN || most > INT32_MAX)
      return error("its accumulator of output channel " + std::to_string(c) + " may reach " +
                   std::to_string(most > INT32_MAX ? most : least) +
                   ", which does not fit 32 bits; expected fewer input channels, smaller weights or a "
                   "smaller bias");
    std::optional<Multiplier> multiplier = toMultiplier(scales[scales.size() == 1 ? 0 : c]);
    if (!multiplier)
      return error("the scale of output channel " + std::to_string(c) +
                   " is 2^30 or more of the output's scale; expected a smaller ratio");
    requant.bias.push_back(static_cast<int32_t>(bias[c] - inputZeroPoint * sum));
    requant.multipliers.push_back(multiplier->multiplier);
    requant.shifts.push_back(multiplier->shift);
  }
  return requant;
}

std::optional<AddRecipe> addRecipe(double scaleA, int64_t zeroA, double scaleB, int64_t zeroB,
                                   double scaleOut, bool subtracts) {
  double realA = scaleA / scaleOut, realB = scaleB / scaleOut;
  int64_t mostA = std::max(127 - zeroA, 128 + zeroA), mostB = std::max(127 - zeroB, 128 + zeroB);
  for (int k = 32; k >= -29; --k) {
    double ma = std::nearbyint(std::ldexp(realA, k)), mb = std::nearbyint(std::ldexp(realB, k));
    if (ma + mb >= 16777216.0 || ma * mostA + mb * mostB >= 2147483648.0)
      continue;
    AddRecipe recipe;
    recipe.ma = static_cast<int32_t>(ma);
    recipe.mb = static_cast<int32_t>(subtracts ? -mb : mb);
    recipe.bias = static_cast<int32_t>(-(recipe.ma * zeroA + recipe.mb * zeroB));
    recipe.multiplier = Multiplier{1 << 30, static_cast<int8_t>(30 + k)};
    return recipe;
  }
  return std::nullopt;
}

} // namespace daedalus
