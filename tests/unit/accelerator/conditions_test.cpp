// Functions and elementwise kernels: each condition under which a kernel is taken, in a kernel that breaks it
// alone. It is refused with the reason for that, or taken in another way and right.

#include "conditions.h"

#include "Kernels/Kernel.h"

namespace daedalus::testing {
namespace {

TEST_F(Conditions, AKernelIsAFunctionOfOneResult) {
  refused("func.func private @kernel(%x: tensor<4xi8>) -> tensor<4xi8>",
          "it is not a kernel function of one result");
  refused("func.func @kernel(%x: tensor<4xi8>) { return }", "it is not a kernel function of one result");
  refused("func.func @kernel(%x: i8) -> i8 { return %x : i8 }",
          "its result is not int8 or int32 of a static shape");
  refused("func.func @kernel(%x: tensor<?xi8>) -> tensor<?xi8> { return %x : tensor<?xi8> }",
          "its result is not int8 or int32 of a static shape");
  refused("func.func @kernel(%x: tensor<4xi16>) -> tensor<4xi16> { return %x : tensor<4xi16> }",
          "its result is not int8 or int32 of a static shape");
  std::string blocks = elementwise("4xi8", "4xi8", "(i)", "(i)", "(i)", negated);
  right(blocks);
  blocks.insert(blocks.rfind('}'), "^bb1:\nreturn %x : tensor<4xi8>\n");
  refused(blocks, "it has several blocks");
  refused("func.func @kernel(%x: tensor<4xi8>) -> tensor<4xi8> { return %x : tensor<4xi8> }",
          "its result is one of its arguments");
  refused("func.func @kernel(%x: tensor<4x2xi8>) -> tensor<8xi8> {\n%r = tensor.collapse_shape %x [[0, 1]] : "
          "tensor<4x2xi8> into tensor<8xi8>\nreturn %r : tensor<8xi8>\n}",
          "it gives its input another shape and computes nothing");
}

TEST_F(Conditions, TensorsAreOfNumbersAndOfAStaticShape) {
  const std::string reason =
      "it has a tensor that is not of numbers and of a static shape of 1 to 2^31 elements";
  const auto with = [](const std::string &argument, const std::string &operation) {
    std::string text = elementwise("4xi8", "4xi8", "(i)", "(i)", "(i)", negated, operation);
    return text.insert(text.find(')'), argument);
  };
  right(with("", ""));
  for (const char *type : {"*xi8", "4xi8, 1", "4xcomplex<f32>", "0xi8", "65536x65536xi8", "?xi8"})
    refused(with(", %y: " + tensorOf(type), ""), reason);
  refused(with("", "%y = tensor.cast %x : tensor<4xi8> to tensor<?xi8>\n"), reason);
}

TEST_F(Conditions, InputsAreArgumentsOfInt8) {
  const std::string clamped =
      "%l = arith.constant 0 : i32\n%h = arith.constant 9 : i32\n%m = arith.maxsi %a, %l : i32\n"
      "%n = arith.minsi %m, %h : i32\n%v = arith.trunci %n : i32 to i8\n";
  refused(elementwise("4x4xi32", "4x4xi8", "(a, b)", "(a, b)", "(a, b)", clamped), "its input is not int8");
  Maximum slice{"6x4xi8", "3x4xi8", "(y, k, c)", "prp", "(y + k, c)", "(y, c)", "%pad", "4x4xi8"};
  slice.before = "%pad = tensor.extract_slice %x[1, 0] [4, 4] [1, 1] : tensor<6x4xi8> to tensor<4x4xi8>\n"
                 "%window = tensor.empty() : tensor<2xi8>\n";
  slice.kinds = "ppr", slice.loops = "(y, c, k)";
  refused(kernel("%x: tensor<6x4xi8>", "3x4xi8",
                 slice.before + filled("3x4xi8", "-128") +
                     block("%r", "(y, c, k)", "ppr",
                           {{"%pad", "4x4xi8", "(y + k, c)"},
                            {"%window", "2xi8", "(k)"},
                            {"%f", "3x4xi8", "(y, c)"}},
                           largest)),
          "it reads a value that is not an argument of the kernel");
}

/// Beside an input, a reduction of what is none.
TEST_F(Conditions, ReductionsReadArguments) {
  refused(
      kernel(
          "%y: tensor<3x4xi8>, %x: tensor<6x4xi8>", "3x4xi8",
          "%part = tensor.extract_slice %x[1, 0] [4, 4] [1, 1] : tensor<6x4xi8> to tensor<4x4xi8>\n"
          "%window = tensor.empty() : tensor<2xi8>\n" +
              filled("3x4xi8", "-128") +
              block(
                  "%m", "(y, c, k)", "ppr",
                  {{"%part", "4x4xi8", "(y + k, c)"}, {"%window", "2xi8", "(k)"}, {"%f", "3x4xi8", "(y, c)"}},
                  largest) +
              empty("%e", "3x4xi8") +
              block("%r", "(y, c)", "pp",
                    {{"%m", "3x4xi8", "(y, c)"}, {"%y", "3x4xi8", "(y, c)"}, {"%e", "3x4xi8", "(y, c)"}},
                    "%v = arith.minsi %a, %b : i8\n")),
      "it reads a value that is not an argument of the kernel");
}

TEST_F(Conditions, WhatIsWrittenDoesNotDependOnNothing) {
  refused(kernel("%x: tensor<4xi8>", "4xi8",
                 "%c = arith.constant 7 : i8\n%e = tensor.empty() : tensor<4xi8>\n"
                 "%r = linalg.fill ins(%c : i8) outs(%e : tensor<4xi8>) -> tensor<4xi8>\n"),
          "its result does not depend on its inputs");
}

TEST_F(Conditions, ElementwiseKernelsReadInsideOfTheirInputs) {
  // Where the place is the same, but behind the end of a row.
  refused(elementwise("8x8xi8", "4x16xi8", "(i, j)", "(i * 2, j)", "(i, j)", negated,
                      pad("8x8xi8", "0, 0", "0, 8", "8x16xi8"), "%pad", "8x16xi8"),
          "its elementwise computation reads other positions than it writes");
  right(elementwise("8x16xi8", "16x8xi8", "(i, j)", "(j, i)", "(i, j)", negated));
}

TEST_F(Conditions, ElementwiseKernelsWriteAllOfTheirResult) {
  refused(elementwise("8x16xi8", "16x16xi8", "(i, j)", "(i, j)", "(i * 2, j)", negated),
          "it does not write all elements of its result once and in their order");
}

TEST_F(Conditions, ConstantsAreOfOneNumberOrOneAChannel) {
  const auto text = [&](const std::string &type, const std::string &value, const std::string &map,
                        const std::string &before = "", const std::string &name = "%k",
                        const std::string &readType = "") {
    const std::string read = readType.empty() ? type : readType, element = elementOf(read);
    const std::string bias = element == "i32"   ? "%bb = arith.addi %b, %zero : i32\n"
                             : element == "i64" ? "%bb = arith.trunci %b : i64 to i32\n"
                                                : "%bb = arith.extsi %b : " + element + " to i32\n";
    return elementwise(
        "16x16xi8", "16x16xi8", "(i, j)", "(i, j)", "(i, j)",
        "%zero = arith.constant 0 : i32\n%mu = arith.constant 2 : i32\n%sh = arith.constant 1 : i8\n"
        "%wa = arith.extsi %a : i8 to i32\n" +
            bias +
            "%v = qnn.requantize %wa, %bb, %mu, %sh {zero_point = 0 : i8, lo = -128 : i8, hi = 127 : i8, "
            "rounding = #qnn.rounding<half_even>} : (i32, i32, i32, i8) -> i8\n",
        "%k = arith.constant " + value + " : " + tensorOf(type) + "\n" + before, "%x", "",
        {{name, read, map}});
  };
  std::string numbers = "dense<[";
  for (int k = 0; k < 16; ++k)
    numbers += (k ? ", " : "") + std::to_string(k * 7 - 50);
  numbers += "]>";
  const std::string each = "it computes with constants of each position's own";
  right(text("16xi32", numbers, "(j)"));
  right(text("16xi32", "dense<9>", "(i)"));
  refused(text("16xi32", numbers, "(i)"), each);
  refused(text("16xi32", numbers, "(15 - j)"), each);
  refused(text("256xi8", "dense<\"0x" + std::string(510, '1') + "02\">", "(i * 16 + j)"),
          "it computes with constants that are not one per channel");
  // As many as channels, the last eight of which lie outside.
  refused(text("2x8xi8", "dense<\"0x" + std::string(30, '1') + "02\">", "(0, j)",
               pad("2x8xi8", "0, 0", "0, 8", "2x16xi8", "%q", "%k"), "%q", "2x16xi8"),
          each);
  refused(text("16xi16", numbers, "(j)"), "its constants are not of 32 bits");
  refused(text("16xi64", numbers, "(j)"), "its constants are not of 32 bits");
}

TEST_F(Conditions, ReductionsAreReadOnceWhereTheyWrite) {
  const auto maximum = [](const std::string &name, const std::string &type, const std::string &out) {
    return "%st" + name + " = arith.constant -128 : i8\n" + empty("%e" + name, out) + "%f" + name +
           " = linalg.fill ins(%st" + name + " : i8) outs(%e" + name + " : " + tensorOf(out) + ") -> " +
           tensorOf(out) + "\n%window" + name + " = tensor.empty() : tensor<2xi8>\n" +
           block("%" + name, "(n, y, c, k)", "pppr",
                 {{"%x", type, "(n, y + k, c)"},
                  {"%window" + name, "2xi8", "(k)"},
                  {"%f" + name, out, "(n, y, c)"}},
                 largest);
  };
  const auto text = [&](const std::string &before, const std::string &type, const std::vector<Operand> &reads,
                        const std::string &body) {
    std::vector<Operand> operands = reads;
    operands.push_back({"%e", type, "(i, j)"});
    return kernel("%x: tensor<2x5x16xi8>, %y: tensor<4x16xi8>", type,
                  before + empty("%e", type) + block("%r", "(i, j)", "pp", operands, body));
  };
  const std::string m = maximum("m", "2x5x16xi8", "2x4x16xi8");
  // One plane of two: the first, then the second.
  for (const char *plane : {"(0, i, j)", "(1, i, j)"})
    refused(text(m, "4x16xi8", {{"%m", "2x4x16xi8", plane}}, negated),
            "it reads the result of its reduction elsewhere than it writes");
  const std::string joined =
      "%j = tensor.collapse_shape %m [[0, 1], [2]] : tensor<2x4x16xi8> into tensor<8x16xi8>\n";
  const std::string two = "%v = arith.maxsi %a, %b : i8\n";
  refused(text(m + maximum("n", "2x5x16xi8", "2x4x16xi8") + joined +
                   "%l = tensor.collapse_shape %n [[0, 1], [2]] : tensor<2x4x16xi8> into tensor<8x16xi8>\n",
               "8x16xi8", {{"%j", "8x16xi8", "(i, j)"}, {"%l", "8x16xi8", "(i, j)"}}, two),
          "it has several reductions");
  // What it reads beside its reduction lies where it writes, and may come first.
  refused(text(m + joined, "8x16xi8", {{"%j", "8x16xi8", "(i, j)"}, {"%y", "4x16xi8", "(0, j)"}}, two),
          "its elementwise computation reads other positions than it writes");
  const std::string first = kernel(
      "%y: tensor<8x16xi8>, %x: tensor<2x5x16xi8>", "8x16xi8",
      m + joined + empty("%e", "8x16xi8") +
          block("%r", "(i, j)", "pp",
                {{"%y", "8x16xi8", "(i, j)"}, {"%j", "8x16xi8", "(i, j)"}, {"%e", "8x16xi8", "(i, j)"}},
                two));
  right(first);
  refused(
      kernel("%x: tensor<2x5x16xi8>", "2x4x3x16xi8",
             m + empty("%e", "2x4x3x16xi8") +
                 block("%r", "(n, y, k, c)", "pppp",
                       {{"%m", "2x4x16xi8", "(n, y, c)"}, {"%e", "2x4x3x16xi8", "(n, y, k, c)"}}, copied)),
      "it reads the result of its reduction elsewhere than it writes");
}

TEST_F(Conditions, InputsThatLieAsTheResultDoesHaveNoLayout) {
  const std::string text = kernel(
      "%x: tensor<16x16xi8>, %y: tensor<16x16xi8>", "16x16xi8",
      empty("%e", "16x16xi8") +
          block("%r", "(i, j)", "pp",
                {{"%x", "16x16xi8", "(i, j)"}, {"%y", "16x16xi8", "(j, i)"}, {"%e", "16x16xi8", "(i, j)"}},
                "%v = arith.maxsi %a, %b : i8\n"));
  right(text);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &runner.context);
  const auto read = accelerator::readKernel(*module->getOps<mlir::func::FuncOp>().begin(), 16);
  ASSERT_TRUE(bool(read)) << read.error();
  EXPECT_FALSE(read->layouts[0].has_value());
  EXPECT_TRUE(read->layouts[1].has_value());
}

} // namespace
} // namespace daedalus::testing
