// Products and windows: each condition under which a kernel is taken, in a kernel that breaks it alone. It is
// refused with the reason for that, or taken in another way and right.

#include "conditions.h"

#include "Kernels/Kernel.h"

namespace daedalus::testing {
namespace {

/// Rows of 8 channels with a window of two of them and 4 outputs: changed in one thing each.
Product product() {
  return {"5x8xi8", "2x8x4xi8", "4x4x", "(y, f, i, c)", "pprr", "(y + i, c)", "(i, c, f)", "(y, f)"};
}

TEST_F(Conditions, WindowsMoveOneIteratorADimension) {
  right(product().text());
  const std::string unknown = "it reads its input otherwise than through a window that moves";
  // Two reductions along rows, and two parallel ones.
  Product two = {"7x8xi8", "2x2x8x4xi8",         "4x4x",         "(y, f, i, j, c)",
                 "pprrr",  "(y + i + j * 2, c)", "(i, j, c, f)", "(y, f)"};
  refused(two.text(), unknown);
  Product outputs = {"7x8xi8", "8xi8", "4x4x", "(y, z, c)", "ppr", "(y + z, c)", "(c)", "(y, z)"};
  refused(outputs.text(), unknown);
  // A reduction along two dimensions at once.
  Product both = {"6x3x8xi8", "3x8x4xi8",      "4x4x",      "(y, f, i, c)",
                  "pprr",     "(y + i, i, c)", "(i, c, f)", "(y, f)"};
  refused(both.text(), unknown);
  Product scalar = {"i8", "8x4xi8", "4x", "(f, c)", "pr", "()", "(c, f)", "(f)"};
  refused(scalar.text(), unknown);
  // Sums of weights alone.
  Product unread = {"5x8xi8", "2x8x4xi8", "5x4x", "(y, f, i, c)", "pprr", "(y, c)", "(i, c, f)", "(y, f)"};
  refused(unread.text(), unknown);
}

TEST_F(Conditions, ChannelsAreReadOneBehindTheOther) {
  const std::string unknown = "it does not read all channels of its input, one behind the other";
  // All channels, moved by one, or every second one: outside of them lies something else.
  Product moved = {"4x8xi8",
                   "8x4xi8",
                   "4x4x",
                   "(y, f, c)",
                   "ppr",
                   "(y, c + 1)",
                   "(c, f)",
                   "(y, f)",
                   "%pad",
                   "4x10xi8",
                   pad("4x8xi8", "0, 2", "0, 0", "4x10xi8")};
  refused(moved.text(), unknown);
  Product second = {"4x8xi8",
                    "8x4xi8",
                    "4x4x",
                    "(y, f, c)",
                    "ppr",
                    "(y, c * 2)",
                    "(c, f)",
                    "(y, f)",
                    "%pad",
                    "4x15xi8",
                    pad("4x8xi8", "0, 0", "0, 7", "4x15xi8")};
  refused(second.text(), unknown);
  // Seven of eight: z has one iteration.
  Product part = {"4x8xi8", "7x4x1xi8", "4x4x", "(y, f, c, z)", "pprr", "(y, c + z)", "(c, f, z)", "(y, f)"};
  refused(part.text(), unknown);
  // Groups that overlap.
  Product groups = {"2x16xi8", "4x4xi8", "2x4x", "(y, g, c)", "ppr", "(y, g + c)", "(g, c)", "(y, g)"};
  refused(groups.text(), unknown);
  // Each output of a group reads them moved by one more.
  Product walks = {"2x8xi8", "2x4x4xi8",           "2x2x4x",    "(y, g, f, c)",
                   "pppr",   "(y, g * 4 + f + c)", "(g, f, c)", "(y, g, f)"};
  walks.data = "%pad", walks.dataType = "2x11xi8", walks.before = pad("2x8xi8", "0, 0", "0, 3", "2x11xi8");
  refused(walks.text(), "it reads its input otherwise than through a window that moves");
}

TEST_F(Conditions, ImagesAreReadAsTheyAre) {
  const std::string unknown = "it reads its input otherwise than through a window that moves";
  // Two images of six rows and one column, in a window of three rows.
  const auto text = [](const std::string &read, const std::string &type = "2x6x1x8xi8",
                       const std::string &before = "", const std::string &data = "%x") {
    Product images = {"2x6x1x8xi8", "3x8x4xi8", "2x4x4x",    "(n, y, f, i, c)",
                      "ppprr",      read,       "(i, c, f)", "(n, y, f)"};
    images.data = data, images.dataType = type, images.before = before;
    return images.text();
  };
  right(text("(n, y + i, 0, c)"));
  const auto padded = [&](const std::string &read, const std::string &low, const std::string &high,
                          const std::string &type) {
    return text(read, type, pad("2x6x1x8xi8", low + ", 0, 0, 0", high + ", 0, 0, 0", type), "%pad");
  };
  refused(padded("(n + i, y + i, 0, c)", "0", "2", "4x6x1x8xi8"), unknown); // a reduction that rows have, too
  refused(padded("(n + 1, y + i, 0, c)", "2", "0", "4x6x1x8xi8"), unknown);
  refused(padded("(n * 2, y + i, 0, c)", "0", "1", "3x6x1x8xi8"), unknown);
  Product along = {"2x4x1x8xi8", "3x8x4xi8",         "2x4x4x",    "(n, y, f, i, c)",
                   "ppprr",      "(n + i, y, 0, c)", "(i, c, f)", "(n, y, f)"};
  along.data = "%pad", along.dataType = "4x4x1x8xi8";
  along.before = pad("2x4x1x8xi8", "0, 0, 0, 0", "2, 0, 0, 0", "4x4x1x8xi8");
  refused(along.text(), unknown);
  Product reduced = {"3x6x1x8xi8", "3x8x4xi8",     "6x4x",      "(y, f, i, c)",
                     "pprr",       "(i, y, 0, c)", "(i, c, f)", "(y, f)"};
  right(reduced.text());
  Product one = {"3x6x1x8xi8", "8x4xi8", "6x4x", "(y, f, c)", "ppr", "(0, y, 0, c)", "(c, f)", "(y, f)"};
  right(one.text());
}

TEST_F(Conditions, DimensionsInAnotherOrderHaveOneStrideOfImages) {
  // Images of two dimensions that the result has the other way round.
  Product turned = {"2x3x4x5x8xi8", "8x4xi8",          "3x2x4x5x4x", "(m, n, y, x, f, c)",
                    "pppppr",       "(n, m, y, x, c)", "(c, f)",     "(m, n, y, x, f)"};
  turned.text();
  const std::string reason = reasonFor(turned.text());
  if (reason.empty())
    compare(turned.text(), turned.text());
  EXPECT_EQ(reason, "it does not write its result in the order of pixels and channels");
  // The channels of a product's data are those that it sums.
  const std::string text =
      Product{"8x16xi8", "8x4xi8", "16x4x", "(m, f, c)", "ppr", "(c, m)", "(c, f)", "(m, f)"}.text();
  right(text);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &runner.context);
  const auto kernel = accelerator::readKernel(*module->getOps<mlir::func::FuncOp>().begin(), 16);
  ASSERT_TRUE(bool(kernel)) << kernel.error();
  EXPECT_EQ(kernel->groups, 1);
  EXPECT_TRUE(kernel->layouts[0].has_value());
}

TEST_F(Conditions, ReductionsWriteTheirResultInOrder) {
  const std::string reason = "it does not write its result in the order of pixels and channels";
  right(Maximum{"4x3x16xi8", "4x16xi8", "(y, c, k)", "ppr", "(y, k, c)", "(y, c)"}.text());
  right(Maximum{"4x3x16xi8", "16x4xi8", "(y, c, k)", "ppr", "(y, k, c)", "(c, y)"}.text());
  refused(Maximum{"4x3x16xi8", "8x16xi8", "(y, c, k)", "ppr", "(y, k, c)", "(y * 2, c)"}.text(), reason);
}

TEST_F(Conditions, ReductionsAreSumsOrExtremesFromTheirNeutralValue) {
  const std::string unknown = "its reduction is unknown to the accelerator";
  const auto maximum = [](const std::string &type, const std::string &body, const std::string &start) {
    return Maximum{"4x3x16xi8", "4x16x" + type, "(y, c, k)", "ppr", "(y, k, c)", "(y, c)",
                   "%x",        "4x3x16xi8",    "",          start, body}
        .text();
  };
  refused(maximum("i8", "%v = arith.addi %o, %a : i8\n", "0"), unknown);
  refused(maximum("i8", "%v = arith.subi %o, %a : i8\n", "0"), unknown);
  refused(maximum("i8", "%m = arith.maxsi %o, %a : i8\n%v = arith.addi %m, %a : i8\n", "-128"), unknown);
  right(maximum("i8", "%v = arith.minsi %o, %a : i8\n", "127"));
  refused(maximum("i8", "%v = arith.minsi %o, %a : i8\n", "126"), "its result does not start from 127");
  refused(maximum("i8", largest, "-127"), "its result does not start from -128");
  const std::string wide = "%w = arith.extsi %a : i8 to i32\n";
  refused(
      maximum(
          "i32",
          wide + "%q = arith.muli %w, %w : i32\n%s = arith.addi %o, %w : i32\n%v = arith.addi %s, %q : i32\n",
          "0"),
      unknown);
  refused(maximum("i32", wide + "%s = arith.addi %o, %o : i32\n%v = arith.addi %s, %w : i32\n", "0"),
          unknown);
  refused(maximum("i32", wide + "%v = arith.subi %o, %w : i32\n", "0"), unknown);
  refused(maximum("i32", wide + "%v = arith.addi %w, %w : i32\n", "0"),
          "its reduction keeps only what it computes last");
  refused(maximum("i32", "%c = arith.constant 5 : i32\n%v = arith.addi %o, %c : i32\n", "0"), unknown);
  const auto through16 = [&](const std::string &body) {
    return kernel(
        "%x: tensor<4x3x16xi8>", "4x16xi8",
        filled("4x16xi16", "-32768") +
            block("%s", "(y, c, k)", "ppr", {{"%x", "4x3x16xi8", "(y, k, c)"}, {"%f", "4x16xi16", "(y, c)"}},
                  "%w = arith.extsi %a : i8 to i16\n" + body) +
            empty("%re", "4x16xi8") +
            block("%r", "(y, c)", "pp", {{"%s", "4x16xi16", "(y, c)"}, {"%re", "4x16xi8", "(y, c)"}},
                  "%v = arith.trunci %a : i16 to i8\n"));
  };
  refused(through16("%v = arith.maxsi %o, %w : i16\n"), unknown);
  // What is reduced are not the lanes of a row; and the start is known.
  refused(Maximum{"16xi8", "i8", "(c)", "r", "(c)", "()"}.text(),
          "it reduces along channels, which lie in the lanes of a row");
  refused(kernel("%x: tensor<4x3x16xi8>, %f: tensor<4x16xi8>", "4x16xi8",
                 block("%r", "(y, c, k)", "ppr",
                       {{"%x", "4x3x16xi8", "(y, k, c)"}, {"%f", "4x16xi8", "(y, c)"}}, largest)),
          "its result does not start from -128");
}

TEST_F(Conditions, ProductsHaveConstantWeightsForAllPositions) {
  Product computed = product();
  computed.before =
      "%t = tensor.empty() : tensor<2x8x4xi8>\n%n = arith.constant 3 : i8\n"
      "%filled = linalg.fill ins(%n : i8) outs(%t : tensor<2x8x4xi8>) -> tensor<2x8x4xi8>\n"
      "%slice = tensor.extract_slice %filled[0, 0, 0] [2, 8, 4] [1, 1, 1] : tensor<2x8x4xi8> to "
      "tensor<2x8x4xi8>\n";
  computed.weightsName = "%slice";
  refused(computed.text(), "its weights are not constants");
  Product padded = product();
  padded.weights = "1x8x4xi8", padded.constants = constant("%w", "1x8x4xi8");
  padded.weightsName = "%pad", padded.weightsType = "2x8x4xi8";
  padded.before = pad("1x8x4xi8", "0, 0, 0", "1, 0, 0", "2x8x4xi8", "%pad", "%w");
  refused(padded.text(), "its weights are padded");
  Product large = {"1x16777217xi8", "16xi8", "1x16x", "(y, f, c)", "ppr", "(y, c)", "(c, f)", "(y, f)"};
  large.weightsType = "16777217x16xi8";
  large.constants = "%w = arith.constant dense<1> : tensor<16777217x16xi8>\n";
  refused(large.text(), "it has more than 268435456 weights");
  Product several = {"4x8xi8", "2x4x8xi8", "4x2x4x",    "(y, g, f, c)",
                     "pppr",   "(y, c)",   "(g, f, c)", "(y, g, f)"};
  refused(several.text(), "its outputs of a position lie in several dimensions");
  Product rows = {"4x8xi8", "4x8x4xi8", "4x4x", "(y, f, c)", "ppr", "(y, c)", "(y, c, f)", "(y, f)"};
  right(rows.text());
}

/// A 32nd of sums of products of two inputs.
struct OfInputs {
  std::string x, w, shape; ///< types, and that of the result such as "4x4x"
  std::string loops, kinds, read, readWeights, written;
  std::string body = multiplied, start = "0", before = "", data = "%x", dataType = x, weights = "%w",
              weightsType = w;

  std::string text() const {
    return kernel(
        "%x: " + tensorOf(x) + ", %w: " + tensorOf(w), shape + "i8",
        before + filled(shape + "i32", start) +
            block(
                "%s", loops, kinds,
                {{data, dataType, read}, {weights, weightsType, readWeights}, {"%f", shape + "i32", written}},
                body) +
            scaled(shape));
  }
};

TEST_F(Conditions, InputsAreReadAlongTheirReduction) {
  right(OfInputs{"4x8xi8", "5x8xi8", "4x5x", "(y, f, c)", "ppr", "(y, c)", "(f, c)", "(y, f)"}.text());
  right(OfInputs{"4x8xi8", "5x8xi8", "5x4x", "(f, y, c)", "ppr", "(y, c)", "(f, c)", "(f, y)"}.text());
  right(OfInputs{"4x2x8xi8", "5x2x8xi8", "4x5x", "(y, f, i, c)", "pprr", "(y, i, c)", "(f, i, c)", "(y, f)"}
            .text());
  const std::string across = "does not read both along their last dimension: transpose one first";
  refused(OfInputs{"4x8xi8", "8x5xi8", "4x5x", "(y, f, c)", "ppr", "(y, c)", "(c, f)", "(y, f)"}.text(),
          across);
  refused(OfInputs{"8x4xi8", "5x8xi8", "4x5x", "(y, f, c)", "ppr", "(c, y)", "(f, c)", "(y, f)"}.text(),
          across);
  refused(OfInputs{"4x15xi8", "5x8xi8", "4x5x", "(y, f, c)", "ppr", "(y, c * 2)", "(f, c)", "(y, f)"}.text(),
          across);
  refused(OfInputs{"4x8xi8", "5x15xi8", "4x5x", "(y, f, c)", "ppr", "(y, c)", "(f, c * 2)", "(y, f)"}.text(),
          across);
  refused(OfInputs{"4x2x8xi8", "5x8x2xi8", "4x5x", "(y, f, i, c)", "pprr", "(y, i, c)", "(f, c, i)", "(y, f)"}
              .text(),
          across);
  // Two dimensions of the reduction that are one of the data alone.
  refused(
      OfInputs{"4x2x8xi8", "5x3x8xi8", "4x5x", "(y, f, i, c)", "pprr", "(y, i, c)", "(f, i * 2, c)", "(y, f)"}
          .text(),
      across);
  // A row of the result is no part of the reduction, though both inputs move from one to the next as in it.
  right(OfInputs{"4x8xi8", "4x8xi8", "4x", "(a, c)", "pr", "(a, c)", "(a, c)", "(a)"}.text());
}

TEST_F(Conditions, WeightsOfAProductMayComeFirst) {
  right(
      kernel("%x: tensor<4x8xi8>", "4x5xi8",
             constant("%w", "5x8xi8") + filled("4x5xi32", "0") +
                 block("%s", "(y, f, c)", "ppr",
                       {{"%w", "5x8xi8", "(f, c)"}, {"%x", "4x8xi8", "(y, c)"}, {"%f", "4x5xi32", "(y, f)"}},
                       multiplied) +
                 scaled("4x5x")));
}

/// Of a vector, and of an image whose rows and columns stand the other way round.
TEST_F(Conditions, DataOfAProductHaveAnyDimensionsAndOrder) {
  const auto text = [](const std::string &x, const std::string &shape, const std::string &loops,
                       const std::string &kinds, const std::string &read, const std::string &written) {
    return kernel("%x: " + tensorOf(x), shape + "i8",
                  constant("%w", "5x8xi8") + filled(shape + "i32", "0") +
                      block("%s", loops, kinds,
                            {{"%x", x, read}, {"%w", "5x8xi8", "(f, c)"}, {"%f", shape + "i32", written}},
                            multiplied) +
                      scaled(shape));
  };
  right(text("8xi8", "5x", "(f, c)", "pr", "(c)", "(f)"));
  right(text("3x4x8xi8", "4x3x5x", "(y, z, f, c)", "pppr", "(z, y, c)", "(y, z, f)"));
  right(text("8x1x4xi8", "4x1x5x", "(y, z, f, c)", "pppr", "(c, z, y)", "(y, z, f)"));
}

/// A product of three operands: what is said of the third.
TEST_F(Conditions, ZeroPointsOfAProductAreKnown) {
  const auto text = [](const std::string &type, const std::string &before, const std::string &zero,
                       const std::string &zeroType, const std::string &read) {
    return kernel("%x: tensor<4x8xi8>, %w: tensor<5x8xi8>, %z: tensor<" + type + ">", "4x5xi8",
                  before + filled("4x5xi32", "0") +
                      block("%s", "(y, f, c)", "ppr",
                            {{"%x", "4x8xi8", "(y, c)"},
                             {"%w", "5x8xi8", "(f, c)"},
                             {zero, zeroType, read},
                             {"%f", "4x5xi32", "(y, f)"}},
                            "%wa = arith.extsi %a : i8 to i32\n%wb = arith.extsi %b : i8 to i32\n"
                            "%wc = arith.extsi %c : i8 to i32\n%d = arith.subi %wa, %wc : i32\n"
                            "%p = arith.muli %d, %wb : i32\n%v = arith.addi %o, %p : i32\n") +
                      scaled("4x5x"));
  };
  const std::string unknown = "its reduction is unknown to the accelerator";
  refused(text("1xi8", "", "%z", "1xi8", "(0)"), "its zero point is computed at run time");
  refused(text("8xi8", "", "%z", "8xi8", "(c)"), unknown);
  refused(text("8xi8", "%single = tensor.extract_slice %z[2] [1] [1] : tensor<8xi8> to tensor<1xi8>\n",
               "%single", "1xi8", "(0)"),
          unknown);
}

TEST_F(Conditions, DataOfAProductMayBeginAnywhereAndSkipRows) {
  right(OfInputs{"4x8xi8", "5x8xi8", "3x5x", "(y, f, c)", "ppr", "(y + 1, c)", "(f, c)", "(y, f)"}.text());
  right(OfInputs{"7x8xi8", "5x8xi8", "4x5x", "(y, f, c)", "ppr", "(y * 2, c)", "(f, c)", "(y, f)"}.text());
}

TEST_F(Conditions, InputsHaveImagesInTwoDimensions) {
  // Images of both, of one alone, that lie apart, and rows of heads that stand one behind the other.
  right(OfInputs{"2x3x4x8xi8", "2x3x5x8xi8", "2x3x4x5x", "(a, b, y, f, c)", "ppppr", "(a, b, y, c)",
                 "(a, b, f, c)", "(a, b, y, f)"}
            .text());
  right(OfInputs{"2x3x4x8xi8", "3x5x8xi8", "2x3x4x5x", "(a, b, y, f, c)", "ppppr", "(a, b, y, c)",
                 "(b, f, c)", "(a, b, y, f)"}
            .text());
  right(OfInputs{"3x4x8xi8", "2x3x5x8xi8", "2x3x4x5x", "(a, b, y, f, c)", "ppppr", "(b, y, c)",
                 "(a, b, f, c)", "(a, b, y, f)"}
            .text());
  right(OfInputs{"2x4x3x8xi8", "2x5x3x8xi8", "2x3x4x5x", "(a, b, y, f, c)", "ppppr", "(a, y, b, c)",
                 "(a, f, b, c)", "(a, b, y, f)"}
            .text());
  right(OfInputs{"2x3x8xi8", "3x2x8xi8", "2x3x", "(a, b, c)", "ppr", "(a, b, c)", "(b, a, c)", "(a, b)"}
            .text());
  right(OfInputs{"4x8xi8", "8xi8", "4x", "(y, c)", "pr", "(y, c)", "(c)", "(y)"}.text());
  right(OfInputs{"3x2x4x8xi8", "2x5x8xi8", "2x3x2x4x5x", "(a, b, d, y, f, c)", "pppppr", "(b, d, y, c)",
                 "(a, f, c)", "(a, b, d, y, f)"}
            .text());
  refused(OfInputs{"2x3x4x8xi8", "2x5x8xi8", "2x3x2x4x5x", "(a, b, d, y, f, c)", "pppppr", "(d, b, y, c)",
                   "(a, f, c)", "(a, b, d, y, f)"}
              .text(),
          "whose images lie in more than two dimensions");
}

TEST_F(Conditions, InputsOfAProductStandInThemselves) {
  refused(
      OfInputs{"4x8xi8", "5x8xi8", "4x2x5x", "(y, z, f, c)", "pppr", "(y, c)", "(f, c)", "(y, z, f)"}.text(),
      "it repeats the product of two inputs along a dimension");
  refused(
      OfInputs{"4x8xi8", "5x8xi8", "4x5x2x", "(y, f, z, c)", "pppr", "(y, c)", "(f, c)", "(y, f, z)"}.text(),
      "it repeats the product of two inputs along a dimension");
  refused(OfInputs{"4x8xi8", "5x8xi8", "4x5x", "(y, f, c)", "ppr", "(3 - y, c)", "(f, c)", "(y, f)"}.text(),
          "it multiplies two inputs of which one is read backwards");
  refused(OfInputs{"4x8xi8", "5x8xi8", "4x5x", "(y, f, c)", "ppr", "(y, c)", "(4 - f, c)", "(y, f)"}.text(),
          "it multiplies two inputs of which one is read backwards");
  OfInputs padded{"4x8xi8", "5x8xi8", "6x5x", "(y, f, c)", "ppr", "(y, c)", "(f, c)", "(y, f)"};
  padded.data = "%pad", padded.dataType = "6x8xi8", padded.before = pad("4x8xi8", "1, 0", "1, 0", "6x8xi8");
  refused(padded.text(), "it multiplies two inputs of which one is padded");
  OfInputs weights{"4x8xi8", "5x8xi8", "4x7x", "(y, f, c)", "ppr", "(y, c)", "(f, c)", "(y, f)"};
  weights.weights = "%pad", weights.weightsType = "7x8xi8";
  weights.before = pad("5x8xi8", "1, 0", "1, 0", "7x8xi8", "%pad", "%w");
  refused(weights.text(), "it multiplies two inputs of which one is padded");
  refused(OfInputs{"4x8xi8", "5x8xi8", "8x5x", "(y, f, c)", "ppr", "(y, c)", "(f, c)", "(y * 2, f)"}.text(),
          "it does not write its result in the order of pixels and channels");
}

TEST_F(Conditions, ZeroPointsOfInputsBecomeTheirSums) {
  const auto text = [](const std::string &body, const std::string &start = "0") {
    OfInputs changed{"2x4x20xi8", "2x19x20xi8", "2x4x19x",   "(a, y, f, c)",
                     "pppr",      "(a, y, c)",  "(a, f, c)", "(a, y, f)"};
    changed.body = "%n = arith.constant 128 : i32\n%m = arith.constant -7 : i32\n%wa = arith.extsi %a : i8 "
                   "to i32\n%wb = "
                   "arith.extsi %b : i8 to i32\n" +
                   body + "%v = arith.addi %o, %p : i32\n";
    changed.start = start;
    return changed.text();
  };
  right(text("%p = arith.muli %wa, %wb : i32\n", "77"));
  right(text("%q = arith.addi %wa, %n : i32\n%p = arith.muli %q, %wb : i32\n"));
  right(text("%q = arith.addi %wb, %n : i32\n%p = arith.muli %q, %wa : i32\n"));
  right(text("%q = arith.addi %wa, %n : i32\n%r = arith.addi %wb, %m : i32\n%p = arith.muli %q, %r : i32\n",
             "-300"));
  right(text("%q = arith.muli %wa, %wb : i32\n%p = arith.addi %q, %n : i32\n"));
  refused(text("%q = arith.muli %wa, %wb : i32\n%p = arith.addi %q, %q : i32\n"),
          "its reduction is unknown to the accelerator");
  refused(
      text("%q = arith.muli %wa, %wb : i32\n%r = arith.muli %wa, %wa : i32\n%p = arith.addi %q, %r : i32\n"),
      "its reduction is unknown to the accelerator");
}

TEST_F(Conditions, ZeroPointsAndNumbersOfProductsCount) {
  const auto text = [](const std::string &body) {
    Product changed = product();
    changed.body =
        "%n = arith.constant 5 : i32\n%wa = arith.extsi %a : i8 to i32\n%wb = arith.extsi %b : i8 to i32\n" +
        body;
    return changed.text();
  };
  const std::string sum = "%v = arith.addi %o, %p : i32\n";
  right(text("%q = arith.addi %wa, %n : i32\n%p = arith.muli %q, %wb : i32\n" + sum));
  right(text("%q = arith.addi %wb, %n : i32\n%p = arith.muli %q, %wa : i32\n" + sum));
  right(text("%q = arith.muli %wa, %wb : i32\n%p = arith.addi %q, %n : i32\n" + sum));
  refused(
      text("%p = arith.muli %wa, %wb : i32\n%q = arith.addi %p, %p : i32\n%v = arith.addi %o, %q : i32\n"),
      "its reduction is unknown to the accelerator");
  refused(
      text("%p = arith.muli %wa, %wb : i32\n%q = arith.addi %o, %p : i32\n%v = arith.addi %o, %q : i32\n"),
      "its reduction is unknown to the accelerator");
  // Weights from -20 to 20 and so many more: from 108 on data are summed.
  for (const char *number : {"107", "108", "-108", "-109", "100000", "-2147483648"})
    right(text("%m = arith.constant " + std::string(number) +
               " : i32\n%q = arith.addi %wb, %m : i32\n%p = arith.muli %q, %wa : i32\n" + sum));
}

TEST_F(Conditions, WeightsDifferByAByte) {
  const auto text = [](int step, const std::string &number) {
    Product changed = product();
    changed.weightsType = "2x8x4xi16";
    changed.constants = constant("%w", changed.weightsType, step);
    changed.body = "%m = arith.constant " + number +
                   " : i32\n%wa = arith.extsi %a : i8 to i32\n%wb = arith.extsi %b : i16 to i32\n"
                   "%q = arith.addi %wb, %m : i32\n%p = arith.muli %q, %wa : i32\n"
                   "%v = arith.addi %o, %p : i32\n";
    return changed.text();
  };
  right(text(6, "0"));
  right(text(6, "100"));
  right(text(-6, "-100"));
  right(text(7, "0"));
  refused(text(-1638, "1"), "its weights less their zero points, -32759 to 32761, differ by more than 255");
}

} // namespace
} // namespace daedalus::testing
