// Each condition under which an intrinsic with rows of constants is found in an expression with constants a
// channel, in an expression or an intrinsic that breaks it alone.

#include "made_intrinsics.h"

#include "Dialect/Dae/Transforms/Packing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace daedalus::dae {
namespace {

const IntrinsicOperand row{"p", Scope::Param, 8, {0}, nullptr};
using Values = std::vector<std::vector<int64_t>>;

class IntrinsicRows : public ::testing::Test {
protected:
  static constexpr unsigned First = 100;
  ExprId sum(unsigned k = 0) { return all.argument(k, 32); }
  /// A constant a channel, and the same as int32.
  ExprId narrow(unsigned k) { return all.argument(First + k, 8); }
  ExprId constant(unsigned k) { return all.extend(narrow(k), 32); }
  ExprId number(int64_t value) { return all.constant(value, 32); }
  /// An int32 that depends on these, otherwise than anything says.
  ExprId opaque(const std::vector<ExprId> &of) { return all.other("f", 32, of); }

  std::optional<Cover> coverOf(const Intrinsic &intrinsic, ExprId root, const Values &values) {
    return cover(intrinsic, all, root, {First, values});
  }
  bool isCovered(const Intrinsic &intrinsic, ExprId root, const Values &values) {
    return coverOf(intrinsic, root, values).has_value();
  }

  Expressions all;
  const Intrinsic scaled =
      intrinsicOf({::daedalus::dae::sum, row}, {},
                  [](Expressions &e, const Arguments &a) { return e.multiply(a[0], e.extend(a[1], 32)); });
  const Intrinsic scaledSum = intrinsicOf(
      {::daedalus::dae::sum, row, ::daedalus::dae::sum}, {},
      [](Expressions &e, const Arguments &a) { return e.add(e.multiply(a[0], e.extend(a[1], 32)), a[2]); });
};

TEST_F(IntrinsicRows, HoldTheConstantsOfAllChannels) {
  const std::optional<Cover> found = coverOf(scaled, all.multiply(sum(7), constant(0)), {{0, 1, -128, 127}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sources, (llvm::SmallVector<ExprId, 4>{sum(7), all.constant(0, 8)}));
  ASSERT_EQ(found->rows.size(), 1u);
  EXPECT_EQ(found->rowOf(0), nullptr);
  EXPECT_EQ(found->rowOf(1), &found->rows[0]);
  EXPECT_EQ(found->rows[0].elements, (std::vector<int8_t>{0, 1, -128, 127}));
  const ExprId wide = all.argument(First, 32);
  EXPECT_TRUE(isCovered(scaled, all.multiply(sum(), wide), {{3, 127, -128}}));
  for (int64_t beyond : {-129, 128})
    EXPECT_FALSE(isCovered(scaled, all.multiply(sum(), wide), {{3, beyond, 5}})) << beyond;
}

TEST_F(IntrinsicRows, AreOfExpressionsWithConstantsOfTheChannel) {
  EXPECT_FALSE(isCovered(scaled, all.multiply(sum(), number(3)), {{3, 4}}));
  EXPECT_FALSE(cover(scaled, all, all.multiply(sum(), constant(0))));
  // Parameters of a requantization are no row of int8.
  const Intrinsic unread =
      intrinsicOf({::daedalus::dae::sum, {"p", Scope::Param, 128, {0}, nullptr}}, {},
                  [](Expressions &e, const Arguments &a) { return e.max(a[0], e.constant(5, 32)); });
  EXPECT_FALSE(isCovered(unread, all.max(opaque({narrow(0)}), number(5)), {{3, 4}}));
}

TEST_F(IntrinsicRows, AreOfPartsOfSumsAndProducts) {
  const Intrinsic moved =
      intrinsicOf({::daedalus::dae::sum, row}, {},
                  [](Expressions &e, const Arguments &a) { return e.add(a[0], e.extend(a[1], 32)); });
  const std::optional<Cover> found = coverOf(moved, all.subtract(sum(), constant(0)), {{3, -4}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rows[0].elements, (std::vector<int8_t>{-3, 4}));
  const std::optional<Cover> twice =
      coverOf(scaled, all.multiply(all.multiply(sum(), constant(0)), number(2)), {{3, -4}});
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->rows[0].elements, (std::vector<int8_t>{6, -8}));
}

/// One that fits the first channel alone is tried before it.
TEST_F(IntrinsicRows, AreRightInEachChannel) {
  const ExprId other = opaque({narrow(0)});
  const std::optional<Cover> found =
      coverOf(scaledSum, all.add(all.multiply(sum(), constant(1)), other), {{7, 3}, {7, 5}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rows[0].elements, (std::vector<int8_t>{7, 5}));
  EXPECT_EQ(found->sources[2], other);
}

TEST_F(IntrinsicRows, StandBesideSourcesThatVary) {
  const Intrinsic greater = intrinsicOf(
      {::daedalus::dae::sum, row, ::daedalus::dae::sum}, {},
      [](Expressions &e, const Arguments &a) { return e.max(e.multiply(a[0], e.extend(a[1], 32)), a[2]); });
  const ExprId limit = all.argument(First + 1, 32); // the first node of all
  const ExprId product = all.multiply(sum(), constant(0));
  const Values values = {{3, 4}, {500, 600}};
  EXPECT_TRUE(isCovered(greater, all.max(product, opaque({limit})), values));
  EXPECT_FALSE(isCovered(greater, all.max(product, limit), values));
  // The whole, as it is.
  EXPECT_FALSE(isCovered(scaled, all.max(sum(), opaque({narrow(0)})), {{3, 4}}));
}

TEST_F(IntrinsicRows, ArePackedOfUpToFourConstants) {
  for (size_t count : {4, 5}) {
    std::vector<IntrinsicOperand> sources(count + 1, row);
    sources[0] = ::daedalus::dae::sum;
    const Intrinsic intrinsic = intrinsicOf(sources, {}, [&](Expressions &e, const Arguments &a) {
      ExprId product = a[0];
      for (size_t k = 1; k <= count; ++k)
        product = e.multiply(product, e.extend(a[k], 32));
      return product;
    });
    EXPECT_EQ(isCovered(intrinsic, all.multiply(sum(), constant(0)), {{3, 4}}), count == 4);
  }
}

/// The one that is needed is the last.
TEST_F(IntrinsicRows, AreOfOneOfTheFirstEightConstants) {
  for (int count : {8, 9}) {
    Values values;
    std::vector<ExprId> others;
    for (int k = 0; k < count; ++k) {
      values.push_back({20 + k, 40 + k});
      others.push_back(constant(k)); // as int8 and as int32: tried once
    }
    others.pop_back();
    const ExprId root = all.add(all.multiply(sum(), constant(count - 1)), opaque(others));
    EXPECT_EQ(isCovered(scaledSum, root, values), count == 8);
  }
}

class IntrinsicPackedRows : public IntrinsicRows {
protected:
  IntrinsicPackedRows() {
    context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect, DaeDialect>();
  }

  std::shared_ptr<const Packing> packingOf(const std::string &text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    return std::make_shared<const Packing>(
        *readPackingFunction(*module->getOps<mlir::func::FuncOp>().begin(), 8));
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// What the function gives beyond its range does not count.
TEST_F(IntrinsicPackedRows, AreOfConstantsInTheirRange) {
  const IntrinsicOperand packed{
      "p",
      Scope::Param,
      8,
      {0},
      packingOf(
          "func.func private @same(%k: i8 {dae.range = #dae.range<0, 10>}) -> i8 {\n  return %k : i8\n}")};
  const Intrinsic intrinsic =
      intrinsicOf({::daedalus::dae::sum, packed}, {},
                  [](Expressions &e, const Arguments &a) { return e.multiply(a[0], e.extend(a[1], 32)); });
  const auto isFound = [&](int64_t value) {
    return isCovered(intrinsic, all.multiply(sum(), constant(0)), {{3, value}});
  };
  for (int64_t value : {0, 10})
    EXPECT_TRUE(isFound(value)) << value;
  for (int64_t value : {-1, 11})
    EXPECT_FALSE(isFound(value)) << value;
}

/// A shift by 8 or more has none.
TEST_F(IntrinsicPackedRows, AreOfConstantsWithAMeaning) {
  const IntrinsicOperand packed{
      "p",
      Scope::Param,
      8,
      {0},
      packingOf("func.func private @power(%k: i8 {dae.range = #dae.range<0, 40>}) -> i8 {\n"
                "  %one = arith.constant 1 : i8\n  %r = arith.shli %one, %k : i8\n"
                "  return %r : i8\n}")};
  const Intrinsic intrinsic = intrinsicOf(
      {::daedalus::dae::sum, packed, ::daedalus::dae::sum}, {},
      [](Expressions &e, const Arguments &a) { return e.add(e.multiply(a[0], e.extend(a[1], 32)), a[2]); });
  const ExprId root = all.add(all.multiply(sum(), constant(1)), opaque({narrow(0)}));
  const auto found = [&](std::vector<int64_t> exponents) {
    return isCovered(intrinsic, root, {exponents, {4, 8}});
  };
  EXPECT_TRUE(found({2, 3}));
  EXPECT_FALSE(found({2, 4}));
  EXPECT_FALSE(found({2, 9}));
  EXPECT_FALSE(found({9, 3}));
}

} // namespace
} // namespace daedalus::dae
