// Arithmetic against LLVM's own of any width and format, on random bits and on the special ones.
#include "emulated.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/APSInt.h"

#include <gmock/gmock.h>

#include <functional>
#include <random>

using llvm::APFloat;
using llvm::APInt;
using ::testing::HasSubstr;

namespace daedalus::cuda {
namespace {

constexpr unsigned count = 1024; ///< of operands, each of one thread

/// %r of the type `to`, made by the body of %a, %b and %c of the type `from`.
std::string elementKernel(const std::string &from, const std::string &to, const std::string &body) {
  const auto loaded = [&](const std::string &name) {
    return "%p" + name + " = llvm.getelementptr %" + name + "s[%i] : (!llvm.ptr, i32) -> !llvm.ptr, " + from +
           "\n%" + name + " = llvm.load %p" + name + " : !llvm.ptr -> " + from + "\n";
  };
  return "llvm.func @each(%as: !llvm.ptr, %bs: !llvm.ptr, %cs: !llvm.ptr, %rs: !llvm.ptr) attributes "
         "{gpu.kernel, "
         "nvvm.kernel} {\n%i = nvvm.read.ptx.sreg.tid.x : i32\n" +
         loaded("a") + loaded("b") + loaded("c") + body +
         "\n%pr = llvm.getelementptr %rs[%i] : (!llvm.ptr, i32) -> !llvm.ptr, " + to +
         "\nllvm.store %r, %pr : " + to + ", !llvm.ptr\nllvm.return\n}";
}

using Values = std::vector<uint64_t>;

/// Of so many bits, one behind the other in memory.
std::vector<uint8_t> bytesOf(const Values &values, unsigned bits) {
  std::vector<uint8_t> bytes;
  for (uint64_t value : values)
    for (unsigned byte = 0; byte < (bits + 7) / 8; ++byte)
      bytes.push_back(static_cast<uint8_t>(value >> 8 * byte));
  return bytes;
}

struct Type {
  std::string name;
  unsigned bits;
};

Values run(const std::string &text, unsigned from, unsigned to, const Values &a, const Values &b,
           const Values &c) {
  Emulated gpu(text);
  EXPECT_TRUE(gpu.isKnown()) << gpu.refusal() << text;
  if (!gpu.isKnown())
    return Values(count);
  const unsigned size = (to + 7) / 8;
  const uint64_t result = gpu.allocate(count * size);
  gpu.run({"each",
           {1, 1, 1},
           {count, 1, 1},
           0,
           {gpu.allocate(bytesOf(a, from)), gpu.allocate(bytesOf(b, from)), gpu.allocate(bytesOf(c, from)),
            result}});
  const std::vector<uint8_t> bytes = gpu.values<uint8_t>(result, count * size);
  Values values(count);
  for (unsigned index = 0; index < count; ++index)
    std::memcpy(&values[index], bytes.data() + index * size, size);
  return values;
}

Values random(unsigned bits, unsigned seed) {
  std::mt19937_64 bitsOf(seed);
  Values values(count);
  for (uint64_t &value : values)
    value = bitsOf() >> (64 - bits);
  return values;
}

using OfIntegers = std::function<APInt(const APInt &, const APInt &)>;

void checkIntegers(const std::string &name, const OfIntegers &expected, Values (*second)(unsigned)) {
  for (unsigned bits : {8u, 16u, 32u, 64u}) {
    const std::string type = "i" + std::to_string(bits);
    const bool isIntrinsic = name.rfind("intr.", 0) == 0;
    const std::string body =
        "%r = llvm." + name +
        (isIntrinsic ? "(%a, %b) : (" + type + ", " + type + ") -> " + type : " %a, %b : " + type);
    const Values a = random(bits, 1), b = second(bits);
    const Values found = run(elementKernel(type, type, body), bits, bits, a, b, b);
    for (unsigned index = 0; index < count; ++index)
      ASSERT_EQ(found[index], expected(APInt(bits, a[index]), APInt(bits, b[index])).getZExtValue())
          << name << " of " << type << ": " << a[index] << ", " << b[index];
  }
}

Values anything(unsigned bits) {
  return random(bits, 2);
}
Values notZero(unsigned bits) {
  Values values = random(bits, 3);
  for (uint64_t &value : values)
    value = value >> (value % 3 * 3) | 2; // and so not -1 of the least number
  return values;
}
Values lessThanBits(unsigned bits) {
  Values values = random(bits, 4);
  for (uint64_t &value : values)
    value %= bits;
  return values;
}

TEST(EmulatedArithmetic, Integers) {
  checkIntegers(
      "add", [](const APInt &a, const APInt &b) { return a + b; }, anything);
  checkIntegers(
      "sub", [](const APInt &a, const APInt &b) { return a - b; }, anything);
  checkIntegers(
      "mul", [](const APInt &a, const APInt &b) { return a * b; }, anything);
  checkIntegers(
      "and", [](const APInt &a, const APInt &b) { return a & b; }, anything);
  checkIntegers(
      "or", [](const APInt &a, const APInt &b) { return a | b; }, anything);
  checkIntegers(
      "xor", [](const APInt &a, const APInt &b) { return a ^ b; }, anything);
  checkIntegers(
      "udiv", [](const APInt &a, const APInt &b) { return a.udiv(b); }, notZero);
  checkIntegers(
      "sdiv", [](const APInt &a, const APInt &b) { return a.sdiv(b); }, notZero);
  checkIntegers(
      "urem", [](const APInt &a, const APInt &b) { return a.urem(b); }, notZero);
  checkIntegers(
      "srem", [](const APInt &a, const APInt &b) { return a.srem(b); }, notZero);
  checkIntegers(
      "shl", [](const APInt &a, const APInt &b) { return a.shl(b); }, lessThanBits);
  checkIntegers(
      "lshr", [](const APInt &a, const APInt &b) { return a.lshr(b); }, lessThanBits);
  checkIntegers(
      "ashr", [](const APInt &a, const APInt &b) { return a.ashr(b); }, lessThanBits);
  checkIntegers(
      "intr.smax", [](const APInt &a, const APInt &b) { return a.sgt(b) ? a : b; }, anything);
  checkIntegers(
      "intr.smin", [](const APInt &a, const APInt &b) { return a.slt(b) ? a : b; }, anything);
  checkIntegers(
      "intr.umax", [](const APInt &a, const APInt &b) { return a.ugt(b) ? a : b; }, anything);
  checkIntegers(
      "intr.umin", [](const APInt &a, const APInt &b) { return a.ult(b) ? a : b; }, anything);
}

TEST(EmulatedArithmetic, Comparisons) {
  const std::vector<std::pair<std::string, bool (*)(const APInt &, const APInt &)>> predicates = {
      {"eq", [](const APInt &a, const APInt &b) { return a == b; }},
      {"ne", [](const APInt &a, const APInt &b) { return a != b; }},
      {"slt", [](const APInt &a, const APInt &b) { return a.slt(b); }},
      {"sle", [](const APInt &a, const APInt &b) { return a.sle(b); }},
      {"sgt", [](const APInt &a, const APInt &b) { return a.sgt(b); }},
      {"sge", [](const APInt &a, const APInt &b) { return a.sge(b); }},
      {"ult", [](const APInt &a, const APInt &b) { return a.ult(b); }},
      {"ule", [](const APInt &a, const APInt &b) { return a.ule(b); }},
      {"ugt", [](const APInt &a, const APInt &b) { return a.ugt(b); }},
      {"uge", [](const APInt &a, const APInt &b) { return a.uge(b); }}};
  for (const auto &[name, expected] : predicates)
    for (unsigned bits : {8u, 32u, 64u}) {
      const std::string type = "i" + std::to_string(bits);
      Values a = random(bits, 1), b = random(bits, 2);
      std::copy_n(a.begin(), count / 4, b.begin());
      const Values found = run(elementKernel(type, "i8",
                                             "%t = llvm.icmp \"" + name + "\" %a, %b : " + type +
                                                 "\n%r = llvm.zext %t : i1 to i8"),
                               bits, 8, a, b, b);
      for (unsigned index = 0; index < count; ++index)
        ASSERT_EQ(found[index], expected(APInt(bits, a[index]), APInt(bits, b[index])))
            << name << " of " << type;
    }
}

TEST(EmulatedArithmetic, BitsAndOverflow) {
  const auto check = [](const std::string &body,
                        const std::function<uint64_t(const APInt &, const APInt &)> &expected) {
    Values a = random(32, 1), b = random(32, 2);
    for (unsigned index = 0; index < 40; ++index)
      a[index] = index < 33 ? uint64_t(0xffffffff) >> index : index - 33;
    const Values found = run(elementKernel("i32", "i32", body), 32, 32, a, b, b);
    for (unsigned index = 0; index < count; ++index)
      ASSERT_EQ(found[index], expected(APInt(32, a[index]), APInt(32, b[index]))) << body << ": " << a[index];
  };
  check("%r = \"llvm.intr.ctlz\"(%a) <{is_zero_poison = false}> : (i32) -> i32",
        [](const APInt &a, const APInt &) { return a.countl_zero(); });
  check("%r = \"llvm.intr.cttz\"(%a) <{is_zero_poison = false}> : (i32) -> i32",
        [](const APInt &a, const APInt &) { return a.countr_zero(); });
  check("%r = llvm.intr.ctpop(%a) : (i32) -> i32",
        [](const APInt &a, const APInt &) { return a.popcount(); });
  check("%r = \"llvm.intr.abs\"(%a) <{is_int_min_poison = false}> : (i32) -> i32",
        [](const APInt &a, const APInt &) { return a.abs().getZExtValue(); });
  check("%r = llvm.intr.bitreverse(%a) : (i32) -> i32",
        [](const APInt &a, const APInt &) { return a.reverseBits().getZExtValue(); });
  check(R"(%o = "llvm.intr.smul.with.overflow"(%a, %b) : (i32, i32) -> !llvm.struct<(i32, i1)>
           %v = llvm.extractvalue %o[0] : !llvm.struct<(i32, i1)>
           %t = llvm.extractvalue %o[1] : !llvm.struct<(i32, i1)>
           %z = llvm.mlir.constant(7 : i32) : i32
           %r = llvm.select %t, %z, %v : i1, i32)",
        [](const APInt &a, const APInt &b) {
          bool overflow = false;
          const APInt product = a.smul_ov(b, overflow);
          return overflow ? 7 : product.getZExtValue();
        });
}

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

TEST(EmulatedArithmetic, Floats) {
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

TEST(EmulatedArithmetic, ComparisonsOfFloats) {
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

TEST(EmulatedArithmetic, ConversionsBetweenFormats) {
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

TEST(EmulatedArithmetic, ConversionsOfIntegers) {
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

TEST(EmulatedArithmetic, UndefinedResultsAreFaults) {
  const auto faultOf = [](const std::string &body, uint32_t a, uint32_t b) {
    Emulated gpu(elementKernel("i32", "i32", body));
    const std::vector<uint32_t> as(1, a), bs(1, b);
    const uint64_t second = gpu.allocate(bs);
    return gpu.fault({"each", {1, 1, 1}, {1, 1, 1}, 0, {gpu.allocate(as), second, second, gpu.allocate(4)}});
  };
  EXPECT_THAT(faultOf("%r = llvm.udiv %a, %b : i32", 1, 0), HasSubstr("divides by zero (1 and 0)"));
  EXPECT_THAT(faultOf("%r = llvm.srem %a, %b : i32", 0x80000000, ~0u),
              HasSubstr("divides the least number by -1"));
  EXPECT_THAT(faultOf("%r = llvm.shl %a, %b : i32", 1, 32),
              HasSubstr("shifts by its width or more (1 and 32)"));
  EXPECT_THAT(faultOf("%t = llvm.icmp \"eq\" %a, %b : i32\n\"llvm.intr.assume\"(%t) : (i1) -> ()\n%r = "
                      "llvm.add %a, %b : i32",
                      1, 2),
              HasSubstr("does not hold"));
}

} // namespace
} // namespace daedalus::cuda
