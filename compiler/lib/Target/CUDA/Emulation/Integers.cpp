// Operations on integers of any width up to 64 bits.
#include "Arithmetic.h"
#include "Numbers.h"
#include "Warp.h"

namespace daedalus::cuda {
namespace {

template <uint64_t (*function)(uint64_t, uint64_t, unsigned)>
void binary(Warp &warp, const Instruction &instruction) {
  const uint64_t *a = warp.slot(instruction.operands[0]), *b = warp.slot(instruction.operands[1]);
  uint64_t *result = warp.slot(instruction.result);
  const unsigned width = instruction.width;
  warp.lanes([&](unsigned lane) { result[lane] = lowBits(function(a[lane], b[lane], width), width); });
}

/// The same, with a check of the operands whose text is empty where all is well.
template <uint64_t (*function)(uint64_t, uint64_t, unsigned),
          const char *(*check)(uint64_t, uint64_t, unsigned)>
void checked(Warp &warp, const Instruction &instruction) {
  const uint64_t *a = warp.slot(instruction.operands[0]), *b = warp.slot(instruction.operands[1]);
  uint64_t *result = warp.slot(instruction.result);
  const unsigned width = instruction.width;
  warp.lanes([&](unsigned lane) {
    if (const char *what = check(a[lane], b[lane], width))
      return warp.fail(lane, instruction,
                       what + (" (" + std::to_string(signedOf(a[lane], width))) + " and " +
                           std::to_string(signedOf(b[lane], width)) + ")");
    result[lane] = lowBits(function(a[lane], b[lane], width), width);
  });
}

template <bool isSigned> const char *checkDivision(uint64_t a, uint64_t b, unsigned width) {
  if (b == 0)
    return "divides by zero";
  const bool overflows = isSigned && b == lowBits(~uint64_t(0), width) && a == uint64_t(1) << (width - 1);
  return overflows ? "divides the smallest number by -1" : nullptr;
}

const char *checkShift(uint64_t, uint64_t by, unsigned width) {
  return by >= width ? "shifts by its width or more" : nullptr;
}

uint64_t add(uint64_t a, uint64_t b, unsigned) {
  return a + b;
}
uint64_t sub(uint64_t a, uint64_t b, unsigned) {
  return a - b;
}
uint64_t mul(uint64_t a, uint64_t b, unsigned) {
  return a * b;
}
uint64_t udiv(uint64_t a, uint64_t b, unsigned) {
  return a / b;
}
uint64_t urem(uint64_t a, uint64_t b, unsigned) {
  return a % b;
}
uint64_t sdiv(uint64_t a, uint64_t b, unsigned width) {
  return signedOf(a, width) / signedOf(b, width);
}
uint64_t srem(uint64_t a, uint64_t b, unsigned width) {
  return signedOf(a, width) % signedOf(b, width);
}
uint64_t bitAnd(uint64_t a, uint64_t b, unsigned) {
  return a & b;
}
uint64_t bitOr(uint64_t a, uint64_t b, unsigned) {
  return a | b;
}
uint64_t bitXor(uint64_t a, uint64_t b, unsigned) {
  return a ^ b;
}
uint64_t shl(uint64_t a, uint64_t b, unsigned) {
  return a << b;
}
uint64_t lshr(uint64_t a, uint64_t b, unsigned) {
  return a >> b;
}
uint64_t ashr(uint64_t a, uint64_t b, unsigned width) {
  return signedOf(a, width) >> b;
}
uint64_t smax(uint64_t a, uint64_t b, unsigned width) {
  return signedOf(a, width) > signedOf(b, width) ? a : b;
}
uint64_t smin(uint64_t a, uint64_t b, unsigned width) {
  return signedOf(a, width) < signedOf(b, width) ? a : b;
}
uint64_t umax(uint64_t a, uint64_t b, unsigned) {
  return a > b ? a : b;
}
uint64_t umin(uint64_t a, uint64_t b, unsigned) {
  return a < b ? a : b;
}
uint64_t abs(uint64_t a, uint64_t, unsigned width) {
  return signedOf(a, width) < 0 ? -a : a;
}
uint64_t leadingZeros(uint64_t a, uint64_t, unsigned width) {
  return a ? __builtin_clzll(a) - (64 - width) : width;
}
uint64_t trailingZeros(uint64_t a, uint64_t, unsigned width) {
  return a ? __builtin_ctzll(a) : width;
}
uint64_t populationCount(uint64_t a, uint64_t, unsigned) {
  return __builtin_popcountll(a);
}

uint64_t reverseBits(uint64_t a, uint64_t, unsigned width) {
  uint64_t reversed = 0;
  for (unsigned bit = 0; bit < width; ++bit)
    reversed |= (a >> bit & 1) << (width - 1 - bit);
  return reversed;
}

/// Whether an exact result is not one of the width.
template <bool isSigned, char operation> uint64_t overflows(uint64_t a, uint64_t b, unsigned width) {
  const __int128 left = isSigned ? __int128(signedOf(a, width)) : __int128(a);
  const __int128 right = isSigned ? __int128(signedOf(b, width)) : __int128(b);
  if (!isSigned && operation == '*') // whose result may need 128 bits without a sign
    return static_cast<uint64_t>((static_cast<unsigned __int128>(a) * b) >> width != 0);
  const __int128 exact = operation == '+' ? left + right : operation == '-' ? left - right : left * right;
  const uint64_t kept = lowBits(static_cast<uint64_t>(exact), width);
  return exact != (isSigned ? __int128(signedOf(kept, width)) : __int128(kept));
}

template <uint64_t (*function)(uint64_t, uint64_t, unsigned)>
void truth(Warp &warp, const Instruction &instruction) {
  const uint64_t *a = warp.slot(instruction.operands[0]), *b = warp.slot(instruction.operands[1]);
  uint64_t *result = warp.slot(instruction.result);
  const unsigned width = instruction.width;
  warp.lanes([&](unsigned lane) { result[lane] = function(a[lane], b[lane], width); });
}

/// In the order of LLVM's predicates: eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge.
void compare(Warp &warp, const Instruction &instruction) {
  const uint64_t *a = warp.slot(instruction.operands[0]), *b = warp.slot(instruction.operands[1]);
  uint64_t *result = warp.slot(instruction.result);
  const unsigned predicate = static_cast<unsigned>(instruction.immediate);
  const unsigned shift = predicate >= 2 && predicate < 6 ? 64 - instruction.width : 0;
  const uint64_t sign = predicate >= 2 && predicate < 6 ? uint64_t(1) << 63 : 0;
  const unsigned relation = predicate < 2 ? predicate : 2 + (predicate - 2) % 4;
  warp.lanes([&](unsigned lane) {
    const uint64_t left = (a[lane] << shift) ^ sign, right = (b[lane] << shift) ^ sign; // unsigned order
    const bool truths[] = {left == right, left != right, left<right, left <= right, left> right,
                           left >= right};
    result[lane] = truths[relation];
  });
}

} // namespace

Handler handlerOf(IntegerOperation operation) {
  switch (operation) {
  case IntegerOperation::Add:
    return binary<add>;
  case IntegerOperation::Sub:
    return binary<sub>;
  case IntegerOperation::Mul:
    return binary<mul>;
  case IntegerOperation::UDiv:
    return checked<udiv, checkDivision<false>>;
  case IntegerOperation::SDiv:
    return checked<sdiv, checkDivision<true>>;
  case IntegerOperation::URem:
    return checked<urem, checkDivision<false>>;
  case IntegerOperation::SRem:
    return checked<srem, checkDivision<true>>;
  case IntegerOperation::And:
    return binary<bitAnd>;
  case IntegerOperation::Or:
    return binary<bitOr>;
  case IntegerOperation::Xor:
    return binary<bitXor>;
  case IntegerOperation::Shl:
    return checked<shl, checkShift>;
  case IntegerOperation::LShr:
    return checked<lshr, checkShift>;
  case IntegerOperation::AShr:
    return checked<ashr, checkShift>;
  case IntegerOperation::SMax:
    return binary<smax>;
  case IntegerOperation::SMin:
    return binary<smin>;
  case IntegerOperation::UMax:
    return binary<umax>;
  case IntegerOperation::UMin:
    return binary<umin>;
  case IntegerOperation::Compare:
    return compare;
  case IntegerOperation::Abs:
    return binary<abs>;
  case IntegerOperation::CountLeadingZeros:
    return binary<leadingZeros>;
  case IntegerOperation::CountTrailingZeros:
    return binary<trailingZeros>;
  case IntegerOperation::PopulationCount:
    return binary<populationCount>;
  case IntegerOperation::ReverseBits:
    return binary<reverseBits>;
  case IntegerOperation::SAddOverflows:
    return truth<overflows<true, '+'>>;
  case IntegerOperation::UAddOverflows:
    return truth<overflows<false, '+'>>;
  case IntegerOperation::SSubOverflows:
    return truth<overflows<true, '-'>>;
  case IntegerOperation::USubOverflows:
    return truth<overflows<false, '-'>>;
  case IntegerOperation::SMulOverflows:
    return truth<overflows<true, '*'>>;
  case IntegerOperation::UMulOverflows:
    return truth<overflows<false, '*'>>;
  }
  return nullptr;
}

} // namespace daedalus::cuda
