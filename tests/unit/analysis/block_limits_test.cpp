// What is no block, or is not seen through, inlined or taken for a constant, and why: each condition that a
// block rests on, in an operation that breaks it alone.

#include "blocks.h"

#include <gmock/gmock.h>

namespace daedalus {
namespace {

using ::testing::HasSubstr;

/// An operation on int8 tensors of these maps: it yields `value`, of %a, %b, ... and of what was there, %o.
std::string generic(const std::string &loops, const std::vector<std::string> &maps, const std::string &kinds,
                    const std::string &operands, const std::string &types, const std::string &out,
                    const std::string &outType, const std::string &value = "%a",
                    const std::string &result = "%r") {
  std::string text = result + " = linalg.generic {indexing_maps = [", arguments;
  for (const std::string &map : maps)
    text += (text.back() == '[' ? "" : ", ") + ("affine_map<" + loops + " -> " + map + ">");
  for (size_t k = 0; k + 1 < maps.size(); ++k)
    arguments += std::string("%") + char('a' + k) + ": i8, ";
  text += "], iterator_types = [";
  for (char kind : kinds)
    text += (text.back() == '[' ? "" : ", ") + std::string(kind == 'p' ? "\"parallel\"" : "\"reduction\"");
  return text + "]}" + (operands.empty() ? "" : " ins(" + operands + " : " + types + ")") + " outs(" + out +
         " : " + outType + ") {\n^bb0(" + arguments + "%o: i8):\n  " +
         (value.find('=') == std::string::npos ? "linalg.yield " + value : value + "\n  linalg.yield %v") +
         " : i8\n} -> " + outType + "\n";
}

const std::string empty4 = "%e = tensor.empty() : tensor<4xi8>\n";

std::string pad(const std::string &result, const std::string &of, const std::string &type,
                const std::string &fill, const std::string &low, const std::string &to) {
  const std::string element = type.substr(type.rfind('x') + 1);
  return "%c" + result.substr(1) + " = arith.constant " + fill + " : " + element + "\n" + result +
         " = tensor.pad " + of + " low[" + low + "] high[1] {\n^bb0(%i: index):\n  tensor.yield %c" +
         result.substr(1) + " : " + element + "\n} : tensor<" + type + "> to tensor<" + to + ">\n";
}

TEST_F(Blocks, HaveOneResult) {
  const std::string two = R"(%e = tensor.empty() : tensor<4xi8>
    %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        outs(%e, %e : tensor<4xi8>, tensor<4xi8>) {
    ^bb0(%a: i8, %b: i8):
      linalg.yield %b, %a : i8, i8
    } -> (tensor<4xi8>, tensor<4xi8>))";
  EXPECT_THAT(reasonFor(two, ""), HasSubstr("has another number of results than one"));
  EXPECT_THAT(reasonFor("linalg.copy ins(%x : memref<4xi8>) outs(%y : memref<4xi8>)",
                        "%x: memref<4xi8>, %y: memref<4xi8>"),
              HasSubstr("has another number of results than one"));
}

TEST_F(Blocks, HaveStaticShapes) {
  EXPECT_THAT(reasonFor("%e = tensor.empty() : tensor<0xi8>\n"
                        "%r = linalg.copy ins(%x : tensor<0xi8>) outs(%e : tensor<0xi8>) -> tensor<0xi8>",
                        "%x: tensor<0xi8>"),
              HasSubstr("has an iterator of no iterations"));
  // The extent is the output's.
  EXPECT_THAT(
      reasonFor(empty4 + generic("(i)", {"(i * 2)", "(i)"}, "p", "%x", "tensor<?xi8>", "%e", "tensor<4xi8>"),
                "%x: tensor<?xi8>"),
      HasSubstr("has an operand that is no tensor of a static shape"));
}

TEST_F(Blocks, HaveLinearMaps) {
  for (const char *map : {"(i floordiv 2)", "(i ceildiv 2)", "(i mod 2)"})
    EXPECT_THAT(
        reasonFor(empty4 + generic("(i)", {map, "(i)"}, "p", "%x", "tensor<4xi8>", "%e", "tensor<4xi8>"),
                  "%x: tensor<4xi8>"),
        HasSubstr("has an indexing map that is not a sum of multiples of iterators"))
        << map;
}

TEST_F(Blocks, HaveNumbersUpTo2To31) {
  const auto reasonOf = [&](const std::string &map) {
    return reasonFor("%e = tensor.empty() : tensor<1x1xi8>\n" + generic("(i, j)", {map, "(i, j)"}, "pp", "%x",
                                                                        "tensor<8589934592xi8>", "%e",
                                                                        "tensor<1x1xi8>"),
                     "%x: tensor<8589934592xi8>");
  };
  EXPECT_EQ(reasonOf("(i * 2147483648 + 2147483648)"), "");
  EXPECT_EQ(reasonOf("(i * -2147483648)"), "");
  for (const char *map : {"(i + 2147483649)", "(i * 2147483649)", "(i * -2147483649)",
                          "((i * 4611686018427387904 + j) * 4)", "((j * -4611686018427387904 + i) * 4)"})
    EXPECT_THAT(reasonOf(map), HasSubstr("has an indexing map with a number above 2^31")) << map;
}

TEST_F(Blocks, MoveTheOutputByParallelIteratorsAlone) {
  const std::string two = "%e = tensor.empty() : tensor<4xi8>\n";
  for (const char *kinds : {"pp", "rr"})
    EXPECT_THAT(reasonFor(two + generic("(i, j)", {"(i, j)", "(i)"}, kinds, "%x", "tensor<4x4xi8>", "%e",
                                        "tensor<4xi8>"),
                          "%x: tensor<4x4xi8>"),
                HasSubstr("has a parallel iterator that its output does not move along, or a reduction"))
        << kinds;
}

/// The body of linalg.map, alone of all, has no argument for what its output was.
TEST_F(Blocks, MayHaveABodyOfTheirInputsAlone) {
  EXPECT_EQ(reasonFor(empty4 +
                          "%r = linalg.map ins(%x, %x : tensor<4xi8>, tensor<4xi8>) outs(%e : tensor<4xi8>)\n"
                          "(%a: i8, %b: i8) {\n  %s = arith.muli %a, %b : i8\n  linalg.yield %s : i8\n}",
                      "%x: tensor<4xi8>"),
            "");
}

TEST_F(Blocks, HaveABodyOfFewOperations) {
  const auto reasonOf = [&](int count) {
    std::string body = "%v0 = arith.divsi %a, %o : i8\n";
    for (int k = 1; k < count; ++k)
      body += "%v" + std::to_string(k) + " = arith.divsi %v" + std::to_string(k - 1) + ", %a : i8\n";
    body += "%v = arith.addi %a, %a : i8";
    return reasonFor(
        empty4 + generic("(i)", {"(i)", "(i)"}, "p", "%x", "tensor<4xi8>", "%e", "tensor<4xi8>", body),
        "%x: tensor<4xi8>");
  };
  EXPECT_EQ(reasonOf(1022), "");
  EXPECT_THAT(reasonOf(1023), HasSubstr("has a body that is not an expression of at most 1024 operations"));
}

TEST_F(Blocks, HaveConstantScalarsInTheirExpression) {
  const auto inputsOf = [&](const std::string &scalar, const std::string &argument) {
    return of(scalar + empty4 + "%r = linalg.fill ins(%c : i8) outs(%e : tensor<4xi8>) -> tensor<4xi8>",
              argument)
        .back()
        .inputs.size();
  };
  EXPECT_EQ(inputsOf("%c = arith.constant 7 : i8\n", ""), 0u);
  EXPECT_EQ(inputsOf("", "%c: i8"), 1u);
  // A constant tensor stays an input, also where it has one value.
  EXPECT_EQ(of(empty4 + "%c = arith.constant dense<7> : tensor<4xi8>\n" +
                   generic("(i)", {"(i)", "(i)"}, "p", "%c", "tensor<4xi8>", "%e", "tensor<4xi8>"),
               "")
                .back()
                .inputs.size(),
            1u);
}

TEST_F(Blocks, ReadWhatIsFromOutsideAsItIs) {
  const Block block =
      of(empty4 + generic("(i)", {"(i)", "(i)"}, "p", "%x", "tensor<4xi8>", "%e", "tensor<4xi8>", "%s"),
         "%s: i8, %x: tensor<4xi8>")
          .back();
  EXPECT_THAT(block.expressions.text(block.result), HasSubstr("from outside"));
}

TEST_F(Blocks, SeeThroughOnePadOfAStaticTensor) {
  const auto input = [&](const std::string &body, const std::string &operand, const std::string &type,
                         const std::string &argument) {
    return of("%e = tensor.empty() : tensor<" + type + ">\n" + body + "%r = linalg.copy ins(" + operand +
                  " : tensor<" + type + ">) outs(%e : tensor<" + type + ">) -> tensor<" + type + ">",
              argument)
        .back()
        .inputs[0];
  };
  const auto isBehind = [](const Access &access) { return mlir::isa<mlir::BlockArgument>(access.tensor); };
  EXPECT_TRUE(isBehind(input(pad("%p", "%x", "4xi8", "5", "1", "6xi8"), "%p", "6xi8", "%x: tensor<4xi8>")));
  // Outside of the inner tensor and of the outer one are two values.
  const Access twice =
      input(pad("%p", "%x", "4xi8", "3", "1", "6xi8") + pad("%q", "%p", "6xi8", "5", "2", "9xi8"), "%q",
            "9xi8", "%x: tensor<4xi8>");
  EXPECT_EQ(twice.fill, 5);
  EXPECT_EQ(twice.shape, (llvm::SmallVector<int64_t, 5>{6}));
  // What lies outside has no 64 bits, and none that is known.
  EXPECT_FALSE(isBehind(input(pad("%p", "%x", "4xi128", "18446744073709551616", "1", "6xi128"), "%p",
                              "6xi128", "%x: tensor<4xi128>")));
  EXPECT_FALSE(isBehind(input(pad("%p", "%x", "?xi8", "5", "1", "6xi8"), "%p", "6xi8", "%x: tensor<?xi8>")));
  EXPECT_FALSE(
      isBehind(input("%p = tensor.pad %x low[1] high[1] {\n^bb0(%i: index):\n  tensor.yield %v : i8\n} : "
                     "tensor<4xi8> to tensor<6xi8>\n",
                     "%p", "6xi8", "%x: tensor<4xi8>, %v: i8")));
  // The order of what is padded and of what is reshaped counts.
  const Access reshaped =
      input("%s = tensor.collapse_shape %x [[0, 1]] : tensor<2x2xi8> into tensor<4xi8>\n" +
                pad("%p", "%s", "4xi8", "5", "1", "6xi8"),
            "%p", "6xi8", "%x: tensor<2x2xi8>");
  EXPECT_EQ(reshaped.fill, 5);
  EXPECT_FALSE(isBehind(reshaped));
}

/// Of static offsets and strides, and of all dimensions, where nothing is padded behind them.
TEST_F(Blocks, SeeThroughSlicesWhoseElementsAreKnown) {
  const auto input = [&](const std::string &slice, const std::string &type, const std::string &argument) {
    return of("%s = tensor.extract_slice %x" + slice + " to tensor<" + type +
                  ">\n%e = tensor.empty() : tensor<" + type + ">\n%r = linalg.copy ins(%s : tensor<" + type +
                  ">) outs(%e : tensor<" + type + ">) -> tensor<" + type + ">",
              argument)
        .back()
        .inputs[0];
  };
  const auto isBehind = [](const Access &access) { return mlir::isa<mlir::BlockArgument>(access.tensor); };
  const Access known = input("[1, 2] [2, 3] [1, 2] : tensor<4x8xi8>", "2x3xi8", "%x: tensor<4x8xi8>");
  EXPECT_TRUE(isBehind(known));
  EXPECT_EQ(known.shape, (llvm::SmallVector<int64_t, 5>{4, 8}));
  EXPECT_EQ(known.at[0], (Coordinate{{1, 0}, 1}));
  EXPECT_EQ(known.at[1], (Coordinate{{0, 2}, 2}));
  const std::string row = "%x: tensor<8xi8>, %n: index";
  EXPECT_FALSE(isBehind(input("[%n] [3] [1] : tensor<8xi8>", "3xi8", row)));
  EXPECT_FALSE(isBehind(input("[1] [3] [%n] : tensor<8xi8>", "3xi8", row)));
  EXPECT_FALSE(isBehind(input("[7] [3] [-1] : tensor<8xi8>", "3xi8", row)));
  EXPECT_FALSE(isBehind(input("[1, 0] [1, 8] [1, 1] : tensor<4x8xi8>", "8xi8", "%x: tensor<4x8xi8>")));
  const Access padded =
      of("%s = tensor.extract_slice %x[2] [4] [1] : tensor<8xi8> to tensor<4xi8>\n"
         "%e = tensor.empty() : tensor<6xi8>\n" +
             pad("%p", "%s", "4xi8", "5", "1", "6xi8") +
             "%r = linalg.copy ins(%p : tensor<6xi8>) outs(%e : tensor<6xi8>) -> tensor<6xi8>",
         "%x: tensor<8xi8>")
          .back()
          .inputs[0];
  EXPECT_EQ(padded.fill, 5);
  EXPECT_FALSE(isBehind(padded));
}

TEST_F(Blocks, SeeThroughReshapesOfReshapes) {
  const Block block = of(R"(
    %s = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 2, 6] : tensor<4x6xi8> into tensor<2x2x6xi8>
    %t = tensor.collapse_shape %s [[0], [1, 2]] : tensor<2x2x6xi8> into tensor<2x12xi8>
    %e = tensor.empty() : tensor<2x12xi8>
    %r = linalg.copy ins(%t : tensor<2x12xi8>) outs(%e : tensor<2x12xi8>) -> tensor<2x12xi8>)",
                         "%x: tensor<4x6xi8>")
                          .back();
  EXPECT_TRUE(mlir::isa<mlir::BlockArgument>(block.inputs[0].tensor));
  EXPECT_EQ(block.inputs[0].shape, (llvm::SmallVector<int64_t, 5>{2, 12}));
  EXPECT_EQ(block.inputs[0].linear(), block.output.linear());
}

/// Blocks that read two tensors in one way each: whether that is one input.
TEST_F(Blocks, ReadOneInputWhereTheyReadTheSameAlike) {
  const std::string sum = "%v = arith.addi %a, %b : i8";
  const auto inputsOf = [&](const std::string &before, const std::vector<std::string> &maps,
                            const std::string &operands, const std::string &types,
                            const std::string &arguments) {
    return of(before + "%e = tensor.empty() : tensor<2x4xi8>\n" +
                  generic("(i, j)", {maps[0], maps[1], "(i, j)"}, "pp", operands, types, "%e",
                          "tensor<2x4xi8>", sum),
              arguments)
        .back()
        .inputs.size();
  };
  const std::vector<std::string> back = {"(1 - i, 3 - j)", "(1 - i, 3 - j)"};
  const std::string x = "%x: tensor<2x3x4xi8>", x44 = "%x: tensor<4x4xi8>";
  EXPECT_EQ(inputsOf("", back, "%x, %x", "tensor<4x4xi8>, tensor<4x4xi8>", x44), 1u);
  EXPECT_EQ(inputsOf("", back, "%x, %y", "tensor<4x4xi8>, tensor<4x4xi8>", x44 + ", %y: tensor<4x4xi8>"), 2u);
  EXPECT_EQ(inputsOf("", {back[0], "(3 - j, 1 - i)"}, "%x, %x", "tensor<4x4xi8>, tensor<4x4xi8>", x44), 2u);
  EXPECT_EQ(inputsOf("%s = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x4xi8> into tensor<6x4xi8>\n"
                     "%t = tensor.collapse_shape %x [[0], [1, 2]] : tensor<2x3x4xi8> into tensor<2x12xi8>\n",
                     back, "%s, %t", "tensor<6x4xi8>, tensor<2x12xi8>", x),
            2u);
  const auto padded = [&](const std::string &name, int fill) {
    return "%c" + name + " = arith.constant " + std::to_string(fill) + " : i8\n%" + name +
           " = tensor.pad %x low[0, 0] high[1, 1] {\n^bb0(%i: index, %j: index):\n  tensor.yield %c" + name +
           " : i8\n} : tensor<4x4xi8> to tensor<5x5xi8>\n";
  };
  EXPECT_EQ(inputsOf(padded("s", 3) + padded("t", 5), back, "%s, %t", "tensor<5x5xi8>, tensor<5x5xi8>", x44),
            2u);
}

TEST(Coordinates, OfOneIteratorHaveNoFactorAndNoOffset) {
  EXPECT_EQ((Coordinate{{0, 1, 0}, 0}).onlyIterator(), 1u);
  EXPECT_EQ((Coordinate{{1, 1}, 0}).onlyIterator(), std::nullopt);
  EXPECT_EQ((Coordinate{{0, 2}, 0}).onlyIterator(), std::nullopt);
  EXPECT_EQ((Coordinate{{0, 1}, 3}).onlyIterator(), std::nullopt);
}

/// A part of 4 of 16 elements, 4 apart, one behind the other, or in another order.
TEST_F(Blocks, WriteInOrderWhatTheyWriteAllOf) {
  const auto writes = [&](const std::string &map, const std::string &type) {
    return of("%e = tensor.empty() : tensor<" + type + "xi8>\n" +
                  generic("(i, j)", {"(i, j)", map}, "pp", "%x", "tensor<2x4xi8>", "%e",
                          "tensor<" + type + "xi8>"),
              "%x: tensor<2x4xi8>")
        .back()
        .writesInOrder();
  };
  EXPECT_TRUE(writes("(i * 4 + j)", "8"));
  EXPECT_FALSE(writes("(i * 4 + j)", "9"));
  EXPECT_FALSE(writes("(i * 4 + j + 1)", "9"));
  EXPECT_FALSE(writes("(i * 5 + j)", "10"));
  EXPECT_FALSE(writes("(i * 4 + 3 - j)", "8"));
}

TEST_F(Blocks, UniformTensorsAreWrittenWholeWithOneNumber) {
  const auto written = [&](const std::string &map, const std::string &type) {
    return uniform("%c = arith.constant 7 : i8\n%e = tensor.empty() : tensor<" + type + ">\n" +
                       generic("(i)", {map}, "p", "", "", "%e", "tensor<" + type + ">", "%c"),
                   "");
  };
  EXPECT_EQ(written("(i)", "4xi8"), 7);
  EXPECT_EQ(uniform("%c = arith.constant 7 : i8\n%e = tensor.empty() : tensor<16xi8>\n" +
                        generic("(i, j)", {"(i, j)", "(i * 4 + j)"}, "pp", "%x", "tensor<2x4xi8>", "%e",
                                "tensor<16xi8>", "%c"),
                    "%x: tensor<2x4xi8>"),
            std::nullopt);
  EXPECT_EQ(uniform("%r = linalg.fill ins(%c : i8) outs(%e : tensor<4xi8>) -> tensor<4xi8>",
                    "%c: i8, %e: tensor<4xi8>"),
            std::nullopt);
  EXPECT_EQ(uniform("%c = arith.constant 7 : i8\n"
                    "%r = linalg.fill ins(%c : i8) outs(%e : tensor<?xi8>) -> tensor<?xi8>",
                    "%e: tensor<?xi8>"),
            std::nullopt)
      << "no block";
  EXPECT_EQ(uniform("%e = tensor.empty() : tensor<4xi128>\n%c = arith.constant 18446744073709551616 : i128\n"
                    "%r = linalg.fill ins(%c : i128) outs(%e : tensor<4xi128>) -> tensor<4xi128>"),
            std::nullopt);
  EXPECT_EQ(uniform("%r = arith.constant dense<18446744073709551616> : tensor<3xi128>"), std::nullopt);
  EXPECT_EQ(uniform("%r = arith.constant dense<[7, 8, 9]> : tensor<3xi8>"), std::nullopt);
  EXPECT_EQ(uniform("%r = arith.constant dense<7> : tensor<3xindex>"), 7);
}

class Inlining : public Blocks {
protected:
  /// Whether the first block goes into the last one, which reads `read` of its result %r.
  bool isInlined(const std::string &producer, const std::string &before = "", const std::string &read = "%r",
                 const std::string &type = "4x2xi8", const std::string &map = "(i, j)") {
    const std::vector<Block> blocks =
        of("%e = tensor.empty() : tensor<4x2xi8>\n" + producer + before +
               generic("(i, j)", {map, "(i, j)"}, "pp", read, "tensor<" + type + ">", "%y", "tensor<4x2xi8>",
                       "%a", "%s"),
           "%x: tensor<4x2xi8>, %y: tensor<4x2xi8>, %z: tensor<4x2x3xi8>, %w: tensor<4xi8>");
    return blocks.size() > 1 && inlined(blocks.back(), 0, blocks.front()).has_value();
  }

  std::string writer(const std::string &map, const std::string &value = "%a", const std::string &out = "%e") {
    return generic("(i, j)", {"(i, j)", map}, "pp", "%x", "tensor<4x2xi8>", out, "tensor<4x2xi8>", value);
  }
};

TEST_F(Inlining, OfWhatIsReadWhereItWasWritten) {
  EXPECT_TRUE(isInlined(writer("(i, j)")));
  EXPECT_FALSE(isInlined(generic("(i, j, k)", {"(i, j, k)", "(i, j)"}, "ppr", "%z", "tensor<4x2x3xi8>", "%e",
                                 "tensor<4x2xi8>")));
  EXPECT_FALSE(isInlined(writer("(i, j)", "%v = arith.addi %a, %o : i8", "%y")));
  const std::string padded = "%c = arith.constant 3 : i8\n%p = tensor.pad %r low[0, 0] high[1, 0] {\n"
                             "^bb0(%i: index, %j: index):\n  tensor.yield %c : i8\n"
                             "} : tensor<4x2xi8> to tensor<5x2xi8>\n";
  EXPECT_FALSE(isInlined(writer("(i, j)"), padded, "%p", "5x2xi8", "(i + 1, j)"));
  EXPECT_FALSE(isInlined(writer("(i, j)"),
                         "%p = tensor.collapse_shape %r [[0, 1]] : tensor<4x2xi8> into tensor<8xi8>\n", "%p",
                         "8xi8", "(i * 2 + j)"));
}

TEST_F(Inlining, OfWhatIsWrittenAllAndOnce) {
  // A diagonal, one column of two, and every second row.
  const std::string square =
      "%d = tensor.empty() : tensor<4x4xi8>\n" +
      generic("(i)", {"(i)", "(i, i)"}, "p", "%w", "tensor<4xi8>", "%d", "tensor<4x4xi8>");
  EXPECT_FALSE(isInlined(square, "", "%r", "4x4xi8", "(i, j * 2)"));
  for (const char *column : {"(i, 0)", "(i, 1)"})
    EXPECT_FALSE(
        isInlined(generic("(i)", {"(i)", column}, "p", "%w", "tensor<4xi8>", "%e", "tensor<4x2xi8>")))
        << column;
  const std::string rows =
      "%d = tensor.empty() : tensor<8x2xi8>\n" +
      generic("(i, j)", {"(i, j)", "(i * 2, j)"}, "pp", "%x", "tensor<4x2xi8>", "%d", "tensor<8x2xi8>");
  EXPECT_FALSE(isInlined(rows, "", "%r", "8x2xi8", "(i * 2, j)"));
  // The first half: k has one iteration.
  const std::string half = "%d = tensor.empty() : tensor<8x2xi8>\n%t = tensor.expand_shape %x [[0], [1, 2]] "
                           "output_shape [4, 2, 1] : "
                           "tensor<4x2xi8> into tensor<4x2x1xi8>\n" +
                           generic("(i, j, k)", {"(i, j, k)", "(i + k, j)"}, "ppp", "%t", "tensor<4x2x1xi8>",
                                   "%d", "tensor<8x2xi8>");
  EXPECT_FALSE(isInlined(half, "", "%r", "8x2xi8", "(i * 2, j)"));
  // And read in as many dimensions of their sizes, and one more.
  const std::string quarters =
      "%d = tensor.empty() : tensor<8x2x2xi8>\n%t = tensor.expand_shape %x [[0], [1, 2, 3]] output_shape [4, "
      "2, 1, 1] "
      ": tensor<4x2xi8> into tensor<4x2x1x1xi8>\n%u = tensor.empty() : tensor<2xi8>\n" +
      generic("(i, j, l, k)", {"(i, j, k, k)", "(l)", "(i + k, j, l)"}, "pppp", "%t, %u",
              "tensor<4x2x1x1xi8>, tensor<2xi8>", "%d", "tensor<8x2x2xi8>");
  EXPECT_FALSE(isInlined(quarters,
                         "%p = tensor.expand_shape %r [[0, 1], [2], [3, 4]] output_shape [4, 2, 2, 2, 1] : "
                         "tensor<8x2x2xi8> into tensor<4x2x2x2x1xi8>\n"
                         "%q = tensor.collapse_shape %p [[0], [1], [2], [3, 4]] : tensor<4x2x2x2x1xi8> into "
                         "tensor<4x2x2x2xi8>\n",
                         "%q", "4x2x2x2xi8", "(i, j, 1, 1)"));
}

} // namespace
} // namespace daedalus
