// Arithmetic of floats against LLVM's own of any format, on random bits, numbers near to one another and the
// special ones.
#include "elements.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/APSInt.h"

#include <functional>
#include <random>

using llvm::APFloat;
using llvm::APInt;

namespace daedalus::cuda {
namespace {

struct Format {
  std::string name;
  unsigned bits;
  const llvm::fltSemantics &semantics;

  APFloat of(uint64_t value) const { return APFloat(semantics, APInt(bits, value)); }
};

std::vector<Format> formats() {
  return {{"f16", 16, APFloat::IEEEhalf()},
          {"bf16", 16, APFloat::BFloat()},
          {"f32", 32, APFloat::IEEEsingle()},
          {"f64", 64, APFloat::IEEEdouble()}};
}

/// Random bits, numbers near to one another, and the special ones.
Values floats(const Format &format, unsigned seed) {
  Values values = random(format.bits, seed);
  std::mt19937 other(seed);
  for (unsigned index = 0; index < count / 2; ++index) {
    APFloat value(std::ldexp(double(int(other() % 4096)) - 2048, int(other() % 16) - 8));
    bool isInexact = false;
    value.convert(format.semantics, APFloat::rmNearestTiesToEven, &isInexact);
    values[index] = value.bitcastToAPInt().getZExtValue();
  }
  const APFloat special[] = {
      APFloat::getInf(format.semantics),      APFloat::getInf(format.semantics, true),
      APFloat::getZero(format.semantics),     APFloat::getZero(format.semantics, true),
      APFloat::getQNaN(format.semantics),     APFloat::getLargest(format.semantics),
      APFloat::getSmallest(format.semantics), APFloat::getSmallestNormalized(format.semantics)};
  for (unsigned index = 0; index < 64; ++index)
    values[index] = special[seed % 2 ? index % 8 : index / 8].bitcastToAPInt().getZExtValue();
  return values;
}

/// The same number, or both none.
void expectSame(const Format &format, uint64_t found, const APFloat &expected, const std::string &what) {
  if (expected.isNaN())
    ASSERT_TRUE(format.of(found).isNaN()) << what;
  else
    ASSERT_EQ(found, expected.bitcastToAPInt().getZExtValue()) << what;
}

using OfFloats = std::function<APFloat(APFloat, const APFloat &, const APFloat &)>;

void checkFloats(const std::string &operation, unsigned operands, const OfFloats &expected) {
  for (const Format &format : formats()) {
    std::string types = format.name, names = "%a";
    for (unsigned index = 1; index < operands; ++index) {
      types += ", " + format.name;
      names += index == 1 ? ", %b" : ", %c";
    }
    const bool isIntrinsic = operation.rfind("intr.", 0) == 0;
    const std::string body = "%r = llvm." + operation +
                             (isIntrinsic ? "(" + names + ") : (" + types + ") -> " + format.name
                                          : " " + names + " : " + format.name);
    const Values a = floats(format, 1), b = floats(format, 2), c = floats(format, 3);
    const Values found =
        run(elementKernel(format.name, format.name, body), format.bits, format.bits, a, b, c);
    for (unsigned index = 0; index < count; ++index)
      expectSame(format, found[index],
                 expected(format.of(a[index]), format.of(b[index]), format.of(c[index])),
                 operation + " of " + format.name + ", operands " + std::to_string(index));
  }
}

constexpr auto nearest = APFloat::rmNearestTiesToEven;

OfFloats roundedTo(llvm::RoundingMode mode) {
  return [=](APFloat a, const APFloat &, const APFloat &) { return a.roundToIntegral(mode), a; };
}

TEST(EmulatedFloats, Operations) {
  checkFloats("fadd", 2, [](APFloat a, const APFloat &b, const APFloat &) { return a.add(b, nearest), a; });
  checkFloats("fsub", 2,
              [](APFloat a, const APFloat &b, const APFloat &) { return a.subtract(b, nearest), a; });
  checkFloats("fmul", 2,
              [](APFloat a, const APFloat &b, const APFloat &) { return a.multiply(b, nearest), a; });
  checkFloats("fdiv", 2,
              [](APFloat a, const APFloat &b, const APFloat &) { return a.divide(b, nearest), a; });
  checkFloats("frem", 2, [](APFloat a, const APFloat &b, const APFloat &) { return a.mod(b), a; });
  checkFloats("fneg", 1, [](APFloat a, const APFloat &, const APFloat &) { return -a; });
  checkFloats("intr.fabs", 1, [](APFloat a, const APFloat &, const APFloat &) { return abs(a); });
  checkFloats("intr.fma", 3, [](APFloat a, const APFloat &b, const APFloat &c) {
    return a.fusedMultiplyAdd(b, c, nearest), a;
  });
  checkFloats("intr.maximum", 2, [](APFloat a, const APFloat &b, const APFloat &) { return maximum(a, b); });
  checkFloats("intr.minimum", 2, [](APFloat a, const APFloat &b, const APFloat &) { return minimum(a, b); });
  checkFloats("intr.copysign", 2,
              [](APFloat a, const APFloat &b, const APFloat &) { return APFloat::copySign(a, b); });
  checkFloats("intr.floor", 1, roundedTo(APFloat::rmTowardNegative));
  checkFloats("intr.ceil", 1, roundedTo(APFloat::rmTowardPositive));
  checkFloats("intr.trunc", 1, roundedTo(APFloat::rmTowardZero));
  checkFloats("intr.round", 1, roundedTo(APFloat::rmNearestTiesToAway));
  checkFloats("intr.roundeven", 1, roundedTo(nearest));
}

TEST(EmulatedFloats, ComparisonsOfFloats) {
  const std::vector<std::pair<std::string, unsigned>> predicates = {
      {"_false", 0}, {"oeq", 1},  {"ogt", 2},  {"oge", 3},   {"olt", 4},  {"ole", 5},
      {"one", 6},    {"ord", 7},  {"uno", 8},  {"ueq", 9},   {"ugt", 10}, {"uge", 11},
      {"ult", 12},   {"ule", 13}, {"une", 14}, {"_true", 15}};
  const auto relation = [](const APFloat &a, const APFloat &b) {
    switch (a.compare(b)) {
    case APFloat::cmpEqual:
      return 1u;
    case APFloat::cmpGreaterThan:
      return 2u;
    case APFloat::cmpLessThan:
      return 4u;
    case APFloat::cmpUnordered:
      return 8u;
    }
    return 0u;
  };
  for (const Format &format : formats())
    for (const auto &[name, relations] : predicates) {
      const Values a = floats(format, 1), b = floats(format, 2);
      const Values found = run(elementKernel(format.name, "i8",
                                             "%t = llvm.fcmp \"" + name + "\" %a, %b : " + format.name +
                                                 "\n%r = llvm.zext %t : i1 to i8"),
                               format.bits, 8, a, b, b);
      for (unsigned index = 0; index < count; ++index)
        ASSERT_EQ(found[index], (relations & relation(format.of(a[index]), format.of(b[index]))) != 0)
            << name;
    }
}

TEST(EmulatedFloats, ConversionsBetweenFormats) {
  for (const Format &from : formats())
    for (const Format &to : formats()) {
      if (from.bits == to.bits)
        continue;
      const std::string operation = from.bits < to.bits ? "fpext" : "fptrunc";
      const Values a = floats(from, 1);
      const Values found =
          run(elementKernel(from.name, to.name,
                            "%r = llvm." + operation + " %a : " + from.name + " to " + to.name),
              from.bits, to.bits, a, a, a);
      for (unsigned index = 0; index < count; ++index) {
        APFloat expected = from.of(a[index]);
        bool isInexact = false;
        expected.convert(to.semantics, nearest, &isInexact);
        expectSame(to, found[index], expected, operation + " of " + from.name + " to " + to.name);
      }
    }
}

TEST(EmulatedFloats, ConversionsOfIntegers) {
  for (const Format &format : formats())
    for (const unsigned bits : {8u, 32u, 64u})
      for (const bool isSigned : {false, true}) {
        const std::string type = "i" + std::to_string(bits), sign = isSigned ? "si" : "ui";
        const Values integers = random(bits, 5), reals = floats(format, 6);
        const Values toFloat =
            run(elementKernel(type, format.name,
                              "%r = llvm." + sign + "tofp %a : " + type + " to " + format.name),
                bits, format.bits, integers, integers, integers);
        const Values toInteger =
            run(elementKernel(format.name, type,
                              "%r = llvm.fpto" + sign + " %a : " + format.name + " to " + type),
                format.bits, bits, reals, reals, reals);
        for (unsigned index = 0; index < count; ++index) {
          APFloat expected(format.semantics);
          expected.convertFromAPInt(APInt(bits, integers[index]), isSigned, nearest);
          expectSame(format, toFloat[index], expected, sign + "tofp of " + type + " to " + format.name);
          llvm::APSInt whole(bits, !isSigned);
          bool isExact = false;
          format.of(reals[index]).convertToInteger(whole, APFloat::rmTowardZero, &isExact);
          ASSERT_EQ(toInteger[index], whole.getZExtValue())
              << "fpto" << sign << " of " << format.name << " to " << type;
        }
      }
}

} // namespace
} // namespace daedalus::cuda
