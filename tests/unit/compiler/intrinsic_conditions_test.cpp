// Each condition under which an intrinsic is found in an expression, in an expression or an intrinsic that
// breaks it alone. The intrinsics are made here, of what no declaration would have together.

#include "made_intrinsics.h"

#include "Dialect/Dae/Transforms/Match.h"

#include <gtest/gtest.h>

namespace daedalus::dae {
namespace {

class IntrinsicConditions : public ::testing::Test {
protected:
  ExprId x(unsigned k) { return all.extend(all.argument(k, 8), 32); }
  ExprId number(int64_t value) { return all.constant(value, 32); }

  bool isCovered(const Intrinsic &intrinsic, ExprId root) { return cover(intrinsic, all, root).has_value(); }
  /// Whether a block on int8 rows, the old value last, is the intrinsic.
  bool isMatched(const Intrinsic &intrinsic, ExprId root, std::vector<BlockOperand> operands) {
    return !findMatches({intrinsic}, all, root, operands).empty();
  }

  Expressions all;
  const BlockOperand input{Scope::Inp, 8}, accumulator{Scope::Acc, 32};
  /// The greater of a product of two int8 and a number from 0 to 10.
  const Intrinsic product = intrinsicOf({byte, byte}, {limit}, [](Expressions &e, const Arguments &a) {
    return e.max(e.multiply(e.extend(a[0], 32), e.extend(a[1], 32)), a[3]);
  });
};

TEST_F(IntrinsicConditions, CoversHaveTheirNodesAndConstants) {
  const std::optional<Cover> found = cover(product, all, all.max(all.multiply(x(0), x(1)), number(7)));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->sources.size(), 2u);
  EXPECT_EQ(found->immediates, (llvm::SmallVector<int64_t, 4>{7}));
  for (int64_t value : {-1, 11})
    EXPECT_FALSE(isCovered(product, all.max(all.multiply(x(0), x(1)), number(value)))) << value;
  EXPECT_FALSE(isCovered(product, all.max(all.multiply(x(0), x(1)), all.argument(5, 32))));
  // Integers of other widths.
  EXPECT_FALSE(
      isCovered(product, all.max(all.multiply(all.extend(all.argument(0, 16), 32), x(1)), number(7))));
}

TEST_F(IntrinsicConditions, CoversOfAnOperandReadTwiceReadOne) {
  const Intrinsic square = intrinsicOf({byte}, {}, [](Expressions &e, const Arguments &a) {
    return e.multiply(e.extend(a[0], 32), e.extend(a[0], 32));
  });
  const std::optional<Cover> found = cover(square, all, all.multiply(x(2), x(2)));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->sources, (llvm::SmallVector<ExprId, 4>{all.argument(2, 8)}));
  EXPECT_FALSE(isCovered(square, all.multiply(x(0), x(1))));
  // What is looked at last counts, too.
  const Intrinsic shifted = intrinsicOf({byte, byte}, {}, [](Expressions &e, const Arguments &a) {
    const ExprId first = e.extend(a[0], 32);
    return e.shift(ExprKind::ShiftRight, e.multiply(first, first), e.extend(a[1], 32));
  });
  const auto by = [&](ExprId count) {
    return all.shift(ExprKind::ShiftRight, all.multiply(x(2), x(2)), count);
  };
  EXPECT_TRUE(isCovered(shifted, by(x(3))));
  EXPECT_FALSE(isCovered(shifted, by(all.argument(4, 32))));
}

TEST_F(IntrinsicConditions, CoversAreOfTheSameOperations) {
  const Intrinsic twice = intrinsicOf({byte, byte}, {}, [](Expressions &e, const Arguments &a) {
    return e.add(e.multiply(e.extend(a[0], 32), e.constant(2, 32)), e.extend(a[1], 32));
  });
  EXPECT_TRUE(isCovered(twice, all.add(all.multiply(x(0), number(2)), x(1))));
  for (ExprId other : {all.multiply(x(0), x(1)), all.max(x(0), x(1)), all.add(x(0), x(1)),
                       all.add(all.add(all.multiply(x(0), number(2)), x(1)), number(1)),
                       all.add(all.add(all.multiply(x(0), number(2)), x(1)), x(2))})
    EXPECT_FALSE(isCovered(twice, other)) << all.text(other);
}

TEST_F(IntrinsicConditions, CoversHaveAllSourcesAndUsualImmediates) {
  const auto first = [](Expressions &e, const Arguments &a) { return e.extend(a[0], 32); };
  EXPECT_FALSE(isCovered(intrinsicOf({byte, byte}, {}, first), x(0)));
  const std::optional<Cover> found = cover(intrinsicOf({byte}, {limit}, first), all, x(0));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->sources.size(), 1u);
  EXPECT_EQ(found->immediates, (llvm::SmallVector<int64_t, 4>{4}));
}

TEST_F(IntrinsicConditions, CoversNeitherReduceNorTakeFields) {
  const ExprId root = all.max(all.multiply(x(0), x(1)), number(7));
  Intrinsic reduces = product, takes = product;
  reduces.combiner = Combiner::Add;
  takes.capturesRequant = true;
  EXPECT_TRUE(isCovered(product, root));
  EXPECT_FALSE(isCovered(reduces, root));
  EXPECT_FALSE(isCovered(takes, root));
}

/// A sum of `count` operands of which two are compared: their places are found by trying.
TEST_F(IntrinsicConditions, CoversAreLookedForFor10000Steps) {
  const auto sumOf = [](Expressions &e, const Arguments &a, size_t count, size_t one) {
    ExprId total = e.constant(0, 32);
    for (size_t k = 0; k < count; ++k)
      total = e.add(total, e.extend(a[k], 32));
    return e.add(total, e.shift(ExprKind::ShiftRight, e.extend(a[one], 32), e.extend(a[one + 1], 32)));
  };
  const auto isFound = [&](size_t count) {
    const std::vector<IntrinsicOperand> sources(count, byte);
    Arguments own;
    for (size_t k = 0; k < count; ++k)
      own.push_back(all.argument(count - 1 - k, 8));
    const Intrinsic intrinsic =
        intrinsicOf(sources, {}, [&](Expressions &e, const Arguments &a) { return sumOf(e, a, count, 0); });
    return isCovered(intrinsic, sumOf(all, own, count, 0));
  };
  EXPECT_TRUE(isFound(3));
  EXPECT_FALSE(isFound(9));
}

TEST_F(IntrinsicConditions, MatchesHaveTheirScopesAndWidths) {
  const ExprId root = all.max(all.multiply(x(0), x(1)), number(7));
  EXPECT_TRUE(isMatched(product, root, {input, input, accumulator}));
  EXPECT_FALSE(isMatched(product, root, {input, input, {Scope::Out, 32}}));
  EXPECT_FALSE(isMatched(product, root, {input, input, {Scope::Acc, 8}}));
  EXPECT_FALSE(isMatched(product, root, {input, {Scope::Acc, 8}, accumulator}));
  const Intrinsic moves =
      intrinsicOf({byte}, {}, [](Expressions &e, const Arguments &a) { return e.extend(a[0], 32); });
  EXPECT_TRUE(isMatched(moves, x(0), {input, accumulator}));
  EXPECT_FALSE(isMatched(moves, all.argument(0, 32), {{Scope::Inp, 32}, accumulator}));
}

TEST_F(IntrinsicConditions, MatchesHaveConstantsInTheirRanges) {
  const auto isFound = [&](ExprId root) { return isMatched(product, root, {input, input, accumulator}); };
  EXPECT_TRUE(isFound(all.max(all.multiply(x(0), x(1)), number(10))));
  EXPECT_FALSE(isFound(all.max(all.multiply(x(0), x(1)), number(11))));
  EXPECT_FALSE(isFound(all.max(all.multiply(x(0), x(1)), number(-1))));
  EXPECT_FALSE(isFound(all.min(all.multiply(x(0), x(1)), number(7))));
  // The first 32 constants of an expression are tried.
  const auto chained = [](Expressions &e, ExprId value, int count) {
    for (int k = 0; k < count; ++k)
      value = e.logic(ExprKind::Xor, value, e.constant(1000 + 3 * k, 32));
    return value;
  };
  for (int count : {3, 40}) {
    const Intrinsic intrinsic = intrinsicOf({byte}, {limit}, [&](Expressions &e, const Arguments &a) {
      return e.max(chained(e, e.extend(a[0], 32), count), a[2]);
    });
    const ExprId value = chained(all, x(0), count);
    EXPECT_EQ(isMatched(intrinsic, all.max(value, number(count == 3 ? 8 : 9)), {input, accumulator}),
              count == 3);
  }
}

TEST_F(IntrinsicConditions, MatchesOfReductionsReadWhatWasThere) {
  Intrinsic adds =
      intrinsicOf({sum}, {}, [](Expressions &e, const Arguments &a) { return e.add(a[0], a[1]); });
  Intrinsic moves =
      intrinsicOf({byte}, {}, [](Expressions &e, const Arguments &a) { return e.extend(a[0], 32); });
  adds.combiner = moves.combiner = Combiner::Add;
  const ExprId old = all.argument(1, 32);
  EXPECT_TRUE(isMatched(adds, all.add(all.argument(0, 32), old), {accumulator, accumulator}));
  EXPECT_FALSE(isMatched(adds, all.add(old, old), {accumulator, accumulator}));
  EXPECT_FALSE(isMatched(moves, x(0), {input, accumulator}));
}

TEST_F(IntrinsicConditions, MatchesOfOneRequantizationTakeItsFields) {
  const RequantFields fields{0, -128, 127, 0};
  const auto requants = [&](Expressions &e, ExprId value, int count) {
    for (int k = 0; k < count; ++k)
      value =
          e.extend(e.requant({value, e.constant(0, 32), e.constant(2, 32), e.constant(1, 8)}, fields), 32);
    return value;
  };
  for (int count : {1, 2}) { // one is taken by those that take fields alone
    const Intrinsic intrinsic = intrinsicOf({byte}, {}, [&](Expressions &e, const Arguments &a) {
      return requants(e, e.extend(a[0], 32), count);
    });
    EXPECT_EQ(isMatched(intrinsic, requants(all, x(0), count), {input, accumulator}), count == 2);
  }
}

} // namespace
} // namespace daedalus::dae
