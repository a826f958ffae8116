// The operations of VECTOR that are selected for an expression compute it: random expressions of inputs, of a
// reduction's result and of constants a channel, by the instruction set's own arithmetic; and they are as few
// as they can be where that is plain to see.

#include "stages.h"

#include "Kernels/Stages.h"

#include "daedalus/isa/encoding.h"

namespace daedalus::testing {
namespace {

TEST_F(Stages, ComputeRandomExpressions) {
  unsigned taken = 0, wide = 0;
  for (unsigned seed = 0; seed < 4000 && !HasFatalFailure(); ++seed) {
    random.seed(seed);
    kernel.combiner.reset();
    kernel.tail.channels.clear();
    all = Expressions();
    const ExprId value = tree(1 + seed % 4);
    const bool isWide = seed % 5 == 0;
    kernel.tail.result = isWide ? value : asByte(value);
    if (!selectStages(kernel))
      continue;
    compare("seed " + std::to_string(seed));
    ++taken, wide += isWide;
  }
  EXPECT_GT(taken, 2000u);
  EXPECT_GT(wide, 300u);
}

/// Of a value a channel that is the same for all pixels.
constexpr Layout row{0, 0, 0, 0, 1};

TEST_F(Stages, ComputeRandomExpressionsOfRows) {
  unsigned taken = 0, withRows = 0, withRowTemporaries = 0;
  for (unsigned seed = 0; seed < 4000 && !HasFatalFailure(); ++seed) {
    random.seed(seed);
    kernel.combiner.reset();
    kernel.tail.channels.clear();
    all = Expressions();
    kernel.layouts = {std::nullopt, row, seed % 3 ? std::nullopt : std::optional(row)};
    kernel.tail.result = asByte(tree(1 + seed % 4));
    if (!selectStages(kernel))
      continue;
    compare("seed " + std::to_string(seed));
    ++taken, withRows += kernel.readsRows, withRowTemporaries += kernel.rowTemporaries != 0;
    for (const Stage &stage : kernel.stages) {
      EXPECT_TRUE(!stage.dst.isRow() || stage.a.isRow())
          << "a row of what has a value a pixel, seed " << seed;
      const bool hasRow = stage.a.isRow() || stage.b.isRow();
      EXPECT_EQ(hasRow ? isa::illegalReason(instructionOf(stage)) : "", "") << "seed " << seed;
    }
  }
  EXPECT_GT(taken, 2000u);
  EXPECT_GT(withRows, 1000u);
  EXPECT_GT(withRowTemporaries, 150u);
}

TEST_F(Stages, StartSumsFromRows) {
  kernel.layouts = {std::nullopt, row, std::nullopt};
  const ExprId x = input(0), r = input(1);
  EXPECT_EQ(operations(all.multiply(x, r)), "mul mov32");
  EXPECT_EQ(operations(all.add(x, r)), "add mov32");
  const ExprId product = all.multiply(all.add(x, constant(128)), all.add(r, constant(7)));
  EXPECT_EQ(operations(product), "mul mov mac mac add mov32");
  EXPECT_EQ(kernel.rowTemporaries, 1);
  EXPECT_EQ(operations(all.add(all.multiply(r, r), x)), "mul mac mov32") << "no row beside a row";
  EXPECT_TRUE(kernel.readsRows);
}

TEST_F(Stages, AreFew) {
  const ExprId x = input(0), y = input(1), z = input(2), r = reduced(), five = constant(5);
  EXPECT_EQ(operations(all.add(x, y)), "add mov32");
  EXPECT_EQ(operations(all.subtract(x, y)), "sub mov32");
  EXPECT_EQ(operations(all.subtract(y, x)), "sub mov32");
  EXPECT_EQ(operations(all.add(x, five)), "add mov32");
  EXPECT_EQ(operations(all.multiply(x, five)), "mul mov32");
  EXPECT_EQ(operations(all.add(all.multiply(x, five), five)), "mul add mov32");
  EXPECT_EQ(operations(all.add(all.multiply(x, y), five)), "mul add mov32");
  EXPECT_EQ(operations(all.add(all.multiply(x, y), z)), "mul mac mov32");
  EXPECT_EQ(operations(all.add(all.multiply(x, y), all.multiply(z, r))), "mul mac mov32");
  EXPECT_EQ(operations(all.add(all.multiply(all.multiply(x, y), constant(3)), r)), "mul mac mov32");
  EXPECT_EQ(operations(all.add(all.add(x, y), five)), "mul mac add mov32");
  EXPECT_EQ(operations(all.add(all.add(r, x), y)), "mac mac mov32");
  EXPECT_EQ(operations(all.subtract(constant(0), x)), "mul mov32");
  EXPECT_EQ(operations(all.add(x, all.multiply(y, constant(2)))), "mul mac mov32");
  EXPECT_EQ(operations(all.subtract(all.multiply(x, y), z)), "mul mac mov32");
  EXPECT_EQ(operations(all.subtract(x, all.multiply(y, z))), "mul sub mov32");
  EXPECT_EQ(operations(all.subtract(constant(0), all.add(x, y))), "mul mac mov32");
  EXPECT_EQ(operations(all.max(all.min(x, y), all.min(x, z))), "min min max mov32");
  EXPECT_EQ(operations(all.shift(ExprKind::ShiftRight, r, five)), "shr mov32");
  EXPECT_EQ(operations(x), "mov mov32");
  EXPECT_EQ(operations(r), "mov32");
  EXPECT_EQ(operations(all.argument(0, 8)), "mov");
  EXPECT_EQ(operations(all.add(all.add(r, x), five)), "mac add mov32");
  EXPECT_EQ(operations(all.add(all.subtract(constant(0), all.add(r, x)), five)), "mul mac add mov32");
  EXPECT_EQ(kernel.temporaries, 1u) << "the sum stands where the result that it reads did";
}

/// Sums with a value a channel that are cut to a part of int8 are one requantization.
TEST_F(Stages, RequantizeWhatHasAConstantAChannel) {
  const auto cut = [&](ExprId value, int64_t low, int64_t high) {
    return all.truncate(all.min(all.max(value, constant(low)), constant(high)), 8);
  };
  const ExprId r = reduced(), biased = all.add(r, ofChannel(-9, 9));
  EXPECT_EQ(operations(asByte(biased)), "requant");
  EXPECT_EQ(operations(cut(biased, -5, 7)), "requant");
  EXPECT_EQ(operations(cut(all.add(biased, all.multiply(input(0), input(1))), -5, 7)), "mul mac requant");
}

/// The accumulator of the sums of data, which is fewer rows than others, is neither written nor used again.
TEST_F(Stages, KeepTheSumsOfData) {
  kernel.sumsData = true;
  const ExprId x = input(0), y = input(1), z = input(2), r = reduced(),
               sums = all.argument(Tail::DataSums, 32), product = all.multiply(x, y);
  for (ExprId result : {all.add(sums, all.multiply(x, constant(3))), all.add(all.max(sums, r), product),
                        all.max(all.max(sums, x), all.max(product, z))}) {
    kernel.tail.result = result;
    ASSERT_TRUE(bool(selectStages(kernel)));
    for (const Stage &stage : kernel.stages)
      EXPECT_FALSE(stage.dst == (Operand{Place::Temporary, 1})) << all.text(result);
  }
  kernel.tail.result = all.shift(ExprKind::ShiftRight, all.max(product, z), constant(3));
  ASSERT_TRUE(bool(selectStages(kernel)));
  EXPECT_EQ(kernel.temporaries, 3u) << "others are used again";
}

/// By the digits of the constants, each a row of PARAM.
TEST_F(Stages, MultiplyByConstantsOfTheChannel) {
  const ExprId x = input(0), r = reduced();
  EXPECT_EQ(operations(all.multiply(x, ofChannel(-128, 127))), "mul mov32");
  EXPECT_EQ(operations(all.multiply(x, ofChannel(128, 16383))), "mul mul mac mov32");
  EXPECT_EQ(operations(all.multiply(x, ofChannel(-16384, -129))), "mul mul mac mov32");
  EXPECT_EQ(operations(all.multiply(x, ofChannel(1 << 15, (1 << 21) - 1))), "mul mul mac mul mac mov32");
  EXPECT_EQ(operations(all.add(all.multiply(r, constant(64)), all.multiply(x, ofChannel(-9, 9)))),
            "mul mul mac mov32");
  EXPECT_EQ(operations(all.multiply(x, all.multiply(ofChannel(2, 9), ofChannel(2, 9)))), "mul mov32")
      << "a product of constants is one";
}

TEST_F(Stages, AreTablesWhereThatIsLess) {
  const ExprId x = input(0), odd = all.logic(ExprKind::Xor, x, constant(77));
  const auto byte = [&](ExprId value) { return all.truncate(value, 8); };
  EXPECT_EQ(operations(all.min(x, constant(3))), "min mov32");
  EXPECT_EQ(operations(byte(odd)), "lut");
  EXPECT_EQ(operations(byte(all.min(all.max(x, constant(-5)), constant(7)))), "lut");
  EXPECT_EQ(operations(all.max(all.argument(0, 8), all.constant(3, 8))), "mov");
  EXPECT_EQ(operations(all.add(all.extend(byte(odd), 32), input(1))), "lut add mov32");
  const ExprId requantized = requant(reduced(), constant(0), constant(2), all.constant(1, 8));
  EXPECT_EQ(operations(all.min(requantized, constant(3))), "requant min mov32");
  // Of several int8 the one that costs the least is looked up; LUT cuts its index to int8 itself.
  EXPECT_EQ(operations(byte(all.logic(ExprKind::Xor, all.extend(byte(odd), 32), x))), "lut");
  const ExprId sum = all.add(reduced(), input(1));
  for (const auto &[low, high] : {std::pair(-128, 127), std::pair(-5, 7)}) {
    const ExprId cut = all.min(all.max(sum, constant(low)), constant(high));
    EXPECT_EQ(operations(byte(all.logic(ExprKind::Xor, cut, constant(77)))), "add lut");
  }
  // What no operation computes, and leaves int8 before it is cut.
  const ExprId isSmall = all.compare(int64_t(mlir::arith::CmpIPredicate::slt), x, constant(3));
  const ExprId chosen = all.select(isSmall, all.multiply(x, x), all.subtract(constant(7), x));
  EXPECT_EQ(operations(byte(all.min(all.max(chosen, constant(-100)), constant(90)))), "lut");
}

/// Where nothing else reads what is requantized.
TEST_F(Stages, RequantizeThroughATable) {
  const ExprId requantized = requant(reduced(), constant(0), constant(2), all.constant(1, 8)),
               odd = all.truncate(all.logic(ExprKind::Xor, requantized, constant(77)), 8),
               wide = all.extend(odd, 32);
  EXPECT_EQ(operations(odd), "requant_lut");
  EXPECT_EQ(operations(asByte(wide)), "requant_lut");
  EXPECT_EQ(operations(all.add(wide, input(1))), "requant_lut add mov32");
  EXPECT_EQ(operations(asByte(all.add(wide, requantized))), "requant_lut") << "a table of both";
  EXPECT_EQ(operations(all.max(all.add(wide, input(0)), all.add(requantized, input(1)))),
            "requant add lut add max mov32");
}

TEST_F(Stages, AreNoneForWhatVectorDoesNotCompute) {
  const std::string unknown = "its elementwise computation is unknown to the accelerator";
  const ExprId x = input(0), y = input(1), z = input(2), r = reduced();
  const auto refused = [&](ExprId result, const std::string &reason) {
    EXPECT_EQ(select(result).substr(0, reason.size()), reason) << all.text(result);
  };
  refused(constant(3), "its result does not depend on its inputs");
  refused(all.multiply(all.multiply(x, y), z), unknown);
  refused(all.logic(ExprKind::Xor, r, constant(77)), unknown);
  refused(all.add(all.logic(ExprKind::Xor, r, constant(77)), x), unknown);
  refused(all.add(r, ofChannel(-9, 9)), unknown);
  refused(all.add(r, all.extend(ofChannel(-9, 9, 8), 32)), unknown);
  refused(asByte(all.add(all.logic(ExprKind::Xor, r, constant(77)), ofChannel(-9, 9))), unknown);
  refused(asByte(ofChannel(-9, 9)), unknown);
  const ExprId isLess = all.compare(int64_t(mlir::arith::CmpIPredicate::slt), r, x);
  refused(all.extend(isLess, 32), unknown);
  refused(all.extendZero(isLess, 32), unknown);
  refused(all.truncate(all.add(all.extend(r, 64), all.extend(y, 64)), 8), "");
  refused(all.extend(all.truncate(all.shift(ExprKind::ShiftRight, all.extend(r, 64), all.constant(3, 64)), 8),
                     32),
          unknown);
  refused(all.argument(0, 16), "its result is no int8");
  refused(all.extend(all.argument(0, 16), 32), unknown);
  const ExprId zero = constant(0), two = constant(2), one = all.constant(1, 8);
  const auto fields = RequantFields{0, -128, 127, 0};
  const auto requantized = [&](ExprId sum, ExprId extra, ExprId multiplier, ExprId shift) {
    return all.requant({sum, extra, multiplier, shift}, fields);
  };
  EXPECT_EQ(operations(requantized(r, zero, two, one)), "requant");
  refused(requantized(r, x, two, one), unknown);
  refused(requantized(r, zero, x, one), unknown);
  refused(requantized(r, zero, two, all.argument(0, 8)), unknown);
  refused(requantized(ofChannel(-9, 9), zero, two, one), unknown);
  const ExprId undefined = all.shift(ExprKind::ShiftLeft, ofChannel(1, 9), ofChannel(32, 40));
  refused(requantized(r, undefined, two, one), unknown);
  refused(all.multiply(x, undefined), unknown);
  refused(requantized(r, zero, constant(-1), one), "its requantization has multiplier -1");
  refused(requantized(r, zero, two, all.constant(0, 8)), "its requantization has shift 0");
  refused(requantized(r, zero, two, all.constant(63, 8)), "its requantization has shift 63");
  ExprId many = x;
  for (int k = 0; k < 40; ++k)
    many = all.max(all.add(all.multiply(many, two), y), all.add(r, constant(k)));
  refused(all.truncate(many, 8), "its elementwise computation takes more than 64 operations");
  kernel.inputs.clear();
  refused(ofChannel(-9, 9), "its result does not depend on its inputs");
}

} // namespace
} // namespace daedalus::testing
