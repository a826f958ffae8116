#include "Comparison.h"
#include "Report/Numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace daedalus::cli {
namespace {

/// Of floats of 16 bits at least two units in their last place, as ONNX's own runner has it of bfloat16.
double relativeOf(package::DType dtype, const Tolerance &tolerance) {
  const double units = dtype == package::DType::BF16 ? 0x1p-6 : dtype == package::DType::F16 ? 0x1p-9 : 0;
  return std::max(tolerance.relative, units);
}

bool isClose(double value, double expected, const Tolerance &tolerance) {
  if (std::isnan(value) || std::isnan(expected))
    return std::isnan(value) && std::isnan(expected);
  if (std::isinf(value) || std::isinf(expected))
    return value == expected;
  return std::abs(value - expected) <= tolerance.absolute + tolerance.relative * std::abs(expected);
}

/// Elements of an output that are not close.
struct Difference {
  uint64_t count = 0, first = 0;
  double value = 0, wanted = 0; ///< of the first
  double most = 0;

  void add(uint64_t at, double found, double expected) {
    if (count++ == 0)
      first = at, value = found, wanted = expected;
    const double size = std::abs(found - expected);
    if (!std::isnan(most) && !(size <= most)) // a NaN is the most
      most = size;
  }
};

Difference differenceOf(const runtime::Tensor &output, const OnnxTensor &expected,
                        const Tolerance &tolerance) {
  const bool areFloats = isFloat(output.type.dtype);
  Tolerance closeness = tolerance;
  closeness.relative = relativeOf(output.type.dtype, tolerance);
  Difference difference;
  const auto isNear = [&](uint64_t i, double value, double wanted) {
    if (areFloats)
      return isClose(value, wanted, closeness);
    return integerAt(output.data, output.type.dtype, i) == integerAt(expected.data, output.type.dtype, i);
  };
  for (uint64_t i = 0; i < package::elementCount(output.type); ++i) {
    const double value = numberAt(output.data, output.type.dtype, i);
    const double wanted = numberAt(expected.data, output.type.dtype, i);
    if (!isNear(i, value, wanted))
      difference.add(i, value, wanted);
  }
  return difference;
}

/// Of floats, which are rounded: within a thousandth of a step.
bool isWhole(double steps) {
  return std::abs(steps - std::round(steps)) < 1e-3;
}

std::string countOf(double steps) {
  char text[32];
  std::snprintf(text, sizeof text, isWhole(steps) ? "%.0f" : "%.2f", steps);
  return text +
         std::string(isWhole(steps) && std::round(steps) == 1 ? " quantization step" : " quantization steps");
}

/// Of floats, which are rounded, a thousandth of a step more.
Verdict verdictOf(double steps, bool isQuantized, const Tolerance &tolerance) {
  if (steps < tolerance.steps.value_or(0) + 1e-3)
    return Verdict::Passed;
  return !tolerance.steps && isQuantized && steps < 1 + 1e-3 ? Verdict::Differs : Verdict::Wrong;
}

} // namespace

CheckOutcome compare(const runtime::Tensor &output, const OnnxTensor &expected, double step, bool isQuantized,
                     const Tolerance &tolerance) {
  const std::string what = "output '" + output.name + "' ";
  if (output.type != expected.type)
    return {Verdict::Wrong,
            what + "is " + package::toString(output.type) + ", expected " + package::toString(expected.type),
            {}};
  const Difference difference = differenceOf(output, expected, tolerance);
  if (difference.count == 0)
    return {};
  std::string text = what + "is " + std::to_string(difference.value) + " at element " +
                     std::to_string(difference.first) + ", expected " + std::to_string(difference.wanted);
  if (!(step > 0))
    return {Verdict::Wrong, text, {}};
  const double steps = difference.most / step;
  text += "; it differs at " + std::to_string(difference.count) + " of " +
          std::to_string(package::elementCount(output.type)) + " elements, by at most " + countOf(steps);
  return {verdictOf(steps, isQuantized, tolerance), text, {}, steps};
}

} // namespace daedalus::cli
