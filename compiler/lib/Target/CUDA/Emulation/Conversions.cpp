// Conversions between numbers, and what moves bits between slots.
#include "Arithmetic.h"
#include "Numbers.h"
#include "Warp.h"

#include <limits>

namespace daedalus::cuda {
namespace {

template <bool isSigned> void extend(Warp &warp, const Instruction &instruction) {
  const uint64_t *a = warp.slot(instruction.operands[0]);
  uint64_t *result = warp.slot(instruction.result);
  const unsigned from = instruction.width, to = static_cast<unsigned>(instruction.immediate);
  warp.lanes([&](unsigned lane) {
    result[lane] = lowBits(isSigned ? static_cast<uint64_t>(signedOf(a[lane], from)) : a[lane], to);
  });
}

template <class Format, class Integer> uint64_t rounded(Integer value) {
  if constexpr (std::is_same_v<Format, SingleFormat>)
    return Format::put(static_cast<float>(value));
  return Format::round(static_cast<double>(value));
}

template <class Format, bool isSigned> void toFloat(Warp &warp, const Instruction &instruction) {
  const uint64_t *a = warp.slot(instruction.operands[0]);
  uint64_t *result = warp.slot(instruction.result);
  const unsigned width = instruction.width;
  warp.lanes([&](unsigned lane) {
    result[lane] = isSigned ? rounded<Format>(signedOf(a[lane], width)) : rounded<Format>(a[lane]);
  });
}

/// As PTX's cvt.rzi: what is too large becomes the nearest number of the width, NaN zero.
template <bool isSigned> uint64_t truncated(double value, unsigned width) {
  if (std::isnan(value))
    return 0;
  const double end = std::ldexp(1.0, static_cast<int>(isSigned ? width - 1 : width));
  const uint64_t greatest = lowBits(~uint64_t(0), isSigned ? width - 1 : width);
  if (value >= end)
    return greatest;
  if (isSigned)
    return lowBits(value < -end ? greatest + 1 : static_cast<uint64_t>(static_cast<int64_t>(value)), width);
  return value < 0 ? 0 : static_cast<uint64_t>(value);
}

template <class Format, bool isSigned> void toInteger(Warp &warp, const Instruction &instruction) {
  const uint64_t *a = warp.slot(instruction.operands[0]);
  uint64_t *result = warp.slot(instruction.result);
  const unsigned width = static_cast<unsigned>(instruction.immediate);
  warp.lanes([&](unsigned lane) { result[lane] = truncated<isSigned>(Format::get(a[lane]), width); });
}

template <class From, class To> void toFormat(Warp &warp, const Instruction &instruction) {
  const uint64_t *a = warp.slot(instruction.operands[0]);
  uint64_t *result = warp.slot(instruction.result);
  warp.lanes([&](unsigned lane) { result[lane] = To::round(From::get(a[lane])); });
}

/// Calls a function with the format that a number has.
template <class Function> Handler withFormat(Number number, Function function) {
  switch (number) {
  case Number::Half:
    return function(HalfFormat());
  case Number::BFloat:
    return function(BFloatFormat());
  case Number::Single:
    return function(SingleFormat());
  case Number::Double:
    return function(DoubleFormat());
  case Number::Integer:
    return nullptr;
  }
  return nullptr;
}

Handler betweenFormats(Number from, Number to) {
  return withFormat(from, [&](auto source) {
    return withFormat(to,
                      [](auto target) -> Handler { return toFormat<decltype(source), decltype(target)>; });
  });
}

} // namespace

Handler handlerOf(Conversion conversion, Number from, Number to) {
  switch (conversion) {
  case Conversion::ZExt:
  case Conversion::Trunc:
    return extend<false>;
  case Conversion::SExt:
    return extend<true>;
  case Conversion::SIToFP:
    return withFormat(to, [](auto f) -> Handler { return toFloat<decltype(f), true>; });
  case Conversion::UIToFP:
    return withFormat(to, [](auto f) -> Handler { return toFloat<decltype(f), false>; });
  case Conversion::FPToSI:
    return withFormat(from, [](auto f) -> Handler { return toInteger<decltype(f), true>; });
  case Conversion::FPToUI:
    return withFormat(from, [](auto f) -> Handler { return toInteger<decltype(f), false>; });
  case Conversion::FPToFP:
    return betweenFormats(from, to);
  }
  return nullptr;
}

void select(Warp &warp, const Instruction &instruction) {
  const uint64_t *condition = warp.slot(instruction.operands[0]), *a = warp.slot(instruction.operands[1]),
                 *b = warp.slot(instruction.operands[2]);
  uint64_t *result = warp.slot(instruction.result);
  warp.lanes([&](unsigned lane) { result[lane] = condition[lane] ? a[lane] : b[lane]; });
}

void copy(Warp &warp, const Instruction &instruction) {
  const uint64_t *a = warp.slot(instruction.operands[0]);
  uint64_t *result = warp.slot(instruction.result);
  warp.lanes([&](unsigned lane) { result[lane] = a[lane]; });
}

void addIndex(Warp &warp, const Instruction &instruction) {
  const uint64_t *a = warp.slot(instruction.operands[0]), *b = warp.slot(instruction.operands[1]);
  uint64_t *result = warp.slot(instruction.result);
  const unsigned width = instruction.width;
  warp.lanes([&](unsigned lane) {
    result[lane] = a[lane] + static_cast<uint64_t>(signedOf(b[lane], width)) * instruction.immediate;
  });
}

void addImmediate(Warp &warp, const Instruction &instruction) {
  const uint64_t *a = warp.slot(instruction.operands[0]);
  uint64_t *result = warp.slot(instruction.result);
  warp.lanes([&](unsigned lane) { result[lane] = a[lane] + instruction.immediate; });
}

void takeBits(Warp &warp, const Instruction &instruction) {
  const uint64_t *a = warp.slot(instruction.operands[0]);
  uint64_t *result = warp.slot(instruction.result);
  warp.lanes(
      [&](unsigned lane) { result[lane] = lowBits(a[lane] >> instruction.immediate, instruction.width); });
}

void joinBits(Warp &warp, const Instruction &instruction) {
  const uint64_t *a = warp.slot(instruction.operands[0]), *b = warp.slot(instruction.operands[1]);
  uint64_t *result = warp.slot(instruction.result);
  warp.lanes([&](unsigned lane) { result[lane] = a[lane] | b[lane] << instruction.immediate; });
}

void pickElement(Warp &warp, const Instruction &instruction) {
  const uint64_t *index = warp.slot(instruction.operands[0]);
  uint64_t *result = warp.slot(instruction.result);
  const std::vector<uint32_t> &slots = warp.launch.kernel.lists[instruction.extra];
  warp.lanes([&](unsigned lane) {
    if (index[lane] >= slots.size())
      return warp.fail(lane, instruction,
                       "takes element " + std::to_string(index[lane]) + " of " +
                           std::to_string(slots.size()));
    result[lane] = warp.slot(slots[index[lane]])[lane];
  });
}

} // namespace daedalus::cuda
