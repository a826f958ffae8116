// Each condition under which a kernel is taken, in a kernel that breaks it alone: it is refused with the
// reason for that, or taken in another way and right.

#include "recognition.h"

#include "Kernel.h"

#include <gmock/gmock.h>

namespace daedalus::testing {
namespace {

using ::testing::HasSubstr;

std::string tensorOf(const std::string &type) {
  return "tensor<" + type + ">";
}

std::string elementOf(const std::string &type) {
  return type.substr(type.rfind('x') + 1);
}

/// A dense constant of bytes from -20 to 20.
std::string constant(const std::string &name, const std::string &type) {
  size_t count = 1;
  for (llvm::StringRef rest = type; rest.contains('x'); rest = rest.split('x').second)
    count *= std::stoul(rest.split('x').first.str());
  std::string text = name + " = arith.constant dense<\"0x";
  for (size_t k = 0; k < count; ++k) {
    const uint8_t value = static_cast<uint8_t>(int(k * 17 % 41) - 20);
    text += "0123456789ABCDEF"[value / 16];
    text += "0123456789ABCDEF"[value % 16];
  }
  return text + "\"> : " + tensorOf(type) + "\n";
}

std::string empty(const std::string &name, const std::string &type) {
  return name + " = tensor.empty() : " + tensorOf(type) + "\n";
}

/// %f of `value` everywhere.
std::string filled(const std::string &type, const std::string &value) {
  return empty("%fe", type) + "%fv = arith.constant " + value + " : " + elementOf(type) +
         "\n%f = linalg.fill ins(%fv : " + elementOf(type) + ") outs(%fe : " + tensorOf(type) + ") -> " +
         tensorOf(type) + "\n";
}

/// An operand of a block.
struct Operand {
  std::string name, type, map;
};

/// A block of %a, %b, ... and, of the last operand, %o: `body` computes %v. `kinds` are p and r.
std::string block(const std::string &name, const std::string &loops, const std::string &kinds,
                  const std::vector<Operand> &operands, const std::string &body) {
  std::string maps, iterators, inputs, types, arguments;
  for (const Operand &operand : operands)
    maps += (maps.empty() ? "" : ", ") + ("affine_map<" + loops + " -> " + operand.map + ">");
  for (char kind : kinds)
    iterators +=
        (iterators.empty() ? "" : ", ") + std::string(kind == 'p' ? "\"parallel\"" : "\"reduction\"");
  for (size_t k = 0; k + 1 < operands.size(); ++k) {
    inputs += (k ? ", " : "") + operands[k].name;
    types += (k ? ", " : "") + tensorOf(operands[k].type);
    arguments += std::string("%") + char('a' + k) + ": " + elementOf(operands[k].type) + ", ";
  }
  const Operand &out = operands.back();
  return name + " = linalg.generic {indexing_maps = [" + maps + "], iterator_types = [" + iterators + "]}" +
         (inputs.empty() ? "" : " ins(" + inputs + " : " + types + ")") + " outs(" + out.name + " : " +
         tensorOf(out.type) + ") {\n^bb0(" + arguments + "%o: " + elementOf(out.type) + "):\n" + body +
         "linalg.yield %v : " + elementOf(out.type) + "\n} -> " + tensorOf(out.type) + "\n";
}

std::string kernel(const std::string &arguments, const std::string &type, const std::string &body) {
  return "func.func private @kernel(" + arguments + ") -> " + tensorOf(type) + " {\n" + body +
         "return %r : " + tensorOf(type) + "\n}\n";
}

/// "(a, b, c)" of the first letters, as many as a type has dimensions.
std::string pointOf(const std::string &type) {
  std::string text = "(";
  for (long k = 0; k < std::count(type.begin(), type.end(), 'x'); ++k)
    text += std::string(k ? ", " : "") + char('a' + k);
  return text + ")";
}

/// %r: a 32nd of %s, of `shape`, such as "4x4x".
std::string scaled(const std::string &shape) {
  const std::string point = pointOf(shape);
  return empty("%re", shape + "i8") +
         block(
             "%r", point, std::string(std::count(shape.begin(), shape.end(), 'x'), 'p'),
             {{"%s", shape + "i32", point}, {"%re", shape + "i8", point}},
             "%zero = arith.constant 0 : i32\n%one = arith.constant 1 : i32\n%five = arith.constant 5 : i8\n"
             "%v = qnn.requantize %a, %zero, %one, %five {zero_point = 0 : i8, lo = -128 : i8, hi = 127 : "
             "i8, "
             "rounding = #qnn.rounding<half_even>} : (i32, i32, i32, i8) -> i8\n");
}

std::string pad(const std::string &type, const std::string &low, const std::string &high,
                const std::string &to, const std::string &name = "%pad", const std::string &of = "%x") {
  std::string indices;
  for (long k = 0; k < std::count(type.begin(), type.end(), 'x'); ++k)
    indices += std::string(k ? ", " : "") + "%i" + std::to_string(k) + ": index";
  return name + "v = arith.constant 3 : i8\n" + name + " = tensor.pad " + of + " low[" + low + "] high[" +
         high + "] {\n^bb0(" + indices + "):\ntensor.yield " + name + "v : i8\n} : " + tensorOf(type) +
         " to " + tensorOf(to) + "\n";
}

const std::string multiplied = "%wa = arith.extsi %a : i8 to i32\n%wb = arith.extsi %b : i8 to i32\n"
                               "%p = arith.muli %wa, %wb : i32\n%v = arith.addi %o, %p : i32\n";

/// A 32nd of sums of products of %x, or of `data`, with constants.
struct Product {
  std::string x, weights, shape; ///< types, and that of the result such as "4x4x"
  std::string loops, kinds, read, readWeights, written;
  std::string data = "%x", dataType = x, before = "";
  std::string body = multiplied, start = "0";
  std::string constants = constant("%w", weights), weightsName = "%w", weightsType = weights;

  std::string text() const {
    return kernel("%x: " + tensorOf(x), shape + "i8",
                  constants + before + filled(shape + "i32", start) +
                      block("%s", loops, kinds,
                            {{data, dataType, read},
                             {weightsName, weightsType, readWeights},
                             {"%f", shape + "i32", written}},
                            body) +
                      scaled(shape));
  }
};

const std::string largest = "%v = arith.maxsi %a, %o : i8\n";

/// The maxima of elements of %x, or of `data`.
struct Maximum {
  std::string x, type; ///< types, of the result too
  std::string loops, kinds, read, written;
  std::string data = "%x", dataType = x, before = "", start = "-128", body = largest;

  std::string text() const {
    return kernel("%x: " + tensorOf(x), type,
                  before + filled(type, start) +
                      block("%r", loops, kinds, {{data, dataType, read}, {"%f", type, written}}, body));
  }
};

/// An elementwise kernel of %x, or of `data`, and perhaps a constant %k; the body computes %v.
std::string elementwise(const std::string &x, const std::string &type, const std::string &loops,
                        const std::string &read, const std::string &written, const std::string &body,
                        const std::string &before = "", const std::string &data = "%x",
                        const std::string &dataType = "", const std::vector<Operand> &more = {}) {
  std::vector<Operand> operands = {{data, dataType.empty() ? x : dataType, read}};
  operands.insert(operands.end(), more.begin(), more.end());
  operands.push_back({"%e", type, written});
  return kernel("%x: " + tensorOf(x), type,
                before + empty("%e", type) +
                    block("%r", loops, std::string(std::count(loops.begin(), loops.end(), ',') + 1, 'p'),
                          operands, body));
}

const std::string negated = "%z = arith.constant 7 : i8\n%v = arith.minsi %a, %z : i8\n";
const std::string copied = "%z = arith.constant 0 : i8\n%v = arith.addi %a, %z : i8\n";
const std::string doubled = "%v = arith.addi %a, %a : i8\n";

class Conditions : public RecognitionTest {
protected:
  void refused(const std::string &text, const std::string &reason) {
    EXPECT_THAT(reasonFor(text), HasSubstr(reason)) << text;
  }
  /// In dimensions that are too many to be taken, or taken and right.
  void refusedOrRight(const std::string &text) {
    const std::string reason = reasonFor(text);
    if (reason.empty())
      return compare(text, text);
    EXPECT_EQ(reason, "its inputs lie in more than four dimensions that are not one behind the other")
        << text;
  }
  void right(const std::string &text) {
    ASSERT_EQ(reasonFor(text), "") << text;
    compare(text, text);
  }
};

TEST_F(Conditions, AKernelIsAFunctionOfOneResult) {
  refused("func.func private @kernel(%x: tensor<4xi8>) -> tensor<4xi8>",
          "it is no kernel function of one result");
  refused("func.func @kernel(%x: tensor<4xi8>) { return }", "it is no kernel function of one result");
  refused("func.func @kernel(%x: i8) -> i8 { return %x : i8 }",
          "its result is not int8 or int32 of a static shape");
  refused("func.func @kernel(%x: tensor<?xi8>) -> tensor<?xi8> { return %x : tensor<?xi8> }",
          "its result is not int8 or int32 of a static shape");
  refused("func.func @kernel(%x: tensor<4xi16>) -> tensor<4xi16> { return %x : tensor<4xi16> }",
          "its result is not int8 or int32 of a static shape");
  refused("func.func @kernel(%x: tensor<4xi8>) -> tensor<4xi8> { return %x : tensor<4xi8>\n^bb1:\n"
          "return %x : tensor<4xi8> }",
          "it has several blocks");
  refused("func.func @kernel(%x: tensor<4xi8>) -> tensor<4xi8> { return %x : tensor<4xi8> }",
          "its result is one of its arguments");
}

TEST_F(Conditions, TensorsAreOfNumbersAndOfAStaticShape) {
  const std::string reason =
      "it has a tensor that is not of numbers and of a static shape of 1 to 2^31 elements";
  for (const char *type : {"tensor<*xi8>", "tensor<4xi8, 1>", "tensor<4xcomplex<f32>>", "tensor<0xi8>",
                           "tensor<65536x65536xi8>", "tensor<?xi8>"}) {
    refused("func.func @kernel(%x: tensor<4xi8>, %y: " + std::string(type) +
                ") -> tensor<4xi8> {\nreturn %x : tensor<4xi8> }",
            reason);
  }
  refused("func.func @kernel(%x: tensor<4xi8>) -> tensor<4xi8> {\n%y = tensor.cast %x : tensor<4xi8> to "
          "tensor<?xi8>\n"
          "return %x : tensor<4xi8> }",
          reason);
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
          "it reads a value that is no argument of the kernel");
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
          "it computes with constants that are not one a channel");
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

/// %r: %x, or `data`, at `read`, written as `loops` and joined to `type` by `groups`.
std::string moved(const std::string &x, const std::string &loops, const std::string &read,
                  const std::string &wide, const std::string &groups, const std::string &type,
                  const std::string &body = copied, const std::string &before = "",
                  const std::string &data = "%x", const std::string &dataType = "") {
  return kernel("%x: " + tensorOf(x), type,
                before + empty("%e", wide) +
                    block("%m", loops, std::string(std::count(loops.begin(), loops.end(), ',') + 1, 'p'),
                          {{data, dataType.empty() ? x : dataType, read}, {"%e", wide, loops}}, body) +
                    "%r = tensor.collapse_shape %m " + groups + " : " + tensorOf(wide) + " into " +
                    tensorOf(type) + "\n");
}

TEST_F(Conditions, RepetitionsAreOfWholeRowsAndColumns) {
  const std::string loops = "(b, h, r, w, s, c)", groups = "[[0], [1, 2], [3, 4], [5]]";
  right(moved("1x4x4x16xi8", loops, "(b, h, w, c)", "1x4x2x4x2x16xi8", groups, "1x8x8x16xi8"));
  right(moved("1x4x1x16xi8", loops, "(b, h, w, c)", "1x4x2x1x2x16xi8", groups, "1x8x2x16xi8"));
  right(moved("1x1x4x16xi8", loops, "(b, h, w, c)", "1x1x2x4x2x16xi8", groups, "1x2x8x16xi8"));
  // Something is computed, or the repetitions are others.
  refusedOrRight(
      moved("1x4x4x16xi8", loops, "(b, h, w, c)", "1x4x2x4x2x16xi8", groups, "1x8x8x16xi8", doubled));
  refusedOrRight(moved("4x4x16xi8", "(h, r, w, s, c)", "(h, w, c)", "4x2x4x2x16xi8", "[[0, 1], [2, 3], [4]]",
                       "8x8x16xi8"));
  refusedOrRight(moved("2x1x4x4x16xi8", "(n, b, h, r, w, c)", "(n, b, h, w, c)", "2x1x4x2x4x16xi8",
                       "[[0], [1], [2, 3], [4], [5]]", "2x1x8x4x16xi8"));
  refusedOrRight(moved("1x4x4x16xi8", "(b, h, r, w, c, s)", "(b, h, w, c)", "1x4x2x4x16x2xi8",
                       "[[0], [1, 2], [3], [4, 5]]", "1x8x4x32xi8"));
  refusedOrRight(moved("1x4x4x16xi8", "(b, r, h, w, s, c)", "(b, h, w, c)", "1x2x4x4x2x16xi8",
                       "[[0], [1, 2], [3, 4], [5]]", "1x8x8x16xi8"));
  // A part of the columns, the same row twice, or what lies outside.
  refusedOrRight(moved("1x4x5x16xi8", loops, "(b, h, w + 1, c)", "1x4x2x4x2x16xi8", groups, "1x8x8x16xi8"));
  refusedOrRight(moved("1x4x5x16xi8", loops, "(b, h, w + b, c)", "1x4x2x4x2x16xi8", groups, "1x8x8x16xi8"));
  refusedOrRight(moved("1x4x4x16xi8", loops, "(b, h, w, c)", "1x4x2x5x2x16xi8", groups, "1x8x10x16xi8",
                       copied, pad("1x4x4x16xi8", "0, 0, 0, 0", "0, 0, 1, 0", "1x4x5x16xi8"), "%pad",
                       "1x4x5x16xi8"));
  refusedOrRight(moved("1x4x4x16xi8", loops, "(b, h, w + 1, c)", "1x4x2x4x2x16xi8", groups, "1x8x8x16xi8",
                       copied, pad("1x4x4x16xi8", "0, 0, 0, 0", "0, 0, 1, 0", "1x4x5x16xi8"), "%pad",
                       "1x4x5x16xi8"));
  refusedOrRight(moved("1x4x4x16xi8", loops, "(b, h, h, c)", "1x4x2x4x2x16xi8", groups, "1x8x8x16xi8"));
}

/// Parts of 16 channels each in 32 of them.
std::string parts(const std::string &first, const std::string &second, const std::string &before = "",
                  const std::string &x = "%x", const std::string &xType = "2x4x16xi8",
                  const std::string &type = "2x4x32xi8") {
  return kernel("%x: " + tensorOf(xType) + ", %y: tensor<2x4x16xi8>, %e: " + tensorOf(type), type,
                before + "%q = tensor.insert_slice " + x + " into %e" + first + " : " + tensorOf(xType) +
                    " into " + tensorOf(type) + "\n%r = tensor.insert_slice %y into %q" + second +
                    " : tensor<2x4x16xi8> into " + tensorOf(type) + "\n");
}

TEST_F(Conditions, PartsLieSideBySide) {
  const std::string first = "[0, 0, 0] [2, 4, 16] [1, 1, 1]", second = "[0, 0, 16] [2, 4, 16] [1, 1, 1]";
  const std::string reason = "puts its inputs side by side along another dimension than channels";
  EXPECT_EQ(reasonFor(parts(first, second)), "");
  refused(parts("[0, 0, 0] [2, 4, 16] [1, 1, 2]", second), reason);
  refused(parts("[0, 1, 0] [2, 3, 16] [1, 1, 1]", second, "", "%x", "2x3x16xi8"), reason);
  refused(parts("[0, 0, 0] [2, 3, 16] [1, 1, 1]", second, "", "%x", "2x3x16xi8"), reason);
  refused(kernel("%x: tensor<i8>, %e: tensor<i8>", "i8",
                 "%r = tensor.insert_slice %x into %e[] [] [] : tensor<i8> into tensor<i8>\n"),
          reason);
  refused(parts(first, "[0, 0, 15] [2, 4, 16] [1, 1, 1]"), reason);
  refused(
      kernel("%x: tensor<2x4x16xi8>, %e: tensor<2x4x32xi8>", "2x4x32xi8",
             "%r = tensor.insert_slice %x into %e" + first + " : tensor<2x4x16xi8> into tensor<2x4x32xi8>\n"),
      "its slices do not fill its result");
  refused(
      kernel(
          "%x: tensor<2x4xi32>, %e: tensor<2x4xi32>", "2x4xi32",
          "%r = tensor.insert_slice %x into %e[0, 0] [2, 4] [1, 1] : tensor<2x4xi32> into tensor<2x4xi32>\n"),
      "its input is not int8");
  // Before it lies there, something is done to a part.
  const std::string computed = "it computes something of the inputs that it puts side by side";
  const auto copy = [&](const std::string &read, const std::string &written, const std::string &body) {
    return parts(first, second,
                 empty("%t", "2x4x16xi8") + block("%c", "(a, b, c)", "ppp",
                                                  {{"%x", "2x4x16xi8", read}, {"%t", "2x4x16xi8", written}},
                                                  body),
                 "%c");
  };
  EXPECT_EQ(reasonFor(copy("(a, b, c)", "(a, b, c)", copied)), "");
  refused(copy("(a, b, c)", "(a, b, c)", doubled), computed);
  refused(copy("(a, b, 15 - c)", "(a, b, c)", copied), computed);
  refused(parts(first, second,
                empty("%t", "2x4x16xi8") + "%h = tensor.empty() : tensor<2x4x8xi8>\n" +
                    block("%c", "(a, b, c)", "ppp",
                          {{"%x", "2x4x16xi8", "(a, b, c * 2)"},
                           {"%h", "2x4x8xi8", "(a, b, c)"},
                           {"%t", "2x4x16xi8", "(a, b, c * 2)"}},
                          copied),
                "%c"),
          computed);
}

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
  Product part = {"4x8xi8", "7x4xi8", "4x4x", "(y, f, c)", "ppr", "(y, c)", "(c, f)", "(y, f)"};
  part.before = "";
  refused(Product{"4x8xi8", "7x4xi8", "4x4x", "(y, f, c)", "ppr", "(y, c + 1)", "(c, f)", "(y, f)"}.text(),
          unknown);
  // Groups that overlap.
  Product groups = {"2x16xi8", "4x4xi8", "2x4x", "(y, g, c)", "ppr", "(y, g + c)", "(g, c)", "(y, g)"};
  refused(groups.text(), unknown);
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
  std::string why;
  const auto kernel = accelerator::readKernel(*module->getOps<mlir::func::FuncOp>().begin(), why);
  ASSERT_TRUE(kernel.has_value()) << why;
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
  const std::string unknown = "its reduction is none that the accelerator knows";
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
  refused(
      kernel("%x: tensor<4x8xi8>, %w: tensor<8x4xi8>", "4x4xi8",
             filled("4x4xi32", "0") +
                 block("%s", "(y, f, c)", "ppr",
                       {{"%x", "4x8xi8", "(y, c)"}, {"%w", "8x4xi8", "(c, f)"}, {"%f", "4x4xi32", "(y, f)"}},
                       multiplied) +
                 scaled("4x4x")),
      "it multiplies two inputs, and weights have to be constants");
  Product rows = {"4x8xi8", "4x8x4xi8", "4x4x", "(y, f, c)", "ppr", "(y, c)", "(y, c, f)", "(y, f)"};
  right(rows.text());
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
      "its reduction is none that the accelerator knows");
  // Weights from -20 to 20 and 108 more, or less.
  for (const char *number : {"108", "-109"})
    refused(text("%m = arith.constant " + std::string(number) +
                 " : i32\n%q = arith.addi %wb, %m : i32\n%p = arith.muli %q, %wa : i32\n" + sum),
            "its weights less their zero points do not fit 8 bits: quantize them symmetrically");
  right(text("%m = arith.constant 107 : i32\n%q = arith.addi %wb, %m : i32\n%p = arith.muli %q, %wa : i32\n" +
             sum));
}

} // namespace
} // namespace daedalus::testing
