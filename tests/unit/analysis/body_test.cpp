// Bodies that compute the same are one expression, and bodies that do not are not.

#include "daedalus/Analysis/Body.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace daedalus {
namespace {

class Bodies : public ::testing::Test {
protected:
  Bodies() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::tensor::TensorDialect,
                        qnn::QnnDialect>();
  }

  /// The expression of %r, which `lines` compute of %x and %y (i8), %a and %b (i32).
  ExprId of(const std::string &lines, const std::string &type = "i32") {
    const std::string text = "func.func @f(%x: i8, %y: i8, %a: i32, %b: i32) -> " + type + " {\n" + lines +
                             "\nreturn %r : " + type + "\n}";
    modules.push_back(mlir::parseSourceString<mlir::ModuleOp>(text, &context));
    EXPECT_TRUE(bool(modules.back())) << text;
    mlir::Block &body = (*modules.back()->getOps<mlir::func::FuncOp>().begin()).getBody().front();
    const std::optional<ExprId> id = expressionOf(body.getTerminator()->getOperand(0), body, all);
    EXPECT_TRUE(id.has_value()) << text;
    return id.value_or(0);
  }

  /// Whether the lines, which compute %r of %a (i32), are an expression.
  bool isExpression(const std::string &lines) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func @f(%a: i32) -> i32 {\n" + lines + "\nreturn %r : i32\n}\nfunc.func private @told() -> i32",
        &context);
    EXPECT_TRUE(bool(module)) << lines;
    mlir::Block &body = (*module->getOps<mlir::func::FuncOp>().begin()).getBody().front();
    return expressionOf(body.getTerminator()->getOperand(0), body, all).has_value();
  }

  void same(const std::string &one, const std::string &other, const std::string &type = "i32") {
    const ExprId a = of(one, type), b = of(other, type);
    EXPECT_EQ(a, b) << all.text(a) << "\n" << all.text(b);
  }

  void different(const std::string &one, const std::string &other, const std::string &type = "i32") {
    const ExprId a = of(one, type), b = of(other, type);
    EXPECT_NE(a, b) << all.text(a) << "\n" << all.text(b);
  }

  mlir::MLIRContext context;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  Expressions all;
};

const std::string wide = "%wx = arith.extsi %x : i8 to i32\n%wy = arith.extsi %y : i8 to i32\n";

TEST_F(Bodies, ZeroPointsAreExpanded) {
  same(wide + R"(%c3 = arith.constant 3 : i32
    %c7 = arith.constant 7 : i32
    %p = arith.subi %wx, %c3 : i32
    %q = arith.subi %wy, %c7 : i32
    %r = arith.muli %p, %q : i32)",
       wide + R"(%c3 = arith.constant -3 : i32
    %c7 = arith.constant 7 : i32
    %c21 = arith.constant 21 : i32
    %p = arith.muli %wy, %wx : i32
    %q = arith.muli %c3, %wy : i32
    %s = arith.muli %wx, %c7 : i32
    %t = arith.subi %p, %s : i32
    %u = arith.addi %q, %t : i32
    %r = arith.addi %c21, %u : i32)");
}

TEST_F(Bodies, ShiftsByConstantsAreProducts) {
  same("%c = arith.constant 5 : i32\n%r = arith.shli %a, %c : i32",
       "%c = arith.constant 32 : i32\n%r = arith.muli %c, %a : i32");
  different("%c = arith.constant 5 : i32\n%r = arith.shrsi %a, %c : i32",
            "%c = arith.constant 5 : i32\n%r = arith.shrui %a, %c : i32");
}

TEST_F(Bodies, ExtensionsGoInwardsWhereNothingWraps) {
  same(R"(%n = arith.extsi %x : i8 to i16
    %m = arith.extsi %y : i8 to i16
    %s = arith.addi %n, %m : i16
    %r = arith.extsi %s : i16 to i32)",
       wide + "%r = arith.addi %wx, %wy : i32");
  different("%s = arith.addi %x, %y : i8\n%r = arith.extsi %s : i8 to i32",
            wide + "%r = arith.addi %wx, %wy : i32");
  same("%s = arith.maxsi %x, %y : i8\n%r = arith.extsi %s : i8 to i32",
       wide + "%r = arith.maxsi %wy, %wx : i32");
  different("%r = arith.extui %x : i8 to i32", "%r = arith.extsi %x : i8 to i32");
}

TEST_F(Bodies, WhatIsCutAndExtendedIsAsItWasWhereItFits) {
  const auto cut = [](const std::string &high) {
    return "%l = arith.constant -128 : i32\n%h = arith.constant " + high +
           " : i32\n%p = arith.maxsi %a, %l : i32\n%q = arith.minsi %p, %h : i32\n";
  };
  const std::string back = "%t = arith.trunci %q : i32 to i8\n%r = arith.extsi %t : i8 to ";
  const std::string sum = "%z = arith.constant 0 : ";
  same(cut("127") + back + "i32", cut("127") + sum + "i32\n%r = arith.addi %q, %z : i32");
  same(cut("127") + back + "i16", cut("127") + "%r = arith.trunci %q : i32 to i16", "i16");
  same(cut("127") + back + "i64", cut("127") + "%r = arith.extsi %q : i32 to i64", "i64");
  different(cut("128") + back + "i32", cut("128") + sum + "i32\n%r = arith.addi %q, %z : i32");
}

TEST_F(Bodies, ComparisonsAndSelectionsAreExtremes) {
  for (const char *predicate : {"sgt", "sge"})
    same(std::string("%c = arith.cmpi ") + predicate + ", %a, %b : i32\n%r = arith.select %c, %a, %b : i32",
         "%r = arith.maxsi %b, %a : i32");
  for (const char *predicate : {"slt", "sle"})
    same(std::string("%c = arith.cmpi ") + predicate + ", %b, %a : i32\n%r = arith.select %c, %a, %b : i32",
         "%r = arith.maxsi %b, %a : i32");
  same("%z = arith.constant 0 : i32\n%o = arith.constant 1 : i32\n%c = arith.cmpi sge, %a, %o : i32\n"
       "%r = arith.select %c, %a, %z : i32",
       "%z = arith.constant 0 : i32\n%r = arith.maxsi %z, %a : i32");
  different("%c = arith.cmpi ugt, %a, %b : i32\n%r = arith.select %c, %a, %b : i32",
            "%r = arith.maxsi %b, %a : i32");
}

/// `%a` limited below and above, where both selections compare %a itself.
std::string comparedTwice(const std::string &below, const std::string &above, const std::string &low,
                          const std::string &high) {
  return "%l = arith.constant " + low + " : i32\n%h = arith.constant " + high + " : i32\n%b1 = arith.cmpi " +
         below + " : i32\n%p = arith.select %b1, %l, %a : i32\n%b2 = arith.cmpi " + above +
         " : i32\n%r = arith.select %b2, %h, %p : i32";
}

TEST_F(Bodies, ClampsMayCompareTwice) {
  const std::string clamp =
      "%l = arith.constant -5 : i32\n%h = arith.constant 7 : i32\n%p = arith.maxsi %a, %l : "
      "i32\n%r = arith.minsi %p, %h : i32";
  same(comparedTwice("slt, %a, %l", "slt, %h, %a", "-5", "7"), clamp);
  same(comparedTwice("sle, %a, %l", "sge, %a, %h", "-5", "7"), clamp);
  same(comparedTwice("sgt, %a, %l", "sle, %a, %h", "7", "-5"), clamp); // the upper end first
  different(comparedTwice("slt, %a, %h", "slt, %h, %a", "-5", "7"), clamp);
  different(comparedTwice("slt, %a, %l", "slt, %l, %a", "-5", "7"), clamp);
  different(comparedTwice("slt, %a, %l", "slt, %h, %b", "-5", "7"), clamp);
  // Limits that cross: what is below the lower one is not brought to the upper one.
  different(comparedTwice("slt, %a, %l", "slt, %h, %a", "9", "7"),
            "%l = arith.constant 9 : i32\n%h = arith.constant 7 : i32\n%p = arith.maxsi %a, %l : i32\n"
            "%r = arith.minsi %p, %h : i32");
}

TEST_F(Bodies, ClampsAreOneEitherWayRound) {
  const std::string limits = "%l = arith.constant -128 : i32\n%h = arith.constant 127 : i32\n";
  same(limits + R"(%p = arith.maxsi %a, %l : i32
    %q = arith.minsi %p, %h : i32
    %r = arith.trunci %q : i32 to i8)",
       limits + R"(%p = arith.minsi %h, %a : i32
    %q = arith.maxsi %p, %l : i32
    %r = arith.trunci %q : i32 to i8)",
       "i8");
  different(limits + R"(%p = arith.maxsi %a, %l : i32
    %r = arith.trunci %p : i32 to i8)",
            limits + R"(%p = arith.minsi %h, %a : i32
    %q = arith.maxsi %p, %l : i32
    %r = arith.trunci %q : i32 to i8)",
            "i8");
}

TEST_F(Bodies, NegationsAreSums) {
  same("%m = arith.constant -1 : i32\n%r = arith.xori %a, %m : i32",
       "%m = arith.constant -1 : i32\n%r = arith.subi %m, %a : i32");
}

TEST_F(Bodies, TablesAreReadAtTheirIndex) {
  const std::string table = "%t = arith.constant dense<[5, 6, 7]> : tensor<3xi8>\n";
  same(table + "%i = arith.index_cast %a : i32 to index\n%r = tensor.extract %t[%i] : tensor<3xi8>",
       table + "%w = arith.extsi %a : i32 to i64\n%i = arith.index_cast %w : i64 to index\n"
               "%r = tensor.extract %t[%i] : tensor<3xi8>",
       "i8");
  different(table + "%i = arith.index_cast %a : i32 to index\n%r = tensor.extract %t[%i] : tensor<3xi8>",
            table + "%i = arith.index_castui %a : i32 to index\n%r = tensor.extract %t[%i] : tensor<3xi8>",
            "i8");
}

std::string requantize(const std::string &fields) {
  return "%s = arith.constant 36 : i8\n%q = qnn.requantize %a, %b, %b, %s {" + fields +
         "} : (i32, i32, i32, i8) -> i8\n%r = arith.extsi %q : i8 to i32";
}

TEST_F(Bodies, RequantizationsAreTheirFields) {
  const std::string rest = ", rounding = #qnn.rounding<half_up>";
  const std::string fields = "zero_point = 1 : i8, lo = -5 : i8, hi = 5 : i8" + rest;
  same(requantize(fields), requantize(fields + ", seen.by = \"nobody\""));
  different(requantize(fields), requantize("zero_point = 2 : i8, lo = -5 : i8, hi = 5 : i8" + rest));
  different(requantize(fields), requantize("zero_point = 1 : i8, lo = -6 : i8, hi = 5 : i8" + rest));
  different(requantize(fields), requantize("zero_point = 1 : i8, lo = -5 : i8, hi = 6 : i8" + rest));
}

TEST_F(Bodies, LookupsAreReadsOfTheirTable) {
  std::string entries = "[";
  for (int k = 0; k < 256; ++k)
    entries += std::to_string((k * 37) % 251 - 120) + (k == 255 ? "]" : ", ");
  const std::string table = "%t = arith.constant dense<" + entries + "> : tensor<256xi8>\n";
  const auto read = [&](int origin) {
    return table + "%w = arith.extsi %x : i8 to i32\n%o = arith.constant " + std::to_string(origin) +
           " : i32\n%n = arith.addi %w, %o : i32\n%i = arith.index_cast %n : i32 to index\n"
           "%r = tensor.extract %t[%i] : tensor<256xi8>";
  };
  same(table + "%r = qnn.lookup %x of %t : tensor<256xi8>", read(128), "i8");
  different(table + "%r = qnn.lookup %x of %t : tensor<256xi8>", read(127), "i8");
  different(table + "%r = qnn.lookup %x of %t : tensor<256xi8>",
            table + "%r = qnn.lookup %y of %t : tensor<256xi8>", "i8");
}

TEST_F(Bodies, WhatNobodyKnowsStaysAsItIs) {
  same("%r = arith.divsi %a, %b : i32", "%r = arith.divsi %a, %b : i32");
  different("%r = arith.divsi %a, %b : i32", "%r = arith.divsi %b, %a : i32");
  different("%r = arith.divsi %a, %b : i32", "%r = arith.divui %a, %b : i32");
  different("%l, %r = arith.mulsi_extended %a, %b : i32", "%r, %h = arith.mulsi_extended %a, %b : i32");
  const std::string operands = "%s = arith.constant 36 : i8\n%q = qnn.requantize %a, %b, %b, %s ";
  different(
      operands + "{zero_point = 0 : i8, lo = -5 : i8, hi = 5 : i8, rounding = #qnn.rounding<half_up>} : "
                 "(i32, i32, i32, i8) -> i8\n%r = arith.extsi %q : i8 to i32",
      operands + "{zero_point = 0 : i8, lo = -5 : i8, hi = 5 : i8, rounding = #qnn.rounding<half_even>} : "
                 "(i32, i32, i32, i8) -> i8\n%r = arith.extsi %q : i8 to i32");
}

TEST_F(Bodies, IntegersOfMoreThan64BitsStayAsTheyAre) {
  const auto sum = [](const std::string &number) {
    return "%c = arith.constant " + number +
           " : i128\n%w = arith.extsi %a : i32 to i128\n%s = arith.addi %w, %c : i128\n"
           "%h = arith.constant 64 : i128\n%t = arith.shrsi %s, %h : i128\n%r = arith.trunci %t : i128 to "
           "i32";
  };
  same(sum("18446744073709551616"), sum("18446744073709551616"));
  different(sum("18446744073709551616"), sum("36893488147419103232"));
}

TEST_F(Bodies, SelectionsOfOtherValuesAreNoExtremes) {
  const std::string four = "%n = arith.constant 4 : i32\n%m = arith.constant 5 : i32\n";
  // What begins with the number behind the limit is not the limit.
  different(four + "%s = arith.addi %b, %m : i32\n%c = arith.cmpi sgt, %a, %n : i32\n"
                   "%r = arith.select %c, %a, %s : i32",
            four + "%s = arith.addi %b, %m : i32\n%r = arith.maxsi %a, %s : i32");
  same("%n = arith.constant 4 : i8\n%c = arith.cmpi sgt, %x, %n : i8\n%r = arith.select %c, %a, %b : i32",
       "%n = arith.constant 5 : i8\n%c = arith.cmpi sge, %x, %n : i8\n%r = arith.select %c, %a, %b : i32");
}

/// The second value of the extreme, which is read after the first, is an argument of a lower number than the
/// limit.
TEST_F(Bodies, AnExtremeOfTwoValuesHasNoLimit) {
  const std::string numbers = "%m = arith.constant 5 : i32\n%twice = arith.addi %a, %a : i32\n";
  different(numbers + "%s = arith.maxsi %a, %b : i32\n%c = arith.cmpi slt, %a, %m : i32\n"
                      "%r = arith.select %c, %s, %m : i32",
            numbers + "%s = arith.maxsi %a, %b : i32\n%r = arith.minsi %s, %m : i32");
}

TEST_F(Bodies, EveryOperandOfAnExtremeCounts) {
  const std::string limits =
      "%h = arith.constant 7 : i32\n%l = arith.constant 3 : i32\n%p = arith.minsi %a, %h : i32\n";
  different(limits + "%q = arith.maxsi %p, %b : i32\n%r = arith.maxsi %q, %l : i32",
            limits + "%r = arith.maxsi %p, %l : i32");
  same(limits + "%r = arith.maxsi %p, %p : i32", limits + "%r = arith.minsi %h, %a : i32");
  // Two values that are the same number, though nothing says that they are one.
  const std::string fives =
      "%t = arith.constant dense<5> : tensor<3xi8>\n%u = arith.constant dense<5> : tensor<2xi8>\n"
      "%i = arith.index_cast %a : i32 to index\n%p = tensor.extract %t[%i] : tensor<3xi8>\n"
      "%q = tensor.extract %u[%i] : tensor<2xi8>\n%l = arith.constant 3 : i8\n";
  different(fives + "%m = arith.maxsi %x, %p : i8\n%r = arith.maxsi %m, %q : i8",
            "%z = arith.constant 0 : i8\n%r = arith.addi %x, %z : i8", "i8");
  different(fives + "%r = arith.maxsi %p, %l : i8", "%r = arith.constant 3 : i8", "i8");
}

TEST_F(Bodies, WithRegionsOrEffectsAreNoExpressions) {
  EXPECT_TRUE(isExpression("%r = arith.addi %a, %a : i32"));
  EXPECT_FALSE(isExpression("%r = func.call @told() : () -> i32"));
  EXPECT_FALSE(
      isExpression("%t = tensor.generate {\n^bb0(%i: index):\n  tensor.yield %a : i32\n} : tensor<4xi32>\n"
                   "%n = arith.constant 1 : index\n%r = tensor.extract %t[%n] : tensor<4xi32>"));
}

TEST_F(Bodies, RepeatedSquaresAndLongSumsEnd) {
  std::string squares = "%v0 = arith.addi %a, %b : i32\n", sums = "%v0 = arith.addi %a, %b : i32\n";
  for (int k = 0; k < 900; ++k) {
    const std::string from = "%v" + std::to_string(k), to = "%v" + std::to_string(k + 1);
    squares += to + " = arith.muli " + from + ", " + from + " : i32\n";
    sums += "%d" + std::to_string(k) + " = arith.divsi " + from + ", %a : i32\n";
    sums += to + " = arith.addi " + from + ", %d" + std::to_string(k) + " : i32\n";
    if (k == 450)
      sums += "%r = arith.addi " + to + ", %b : i32\n";
    if (k == 450)
      break;
  }
  of(sums);
  of(squares + "%r = arith.addi %v451, %b : i32");
}

} // namespace
} // namespace daedalus
