// See Arithmetic.h.

#include "daedalus/Dialect/Qnn/Transforms/Arithmetic.h"

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

namespace {

/// What the sums of a channel may be, its bias included, and the sum of its weights.
struct SumRange {
  int64_t least, most, weights = 0;

  SumRange(llvm::ArrayRef<int16_t> weightsOfChannel, int32_t bias, int64_t inputZeroPoint)
      : least(bias), most(bias) {
    for (int64_t w : weightsOfChannel) {
      const int64_t atLow = w * (-128 - inputZeroPoint), atHigh = w * (127 - inputZeroPoint);
      weights += w;
      least += std::min(atLow, atHigh);
      most += std::max(atLow, atHigh);
    }
  }
};

Error tooLargeSum(int64_t channel, int64_t sum) {
  return error("its accumulator of output channel " + std::to_string(channel) + " may reach " +
               std::to_string(sum) +
               ", which does not fit 32 bits; expected fewer input channels, smaller weights or a "
               "smaller bias");
}

Error tooLargeScale(int64_t channel) {
  return error("the scale of output channel " + std::to_string(channel) +
               " is 2^30 or more of the output's scale; expected a smaller ratio");
}

std::vector<SumRange> rangesOf(llvm::ArrayRef<int16_t> weights, llvm::ArrayRef<int32_t> bias,
                               int64_t inputZeroPoint) {
  std::vector<SumRange> ranges;
  const int64_t size = weights.size() / bias.size();
  for (auto [c, value] : llvm::enumerate(bias))
    ranges.emplace_back(weights.slice(c * size, size), value, inputZeroPoint);
  return ranges;
}

} // namespace

Result<Requant> productRequant(llvm::ArrayRef<int16_t> weights, llvm::ArrayRef<int32_t> bias,
                               llvm::ArrayRef<double> scales, int64_t inputZeroPoint) {
  Requant requant;
  for (auto [c, range] : llvm::enumerate(rangesOf(weights, bias, inputZeroPoint))) {
    if (range.least < INT32_MIN || range.most > INT32_MAX)
      return tooLargeSum(c, range.most > INT32_MAX ? range.most : range.least);
    std::optional<Multiplier> multiplier = toMultiplier(scales[scales.size() == 1 ? 0 : c]);
    if (!multiplier)
      return tooLargeScale(c);
    requant.bias.push_back(static_cast<int32_t>(bias[c] - inputZeroPoint * range.weights));
    requant.multipliers.push_back(multiplier->multiplier);
    requant.shifts.push_back(multiplier->shift);
  }
  return requant;
}

/// The factors of a residual beside sums times 2^shift; nothing where one is 2^21 or more, or a channel's
/// sums with it may leave int32.
static std::optional<llvm::SmallVector<int32_t>> residualFactors(llvm::ArrayRef<SumRange> ranges,
                                                                 llvm::ArrayRef<double> units, int shift,
                                                                 double scale, int64_t zeroPoint) {
  llvm::SmallVector<int32_t> factors;
  for (double unit : units) {
    const double factor = std::nearbyint(std::ldexp(scale / unit, shift));
    if (!(factor < 2097152.0))
      return std::nullopt;
    factors.push_back(static_cast<int32_t>(factor));
  }
  for (auto [c, range] : llvm::enumerate(ranges)) {
    const int64_t factor = factors[factors.size() == 1 ? 0 : c], unit = int64_t(1) << shift;
    if (range.least * unit - factor * (128 + zeroPoint) < INT32_MIN ||
        range.most * unit + factor * (127 - zeroPoint) > INT32_MAX)
      return std::nullopt;
  }
  return factors;
}

/// Whether what the factors are rounded by, times the largest |r - zr|, is at most mostRounding for each
/// channel.
static bool areExact(llvm::ArrayRef<int32_t> factors, llvm::ArrayRef<double> units, int shift, double scale,
                     int64_t zeroPoint, double scaleOut) {
  const double most = static_cast<double>(std::max(127 - zeroPoint, 128 + zeroPoint));
  return llvm::all_of(llvm::zip_equal(factors, units), [&](auto pair) {
    const auto [factor, unit] = pair;
    const double rounding = std::abs(factor - std::ldexp(scale / unit, shift));
    return rounding * most * std::ldexp(unit / scaleOut, -shift) <= mostRounding;
  });
}

Result<ResidualRecipe> residualRecipe(llvm::ArrayRef<int16_t> weights, llvm::ArrayRef<int32_t> bias,
                                      llvm::ArrayRef<double> units, int64_t inputZeroPoint,
                                      double residualScale, int64_t residualZeroPoint, double scaleOut) {
  const std::vector<SumRange> ranges = rangesOf(weights, bias, inputZeroPoint);
  ResidualRecipe recipe;
  std::optional<llvm::SmallVector<int32_t>> factors;
  for (recipe.shift = 15; recipe.shift >= 0; --recipe.shift)
    if ((factors = residualFactors(ranges, units, recipe.shift, residualScale, residualZeroPoint)))
      break;
  if (factors && !areExact(*factors, units, recipe.shift, residualScale, residualZeroPoint, scaleOut))
    return error("what is added to its sums is a step off in the units of its accumulator; expected "
                 "a larger scale of the output");
  if (!factors)
    return error("its sums with what is added to them may not fit 32 bits; expected fewer input channels, "
                 "smaller weights or a smaller scale of what is added");
  recipe.factors = std::move(*factors);
  for (auto [c, range] : llvm::enumerate(ranges)) {
    const size_t k = units.size() == 1 ? 0 : c;
    const std::optional<Multiplier> multiplier = toMultiplier(std::ldexp(units[k] / scaleOut, -recipe.shift));
    if (!multiplier)
      return tooLargeScale(c);
    const int64_t centred = (bias[c] - inputZeroPoint * range.weights) * (int64_t(1) << recipe.shift);
    recipe.requant.bias.push_back(static_cast<int32_t>(centred - recipe.factors[k] * residualZeroPoint));
    recipe.requant.multipliers.push_back(multiplier->multiplier);
    recipe.requant.shifts.push_back(multiplier->shift);
  }
  return recipe;
}

std::optional<AddRecipe> addRecipe(double scaleA, int64_t zeroA, double scaleB, int64_t zeroB,
                                   double scaleOut, bool subtracts) {
  double realA = scaleA / scaleOut, realB = scaleB / scaleOut;
  int64_t mostA = std::max(127 - zeroA, 128 + zeroA), mostB = std::max(127 - zeroB, 128 + zeroB);
  for (int k = 32; k >= -29; --k) {
    double ma = std::nearbyint(std::ldexp(realA, k)), mb = std::nearbyint(std::ldexp(realB, k));
    if (ma + mb >= 16777216.0 || ma * mostA + mb * mostB >= 2147483648.0)
      continue;
    const double rounding =
        std::abs(ma - std::ldexp(realA, k)) * mostA + std::abs(mb - std::ldexp(realB, k)) * mostB;
    if (std::ldexp(rounding, -k) > mostRounding)
      return std::nullopt;
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
