// Operations on floats of four formats, and conversions.
#include "Arithmetic.h"
#include "Numbers.h"
#include "Warp.h"

namespace daedalus::cuda {
namespace {

/// IEEE 754-2019's maximum and minimum: NaN wins, -0 is less than +0.
template <class T> T maximum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<T>::quiet_NaN();
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}
template <class T> T minimum(T a, T b) {
  return -maximum<T>(-a, -b);
}

/// One value of two; operations of one take the first.
template <FloatOperation operation, class T> T apply(T a, T b) {
  switch (operation) {
  case FloatOperation::Add:
    return a + b;
  case FloatOperation::Sub:
    return a - b;
  case FloatOperation::Mul:
    return a * b;
  case FloatOperation::Div:
    return a / b;
  case FloatOperation::Rem:
    return std::fmod(a, b);
  case FloatOperation::Maximum:
    return maximum(a, b);
  case FloatOperation::Minimum:
    return minimum(a, b);
  case FloatOperation::MaxNum:
    return std::isnan(a) ? b : std::isnan(b) ? a : maximum(a, b);
  case FloatOperation::MinNum:
    return std::isnan(a) ? b : std::isnan(b) ? a : minimum(a, b);
  case FloatOperation::CopySign:
    return std::copysign(a, b);
  case FloatOperation::Neg:
    return -a;
  case FloatOperation::Abs:
    return std::fabs(a);
  case FloatOperation::Sqrt:
    return std::sqrt(a);
  case FloatOperation::ReciprocalSqrt:
    return 1 / std::sqrt(a);
  case FloatOperation::Reciprocal:
    return 1 / a;
  case FloatOperation::Floor:
    return std::floor(a);
  case FloatOperation::Ceil:
    return std::ceil(a);
  case FloatOperation::Round:
    return std::round(a);
  case FloatOperation::RoundEven:
    return std::nearbyint(a);
  case FloatOperation::Trunc:
    return std::trunc(a);
  case FloatOperation::Exp:
    return std::exp(a);
  case FloatOperation::Exp2:
    return std::exp2(a);
  case FloatOperation::Log:
    return std::log(a);
  case FloatOperation::Log2:
    return std::log2(a);
  case FloatOperation::Sin:
    return std::sin(a);
  case FloatOperation::Cos:
    return std::cos(a);
  case FloatOperation::Compare:
  case FloatOperation::Fma:
  case FloatOperation::MulAdd:
    return a; // three operands, or no float as its result
  }
}

template <FloatOperation operation, class Format> void binary(Warp &warp, const Instruction &instruction) {
  using Wide = typename Format::Wide;
  const uint64_t *a = warp.slot(instruction.operands[0]), *b = warp.slot(instruction.operands[1]);
  uint64_t *result = warp.slot(instruction.result);
  warp.lanes([&](unsigned lane) {
    result[lane] = Format::put(apply<operation, Wide>(Format::get(a[lane]), Format::get(b[lane])));
  });
}

/// The immediate's bits are LLVM's: 1 where equal, 2 greater, 4 less, 8 unordered makes it true.
template <class Format> void compare(Warp &warp, const Instruction &instruction) {
  const uint64_t *a = warp.slot(instruction.operands[0]), *b = warp.slot(instruction.operands[1]);
  uint64_t *result = warp.slot(instruction.result);
  warp.lanes([&](unsigned lane) {
    const auto left = Format::get(a[lane]), right = Format::get(b[lane]);
    const unsigned relation = left == right ? 1 : left > right ? 2 : left < right ? 4 : 8;
    result[lane] = (instruction.immediate & relation) != 0;
  });
}

/// One rounding: of float16 and bfloat16 in double, where products are exact.
template <class Format> void fma(Warp &warp, const Instruction &instruction) {
  const uint64_t *a = warp.slot(instruction.operands[0]), *b = warp.slot(instruction.operands[1]),
                 *c = warp.slot(instruction.operands[2]);
  uint64_t *result = warp.slot(instruction.result);
  constexpr bool isNarrow = std::is_same_v<Format, HalfFormat> || std::is_same_v<Format, BFloatFormat>;
  warp.lanes([&](unsigned lane) {
    if constexpr (isNarrow)
      result[lane] =
          Format::round(sumToOdd(double(Format::get(a[lane])) * Format::get(b[lane]), Format::get(c[lane])));
    else
      result[lane] = Format::put(std::fma(Format::get(a[lane]), Format::get(b[lane]), Format::get(c[lane])));
  });
}

template <FloatOperation operation> Handler binaryOf(Number number) {
  switch (number) {
  case Number::Half:
    return binary<operation, HalfFormat>;
  case Number::BFloat:
    return binary<operation, BFloatFormat>;
  case Number::Single:
    return binary<operation, SingleFormat>;
  case Number::Double:
    return binary<operation, DoubleFormat>;
  case Number::Integer:
    return nullptr;
  }
  return nullptr;
}

Handler fmaOf(Number number) {
  switch (number) {
  case Number::Half:
    return fma<HalfFormat>;
  case Number::BFloat:
    return fma<BFloatFormat>;
  case Number::Single:
    return fma<SingleFormat>;
  case Number::Double:
    return fma<DoubleFormat>;
  case Number::Integer:
    return nullptr;
  }
  return nullptr;
}

Handler compareOf(Number number) {
  switch (number) {
  case Number::Half:
    return compare<HalfFormat>;
  case Number::BFloat:
    return compare<BFloatFormat>;
  case Number::Single:
    return compare<SingleFormat>;
  case Number::Double:
    return compare<DoubleFormat>;
  case Number::Integer:
    return nullptr;
  }
  return nullptr;
}

} // namespace

Handler handlerOf(FloatOperation operation, Number number) {
  switch (operation) {
  case FloatOperation::Compare:
    return compareOf(number);
  case FloatOperation::Fma:
  case FloatOperation::MulAdd:
    return fmaOf(number); // as NVPTX contracts it
#define CASE(name)                                                                                           \
  case FloatOperation::name:                                                                                 \
    return binaryOf<FloatOperation::name>(number)
    CASE(Add);
    CASE(Sub);
    CASE(Mul);
    CASE(Div);
    CASE(Rem);
    CASE(Maximum);
    CASE(Minimum);
    CASE(MaxNum);
    CASE(MinNum);
    CASE(CopySign);
    CASE(Neg);
    CASE(Abs);
    CASE(Sqrt);
    CASE(ReciprocalSqrt);
    CASE(Reciprocal);
    CASE(Floor);
    CASE(Ceil);
    CASE(Round);
    CASE(RoundEven);
    CASE(Trunc);
    CASE(Exp);
    CASE(Exp2);
    CASE(Log);
    CASE(Log2);
    CASE(Sin);
    CASE(Cos);
#undef CASE
  }
  return nullptr;
}

} // namespace daedalus::cuda
