// Operations of VECTOR that are selected by declarations of the user's: where they are fewer than the
// compiler's own, and of intrinsics on rows in INP and ACC alone.

#include "stages.h"

#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"

#include <gmock/gmock.h>

#include <fstream>

#include <unistd.h>

namespace daedalus::testing {
namespace {

/// A declaration of int8 rows of INP (%a, %b, %c; their elements %x, %y, %z) and int32 ones of ACC (%p, %q,
/// %s; %u, %v, %w) to one of ACC (%d): `element` computes %r, `steps` %d.
std::string declare(const std::string &name, const std::string &operands, const std::string &element,
                    const std::string &steps) {
  std::string declared, ins, types, maps, body;
  for (char operand : operands) {
    const bool isByte = operand < 'p';
    const std::string type = isByte ? "!inp" : "!acc", separator = ins.empty() ? "" : ", ";
    declared += std::string("%") + operand + ": " + type + ", ";
    ins += separator + '%' + operand, types += separator + type, maps += "#row, ";
    body += std::string("%") + (isByte ? std::string(1, "xyz"[operand - 'a']) + ": i8, "
                                       : std::string(1, "uv_w"[operand - 'p']) + ": i32, ");
  }
  return "dae.intrinsic @" + name + "(" + declared + "%d: !acc) {\nlinalg.generic {indexing_maps = [" + maps +
         "#row], iterator_types = [\"parallel\"]} ins(" + ins + " : " + types + ") outs(%d : !acc) {\n^bb0(" +
         body + "%old: i32):\n" + element + "linalg.yield %r : i32\n}\n" + steps + "}\n";
}

std::string vector(const std::string &op, const std::string &operands, const std::string &types) {
  return "dae.vector #dae.op<" + op + "> " + operands + " : " + types + " -> !acc\n";
}

const std::string wide = "%u = arith.extsi %x : i8 to i32\n%v = arith.extsi %y : i8 to i32\n"
                         "%w = arith.extsi %z : i8 to i32\n",
                  middle = "%f = arith.maxsi %u, %v : i32\n%g = arith.maxsi %u, %w : i32\n"
                           "%r = arith.minsi %f, %g : i32\n",
                  row = "%t = dae.alloc : !acc\n", copy = vector("mov", "%t -> %t", "!acc");

/// min(max(x, y), max(x, z)) as max(x, min(y, z)), with so many copies between.
std::string middleOf(const std::string &operands, unsigned copies) {
  const bool isByte = operands[0] < 'p';
  const std::string a(1, operands[0]), b(1, operands[1]), c(1, operands[2]), type = isByte ? "!inp" : "!acc";
  std::string steps = row + vector("min", "%" + c + ", %" + b + " -> %t", type + ", " + type);
  for (unsigned k = 0; k < copies; ++k)
    steps += copy;
  return declare("middle" + operands + std::to_string(copies), operands, (isByte ? wide : "") + middle,
                 steps + vector("max", "%t, %" + a + " -> %d", "!acc, " + type));
}

class DeclaredStages : public Stages {
protected:
  ~DeclaredStages() override { EXPECT_TRUE(bool(dae::useIntrinsics(""))); }

  /// Uses these declarations, and no others but the built-in ones.
  void use(const std::string &declarations) {
    const std::string path =
        ::testing::TempDir() + "stages" + std::to_string(getpid()) + "_" + std::to_string(files++) + ".mlir";
    std::ofstream(path) << "#row = affine_map<(l) -> (l)>\n!inp = memref<?xi8, #dae.scope<inp>>\n"
                           "!acc = memref<?xi32, #dae.scope<acc>>\n!out = memref<?xi32, #dae.scope<out>>\n"
                        << declarations;
    const Result<void> used = dae::useIntrinsics(path);
    std::remove(path.c_str());
    ASSERT_TRUE(bool(used)) << used.error();
  }

  ExprId middleOf(ExprId x, ExprId y, ExprId z) { return all.min(all.max(x, y), all.max(x, z)); }
  /// The operations, chosen anew.
  std::string with(const std::string &declarations, ExprId result) {
    use(declarations);
    return operations(result);
  }

  static inline unsigned files = 0; ///< each of its own name, for a file is read once
};

TEST_F(DeclaredStages, AreTakenWhereTheyAreFewer) {
  const ExprId result = middleOf(input(0), input(1), input(2));
  const auto declared = [](unsigned copies) { return testing::middleOf("abc", copies); };
  const std::string own = "max max min mov32";
  EXPECT_EQ(operations(result), own);
  EXPECT_EQ(with(declared(0), result), "min max mov32");
  EXPECT_EQ(kernel.temporaries, 2u) << "the result's and one";
  EXPECT_EQ(with(declared(1), result), own);
  EXPECT_EQ(with(declared(2), result), own);
  EXPECT_EQ(with(declared(0) + declared(1), result), "min max mov32");
  EXPECT_EQ(with(declared(1) + declared(0), result), "min max mov32");
  EXPECT_EQ(with(declared(0), all.min(all.max(input(0), input(1)), input(2))), "max min mov32");
}

TEST_F(DeclaredStages, TakeRowsOfValuesThatAreComputed) {
  use(testing::middleOf("abc", 0));
  const ExprId requantized = requant(reduced(), constant(0), constant(2), all.constant(1, 8));
  EXPECT_EQ(operations(middleOf(requantized, input(1), input(2))), "requant min max mov32");
  const ExprId unknown = all.extend(all.truncate(all.logic(ExprKind::Xor, reduced(), input(1)), 8), 32);
  EXPECT_NE(select(middleOf(unknown, input(1), input(2))), "");
  use(testing::middleOf("pqs", 0));
  EXPECT_EQ(operations(middleOf(all.add(input(0), input(1)), input(1), input(2))), "add min max mov32");
}

TEST_F(DeclaredStages, TakeNoNumbersAsRows) {
  const ExprId numbered = middleOf(input(0), input(1), constant(5));
  EXPECT_EQ(with(testing::middleOf("pqs", 0), numbered), "max max min mov32");
  const std::string immediate =
      "dae.intrinsic @numbered(%a: !inp, %b: !inp, %w: i32 {dae.range = #dae.range<0, 9>}, %d: !acc) {\n"
      "linalg.generic {indexing_maps = [#row, #row, affine_map<(l) -> ()>, #row], iterator_types = "
      "[\"parallel\"]} ins(%a, %b, %w : !inp, !inp, i32) outs(%d : !acc) {\n"
      "^bb0(%x: i8, %y: i8, %n: i32, %old: i32):\n"
      "%u = arith.extsi %x : i8 to i32\n%v = arith.extsi %y : i8 to i32\n"
      "%f = arith.maxsi %u, %v : i32\n%g = arith.maxsi %u, %n : i32\n%r = arith.minsi %f, %g : i32\n"
      "linalg.yield %r : i32\n}\n" +
      row + vector("min", "%b, %w -> %t", "!inp, i32") + vector("max", "%t, %a -> %d", "!acc, !inp") + "}\n";
  EXPECT_EQ(with(immediate, numbered), "min max mov32");
  EXPECT_EQ(with(immediate + testing::middleOf("pqs", 0), numbered), "min max mov32");
}

/// Rows of INP that hold constants are no inputs.
TEST_F(DeclaredStages, TakeNoInputsAsConstants) {
  std::string declared = testing::middleOf("abc", 0);
  const std::string plain = "%b: !inp,";
  declared.replace(declared.find(plain), plain.size(), "%b: !inp {dae.pack = @same},");
  EXPECT_EQ(with(declared + "func.func private @same(%k: i8) -> i8 {\n  return %k : i8\n}\n",
                 middleOf(input(0), input(1), input(2))),
            "max max min mov32");
}

/// What gives a value as it is would be computed of itself.
TEST_F(DeclaredStages, AreNoCopies) {
  const std::string copied =
      declare("copied", "p", "%r = arith.addi %u, %u : i32\n", vector("add", "%p, %p -> %d", "!acc, !acc"));
  const std::string same =
      "dae.intrinsic @same(%p: !acc, %d: !acc) {\nlinalg.generic {indexing_maps = [#row, "
      "#row], iterator_types = [\"parallel\"]} ins(%p : !acc) outs(%d : !acc) {\n"
      "^bb0(%u: i32, %old: i32):\nlinalg.yield %u : i32\n}\n" +
      vector("mov", "%p -> %d", "!acc") + "}\n";
  const std::string extended =
      declare("extended", "a", "%r = arith.extsi %x : i8 to i32\n", vector("mov", "%a -> %d", "!inp"));
  const std::string stored =
      "dae.intrinsic @stored(%p: !acc, %d: !out) {\nlinalg.generic {indexing_maps = [#row, #row], "
      "iterator_types = [\"parallel\"]} ins(%p : !acc) outs(%d : !out) {\n^bb0(%u: i32, %old: i32):\n"
      "linalg.yield %u : i32\n}\ndae.vector #dae.op<mov32> %p -> %d : !acc -> !out\n}\n";
  for (const std::string &declarations : {copied, same, extended, stored})
    EXPECT_EQ(with(declarations, all.multiply(input(0), input(1))), "mul mov32") << declarations;
}

/// In four steps or more, a row of ACC is written again and again.
TEST_F(DeclaredStages, WriteARowAgain) {
  const auto greater = [](const std::string &last) {
    return declare("greater", "ab", "%is = arith.cmpi sgt, %x, %y : i8\n%r = arith.extui %is : i1 to i32\n",
                   row + vector("sub", "%a, %b -> %t", "!inp, !inp") +
                       "dae.vector #dae.op<max> %t -> %t {immediate = 0 : i64} : !acc -> !acc\n"
                       "dae.vector #dae.op<min> %t -> " +
                       last);
  };
  const ExprId is =
      all.compare(int64_t(mlir::arith::CmpIPredicate::sgt), all.argument(0, 8), all.argument(1, 8));
  const ExprId result = all.extendZero(is, 32);
  EXPECT_NE(select(result), "");
  EXPECT_EQ(with(greater("%d {immediate = 1 : i64} : !acc -> !acc\n"), result), "sub max min mov32");
  EXPECT_EQ(kernel.temporaries, 2u);
  // What stores its result itself is no part of an expression.
  std::string stored = greater("%t {immediate = 1 : i64} : !acc -> !acc\n"
                               "dae.vector #dae.op<mov32> %t -> %d : !acc -> !out\n");
  for (const char *at : {"%d: !acc", "outs(%d : !acc"})
    stored.replace(stored.find(at), strlen(at), llvm::StringRef(at).drop_back(3).str() + "out");
  use(stored);
  EXPECT_NE(select(result), "");
}

/// MAC that adds to nothing multiplies.
TEST_F(DeclaredStages, MultiplyByMacToo) {
  const std::string product = declare(
      "product", "ab",
      wide.substr(0, wide.rfind("%w")) + "%f = arith.muli %u, %v : i32\n%r = arith.maxsi %f, %v : i32\n",
      row + vector("mac", "%a, %b -> %t", "!inp, !inp") + vector("max", "%t, %b -> %d", "!acc, !inp"));
  use(product);
  EXPECT_EQ(operations(all.max(all.multiply(input(0), input(1)), input(1))), "mul max mov32");
}

} // namespace
} // namespace daedalus::testing
