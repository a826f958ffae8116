// The declared intrinsics: that they compute what their descriptions say, and that a file that is wrong is
// refused with a sentence.

#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <unistd.h>

namespace daedalus::dae {
namespace {

using ::testing::HasSubstr;

TEST(Intrinsics, BuiltInOnesComputeWhatTheirDescriptionsSay) {
  const Result<void> tried = tryBuiltinIntrinsics();
  EXPECT_TRUE(bool(tried)) << tried.error();
}

TEST(Intrinsics, AllOperationsAreReached) {
  std::set<VectorKind> kinds;
  bool gemm = false;
  for (const Intrinsic &intrinsic : builtinIntrinsics())
    for (const IntrinsicStep &step : intrinsic.steps)
      step.isGemm ? void(gemm = true) : void(kinds.insert(step.op));
  EXPECT_TRUE(gemm);
  EXPECT_EQ(kinds.size(), size_t(getMaxEnumValForVectorKind()) + 1);
}

/// A declaration of two rows in INP and one in ACC: the lines of its description, which compute %r of %x and
/// %y (i32) and %old, and of its implementation.
std::string declaration(const std::string &description, const std::string &implementation,
                        const std::string &attributes = "") {
  return R"(#row = affine_map<(l) -> (l)>
!inp = memref<?xi32, #dae.widened<inp>>
!acc = memref<?xi32, #dae.scope<acc>>
dae.intrinsic @mine(%a: !inp, %b: !inp, %d: !acc) )" +
         attributes + R"({
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]} ins(%a, %b : !inp, !inp) outs(%d : !acc) {
  ^bb0(%x: i32, %y: i32, %old: i32):
)" + description +
         "\nlinalg.yield %r : i32\n}\n" + implementation + "\n}\n";
}

const std::string difference = "%r = arith.subi %x, %y : i32";
const std::string instruction = "dae.vector #dae.op<sub> %a, %b -> %d : !inp, !inp -> !acc";

/// What reading a file of this text says; empty where nothing is wrong with it.
std::string problemOf(const std::string &text) {
  static int files = 0;
  const std::string path = ::testing::TempDir() + "intrinsics" + std::to_string(getpid()) + "_" +
                           std::to_string(files++) + ".mlir";
  std::ofstream(path) << text;
  const Result<const Intrinsics *> read = loadIntrinsics(path);
  std::remove(path.c_str());
  if (read)
    return "";
  EXPECT_THAT(read.error(), HasSubstr(path)) << "no name of the file";
  EXPECT_EQ(read.error().find('\n'), std::string::npos) << read.error();
  return read.error();
}

TEST(Intrinsics, OfAFileStandBehindTheBuiltInOnes) {
  const std::string path = ::testing::TempDir() + "mine" + std::to_string(getpid()) + ".mlir";
  std::ofstream(path) << declaration(difference, instruction);
  const Result<const Intrinsics *> read = loadIntrinsics(path);
  ASSERT_TRUE(bool(read)) << read.error();
  EXPECT_EQ((*read)->size(), builtinIntrinsics().size() + 1);
  EXPECT_EQ((*read)->back().name, "mine");
  EXPECT_EQ((*read)->back().cyclesPerRow, 2u); // two rows of INP
  EXPECT_EQ(*loadIntrinsics(path), *read) << "is read again";
  std::remove(path.c_str());
}

/// MLIR's parser goes on with memory that it has freed: only a copy of the process may.
TEST(Intrinsics, ThatDefineAValueTwiceAreRefused) {
  const std::string one = "%one = arith.extui %is : i1 to i32\n";
  std::string text = declaration(
      "%is = arith.cmpi sgt, %x, %y : i32\n" + one + "%r = arith.addi %one, %y : i32", instruction);
  text.insert(text.find("  linalg.generic"), one);
  EXPECT_THAT(problemOf(text), ::testing::ContainsRegex("redefinition of SSA value|MLIR's parser ends with"));
}

TEST(Intrinsics, ThatComputeSomethingElseAreRefusedWithACounterexample) {
  const std::string problem = problemOf(declaration("%r = arith.subi %y, %x : i32", instruction));
  EXPECT_THAT(problem,
              ::testing::ContainsRegex(
                  "@mine computes -?[0-9]+ by its description and -?[0-9]+ by its implementation, as "
                  "mine\\(inp, inp -> acc\\) of argument 0 = -?[0-9]+, argument 1 = -?[0-9]+"));
  for (const char *wrong :
       {"%r = arith.addi %x, %y : i32", "%r = arith.maxsi %x, %y : i32",
        "%c = arith.constant 1 : i32\n%s = arith.subi %x, %y : i32\n%r = arith.addi %s, %c : i32",
        "%s = arith.subi %x, %y : i32\n%t = arith.trunci %s : i32 to i8\n%r = arith.extsi %t : i8 to i32"})
    EXPECT_THAT(problemOf(declaration(wrong, instruction)), HasSubstr("by its implementation")) << wrong;
}

TEST(Intrinsics, ReductionsHaveACombinerAndItsNeutralValue) {
  const std::string sum = "%p = arith.muli %x, %y : i32\n%r = arith.addi %old, %p : i32";
  const std::string mac = "dae.vector #dae.op<mac> %a, %b -> %d : !inp, !inp -> !acc";
  EXPECT_EQ(problemOf(declaration(sum, mac, "attributes {neutral = 0 : i32} ")), "");
  EXPECT_THAT(problemOf(declaration(sum, mac)), HasSubstr("has no neutral value"));
  EXPECT_THAT(problemOf(declaration(sum, mac, "attributes {neutral = 1 : i32} ")),
              HasSubstr("the neutral value 1, which changes what it is joined with"));
  EXPECT_THAT(problemOf(declaration(difference, instruction, "attributes {neutral = 0 : i32} ")),
              HasSubstr("does not read its destination"));
  EXPECT_THAT(problemOf(declaration("%p = arith.muli %x, %y : i32\n%r = arith.subi %p, %old : i32", mac,
                                    "attributes {neutral = 0 : i32} ")),
              HasSubstr("otherwise than in old + x"));
  EXPECT_THAT(problemOf(declaration("%p = arith.muli %x, %y : i32\n%r = arith.maxsi %p, %old : i32", mac,
                                    "attributes {neutral = -2147483648 : i32} ")),
              HasSubstr("by its implementation"));
  EXPECT_THAT(problemOf(declaration(sum,
                                    "%t = dae.alloc : !acc\n"
                                    "dae.vector #dae.op<mul> %a, %b -> %t : !inp, !inp -> !acc\n"
                                    "dae.vector #dae.op<add> %t -> %d : !acc -> !acc",
                                    "attributes {neutral = 0 : i32} ")),
              HasSubstr("within a reduction there can only be one"));
}

TEST(Intrinsics, AreRefusedWhereAnImplementationIsNone) {
  const auto refuses = [](const std::string &implementation, const std::string &why) {
    EXPECT_THAT(problemOf(declaration(difference, implementation)), HasSubstr(why)) << implementation;
  };
  refuses("", "has no implementation");
  refuses("%t = dae.alloc : !acc\ndae.vector #dae.op<sub> %a, %b -> %t : !inp, !inp -> !acc",
          "last instruction does not write the destination");
  refuses("%t = dae.alloc : !acc\ndae.vector #dae.op<sub> %a, %t -> %d : !inp, !acc -> !acc",
          "reads rows that no instruction wrote");
  refuses(instruction + "\n" + instruction, "writes the destination again");
  refuses("dae.vector #dae.op<sub> %a, %d -> %d : !inp, !acc -> !acc", "reads the destination");
  refuses("dae.vector #dae.op<sub> %a, %b -> %a : !inp, !inp -> !inp", "writes neither the destination nor");
  refuses("dae.vector #dae.op<sub> %a, %b -> %d {immediate = 3 : i64} : !inp, !inp -> !acc",
          "has both a second operand and an immediate");
  refuses("dae.vector #dae.op<sub> %a, %b through %a -> %d : !inp, !inp through !inp -> !acc",
          "has a table behind it, which requant_lut alone has");
  refuses("dae.vector #dae.op<requant_lut> %a, %b -> %d : !inp, !inp -> !acc",
          "expects a table behind it, as requant_lut");
  refuses("dae.vector #dae.op<requant_lut> %a, %b through %a -> %d : !inp, !inp through !inp -> !acc",
          "the table");
  refuses("dae.vector #dae.op<sub> %a -> %d : !inp -> !acc", "is not in the instruction set");
  refuses("dae.vector #dae.op<mov32> %a, %b -> %d : !inp, !inp -> !acc", "is not in the instruction set");
  refuses("dae.vector #dae.op<sub> %a, %b -> %d {loops = [#dae.loop<2 x (1, 1, 1)>]} : !inp, !inp -> !acc",
          "in an implementation, which computes a row");
  refuses("%t = dae.alloc : memref<4x16xi32, #dae.scope<acc>>\n" + instruction, "expected memref<?xi32");
  refuses("%c = arith.constant 1 : i32\n" + instruction, "is not part of an implementation");
}

/// Rows of taps and the weights of their lanes, with these maps of the rows and of the weights.
std::string windowDeclaration(const std::string &rows, const std::string &weights,
                              const std::string &implementation) {
  return "!acc = memref<?xi32, #dae.scope<acc>>\n!inp = memref<?x?xi8, #dae.scope<inp>>\n"
         "!wgt = memref<?x?xi8, #dae.scope<wgt>>\n"
         "dae.intrinsic @mine(%a: !inp, %b: !wgt, %d: !acc) attributes {neutral = 0 : i32} {\n"
         "  linalg.generic {indexing_maps = [affine_map<(o, t) -> " +
         rows + ">, affine_map<(o, t) -> " + weights +
         ">, affine_map<(o, t) -> (o)>], iterator_types = [\"parallel\", \"reduction\"]} "
         "ins(%a, %b : !inp, !wgt) outs(%d : !acc) {\n  ^bb0(%x: i8, %w: i8, %old: i32):\n"
         "    %p = arith.extsi %x : i8 to i32\n    %q = arith.extsi %w : i8 to i32\n"
         "    %m = arith.muli %p, %q : i32\n    %r = arith.addi %old, %m : i32\n    linalg.yield %r : i32\n  "
         "}\n" +
         implementation + "\n}\n";
}

TEST(Intrinsics, WindowsHaveRowsOfTaps) {
  const std::string gemm = "dae.gemm %a, %b -> %d : !inp, !wgt -> !acc";
  EXPECT_EQ(problemOf(windowDeclaration("(t, o)", "(o, t)", gemm)), "");
  for (const auto &[rows, weights] : {std::pair("(o, t)", "(o, t)"), std::pair("(t, o)", "(t, o)")})
    EXPECT_THAT(problemOf(windowDeclaration(rows, weights, gemm)),
                HasSubstr("has rows of taps; expected [tap][lane] of INP and [lane][tap] of WGT"));
  EXPECT_THAT(
      problemOf(windowDeclaration("(t, o)", "(o, t)",
                                  "%e = dae.alloc : !acc\ndae.gemm %a, %b -> %e : !inp, !wgt -> !acc\n"
                                  "dae.vector #dae.op<mov> %e -> %d : !acc -> !acc")),
      HasSubstr("has rows of taps and 2 instructions; expected dae.gemm alone"));
  EXPECT_THAT(
      problemOf(windowDeclaration("(t, o)", "(o, t)", "dae.vector #dae.op<mov> %a -> %d : !inp -> !acc")),
      HasSubstr("expects rows along its first iterator"));
}

TEST(Intrinsics, AreRefusedWhereADescriptionIsNone) {
  const auto refuses = [](const std::string &text, const std::string &why) {
    EXPECT_THAT(problemOf(text), HasSubstr(why)) << text;
  };
  refuses(declaration("%r = arith.divsi %x, %y : i32", instruction), "is no operation of an element");
  refuses("dae.intrinsic @none(%d: memref<?xi32, #dae.scope<acc>>) {\n}", "expects a linalg.generic first");
  refuses("func.func private @f()\nmodule {\n}", "is beside intrinsics");
  refuses("dae.intrinsic @none(%d: memref<?xi32, #dae.widened<wgt>>) {\n}",
          "expects scopes with rows of N values");
  refuses("dae.intrinsic @none(%d: memref<?xi32, #dae.widened<imm>>) {\n}", "at least one scope");
  refuses("dae.intrinsic @none(%d: memref<?xi32, #dae.widened<moon>>) {\n}", "'moon' is not a scope");
  refuses(declaration(difference, instruction) + "dae.intrinsic @add(%d: i32) {\n}",
          "has the name of another one");
  std::string other = declaration(difference, instruction);
  other.replace(other.find("widened<inp>"), 12, "scope<inp>  ");
  refuses(other, "expected memref<?xi8>");
  std::string lanes = declaration(difference, instruction);
  lanes.replace(lanes.find("(l) -> (l)"), 10, "(l) -> (0)");
  refuses(lanes, "expected the shape-to-loops map to be non-null");
  std::string unused = declaration(difference, instruction);
  unused.replace(unused.find("%d: !acc)"), 9, "%d: !acc, %e: !acc)");
  refuses(unused, "has an argument that its description does not use");
}

/// The text with one part of it in the place of another.
std::string with(std::string text, const std::string &from, const std::string &to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  return text.replace(text.find(from), from.size(), to);
}

TEST(Intrinsics, AreRefusedWhereTheirArgumentsAreNone) {
  const auto refuses = [](const std::string &text, const std::string &why) {
    EXPECT_THAT(problemOf(text), HasSubstr(why)) << text;
  };
  const std::string good = declaration(difference, instruction);
  refuses(with(good, "ins(%a, %b", "ins(%a, %a"), "has an argument twice");
  refuses(with(with(good, "#row, #row, #row", "#first, #row, #row"),
               "!inp = ", "#first = affine_map<(l) -> (0)>\n!inp = "),
          "has an indexing map other than of different iterators");
  refuses(with(good, "dae.widened<inp>", "dae.widened<inp, inp>"), "#dae.widened has inp twice");
  refuses(with(good, "%b: !inp,", "%b: !inp {dae.pack = @nothing},"),
          "has dae.pack = @nothing, which names no function");
  refuses(with(good, "%b: !inp,", "%b: !inp {dae.pack = @same},") +
              "func.func private @same(%k: i8) -> i8 {\n return %k : i8\n}",
          "packs argument 1; expected a row in one scope");
}

TEST(Intrinsics, AreRefusedWhereARangeOrAPackingIsNone) {
  std::ifstream file(DAEDALUS_SOURCE_DIR "/tests/lit/Dialect/Dae/Transforms/Inputs/blocks.mlir");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string range = "%k: i32 {dae.range = #dae.range<2, 7>}";
  EXPECT_THAT(problemOf(with(text, range, "%k: i32 {dae.range = 7 : i32}")),
              HasSubstr("has dae.range = 7 : i32; expected a #dae.range of int32"));
  EXPECT_THAT(problemOf(with(text, range, "%k: i32 {dae.range = #dae.range<9, 2>}")),
              HasSubstr("#dae.range has the minimum 9 above its maximum 2"));
  EXPECT_THAT(problemOf(with(text, "@nibbles(%scale: i8 {dae.range = #dae.range<-8, 7>}",
                             "@nibbles(%scale: i8 {dae.range = #dae.range<-8, 700>}")),
              HasSubstr("has dae.range = #dae.range<-8, 700>; expected a #dae.range of an 'i8'"));
  EXPECT_THAT(problemOf(with(text, "@nibbles(%scale: i8 {", "@nibbles(%real: f32, %scale: i8 {")),
              HasSubstr("packs a value of type 'f32'; expected i1 to i64"));
}

TEST(Intrinsics, AreRefusedWhereATextIsNone) {
  EXPECT_THAT(problemOf("what is this"), HasSubstr(":1: "));
  EXPECT_THAT(problemOf(std::string(5000, '(')), HasSubstr("brackets"));
  EXPECT_THAT(problemOf(std::string("dae.intrinsic @\xff\x00", 17)), HasSubstr(""));
  EXPECT_THAT(loadIntrinsics("no/such/file.mlir").error(), HasSubstr("no/such/file.mlir"));
}

/// Changes one place of a text: a word goes, comes twice or becomes another one of the text.
std::string changed(const std::string &text, std::mt19937 &random) {
  std::vector<std::pair<size_t, size_t>> words; // where each is, and how long
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(" \n,(){}<>=", at), text.size());
    if (end > at)
      words.push_back({at, end - at});
    at = end + 1;
  }
  const auto any = [&] { return words[random() % words.size()]; };
  const auto [at, size] = any();
  const auto [from, length] = any();
  std::string copy = text;
  switch (random() % 4) {
  case 0:
    return copy.erase(at, size);
  case 1:
    return copy.insert(at, text.substr(at, size) + " ");
  case 2:
    return copy.replace(at, size, text.substr(from, length));
  default:
    return copy.replace(at, 1, 1, static_cast<char>(random() % 128));
  }
}

TEST(Intrinsics, OfChangedFilesAreReadOrRefused) {
  const char *more = std::getenv("DAEDALUS_INTRINSIC_MUTANTS");
  std::ifstream file(DAEDALUS_SOURCE_DIR "/tests/lit/Dialect/Dae/Transforms/Inputs/blocks.mlir");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_EQ(problemOf(text), "");
  std::mt19937 random(7);
  int refused = 0;
  const int mutants = more ? std::atoi(more) : 60;
  for (int k = 0; k < mutants; ++k)
    refused += !problemOf(changed(text, random)).empty();
  EXPECT_GT(refused, mutants / 4);
}

} // namespace
} // namespace daedalus::dae
