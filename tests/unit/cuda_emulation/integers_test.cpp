// Arithmetic of integers against LLVM's own of any width.
#include "elements.h"

#include "llvm/ADT/APInt.h"

#include <gmock/gmock.h>

#include <functional>

using llvm::APInt;
using ::testing::HasSubstr;

namespace daedalus::cuda {
namespace {

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

TEST(EmulatedIntegers, Operations) {
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

TEST(EmulatedIntegers, Comparisons) {
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

TEST(EmulatedIntegers, BitsAndOverflow) {
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

TEST(EmulatedIntegers, UndefinedResultsAreFaults) {
  const auto faultOf = [](const std::string &body, uint32_t a, uint32_t b) {
    Emulated gpu(elementKernel("i32", "i32", body));
    const std::vector<uint32_t> as(1, a), bs(1, b);
    const uint64_t second = gpu.allocate(bs);
    return gpu.fault({"each", {1, 1, 1}, {1, 1, 1}, 0, {gpu.allocate(as), second, second, gpu.allocate(4)}});
  };
  EXPECT_THAT(faultOf("%r = llvm.udiv %a, %b : i32", 1, 0), HasSubstr("divides by zero (1 and 0)"));
  EXPECT_THAT(faultOf("%r = llvm.srem %a, %b : i32", 0x80000000, ~0u),
              HasSubstr("divides the smallest number by -1"));
  EXPECT_THAT(faultOf("%r = llvm.shl %a, %b : i32", 1, 32),
              HasSubstr("shifts by its width or more (1 and 32)"));
  EXPECT_THAT(faultOf("%t = llvm.icmp \"eq\" %a, %b : i32\n\"llvm.intr.assume\"(%t) : (i1) -> ()\n%r = "
                      "llvm.add %a, %b : i32",
                      1, 2),
              HasSubstr("does not hold"));
}

} // namespace
} // namespace daedalus::cuda
