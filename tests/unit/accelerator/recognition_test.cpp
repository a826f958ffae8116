// What is taken for a kernel that the accelerator knows is one: each form is taken, and when one operation,
// constant, map, type or iterator of it changes, it is refused, or the result is still that of a plain
// interpreter. Named operations stand in their generic form, in which a body can say anything.

#include "recognition.h"

#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

namespace daedalus::testing {
namespace {

/// The one occurrence of a text, and what takes its place.
struct Change {
  std::string from, to;
};

struct Form {
  std::string name, text;
  std::vector<Change> changes;
};

/// A dense constant of bytes of all kinds.
std::string bytes(size_t count) {
  std::mt19937 random(11);
  std::string text = "dense<\"0x";
  for (size_t k = 0; k < 2 * count; ++k)
    text += "0123456789ABCDEF"[random() % 16];
  return text + "\">";
}

/// The same from -100 to 100.
std::string smallBytes(size_t count) {
  std::string text = "dense<[";
  for (size_t k = 0; k < count; ++k)
    text += (k % 16 ? ", " : k ? "], [" : "[") + std::to_string(int(k * 37 % 201) - 100);
  return text + "]]>";
}

/// Requantization of %acc, of 1x4x4x16 elements of `type`; the end of a kernel.
std::string requantized(const std::string &acc, const std::string &type);
std::string requantized(const std::string &type = "i32") {
  return requantized("%acc", type);
}

std::string requantized(const std::string &acc, const std::string &type) {
  const std::string wide = type == "i32" ? "" : "%wide = arith.extsi %v : " + type + " to i32\n";
  return R"(
  %bias = arith.constant dense<[5, -6, 7, 8, 90, -10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 200]> : tensor<16xi32>
  %multiplier = arith.constant dense<[1073741824, 1173741824, 1273741824, 1373741824, 1473741824, 1573741824,
      1673741824, 1773741824, 1873741824, 1973741824, 2073741824, 2147483647, 1, 1234567890, 1987654321, 0]> : tensor<16xi32>
  %shift = arith.constant dense<[36, 37, 35, 36, 34, 38, 36, 36, 37, 37, 38, 36, 62, 36, 36, 1]> : tensor<16xi8>
  %qe = tensor.empty() : tensor<1x4x4x16xi8>
  %q = linalg.generic {indexing_maps = [affine_map<(n, y, x, k) -> (n, y, x, k)>, affine_map<(n, y, x, k) -> (k)>,
        affine_map<(n, y, x, k) -> (k)>, affine_map<(n, y, x, k) -> (k)>, affine_map<(n, y, x, k) -> (n, y, x, k)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins()" +
         acc + R"(, %bias, %multiplier, %shift : tensor<1x4x4x16x)" + type +
         R"(>, tensor<16xi32>, tensor<16xi32>, tensor<16xi8>) outs(%qe : tensor<1x4x4x16xi8>) {
  ^bb0(%v: )" +
         type + R"(, %ba: i32, %mu: i32, %sh: i8, %old: i8):
    )" + wide +
         "%r = qnn.requantize " + (wide.empty() ? "%v" : "%wide") + R"(, %ba, %mu, %sh
      {zero_point = 3 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_even>} : (i32, i32, i32, i8) -> i8
    linalg.yield %r : i8
  } -> tensor<1x4x4x16xi8>
  return %q : tensor<1x4x4x16xi8>
}
func.func private @told()
)";
}

/// %f: 1x4x4x16 elements, or others, of one value.
std::string filled(const std::string &type = "i32", const std::string &value = "0",
                   const std::string &shape = "1x4x4x16") {
  const std::string tensor = "tensor<" + shape + "x" + type + ">";
  return "%start = arith.constant " + value + " : " + type + "\n%e = tensor.empty() : " + tensor +
         "\n%f = \"linalg.fill\"(%start, %e) <{operandSegmentSizes = array<i32: 1, 1>}> ({\n"
         "^bb0(%fi: " +
         type + ", %fo: " + type + "):\n  linalg.yield %fi : " + type + "\n}) : (" + type + ", " + tensor +
         ") -> " + tensor + "\n";
}

const std::string product = R"(
    ^bb0(%a: i8, %b: i8, %o: i32):
      %wa = arith.extsi %a : i8 to i32
      %wb = arith.extsi %b : i8 to i32
      %p = arith.muli %wa, %wb : i32
      %s = arith.addi %o, %p : i32
      linalg.yield %s : i32
)";

const std::vector<Change> ofProduct = {{"%wa = arith.extsi %a", "%wa = arith.extui %a"},
                                       {"%wb = arith.extsi %b", "%wb = arith.extui %b"},
                                       {"%p = arith.muli %wa, %wb", "%p = arith.subi %wa, %wb"},
                                       {"%p = arith.muli %wa, %wb", "%p = arith.muli %wa, %wa"},
                                       {"%s = arith.addi %o, %p", "%s = arith.maxsi %o, %p"},
                                       {"%s = arith.addi %o, %p", "%s = arith.addi %p, %p"},
                                       {"linalg.yield %s : i32", "linalg.yield %p : i32"}};

const std::vector<Change> ofRequant = {
    {"dense<[1073741824", "dense<[-1"},
    {"dense<[36", "dense<[0"},
    {"dense<[36", "dense<[63"},
    {"%ba, %mu, %sh\n", "%mu, %ba, %sh\n"},
    {"linalg.yield %r : i8", "linalg.yield %old : i8"},
    {"affine_map<(n, y, x, k) -> (k)>, affine_map<(n, y, x, k) -> (n",
     "affine_map<(n, y, x, k) -> (15 - k)>, affine_map<(n, y, x, k) -> (n"},
    {"-> (n, y, x, k)>],", "-> (n, x, y, k)>],"},
    {"[affine_map<(n, y, x, k) -> (n, y, x, k)>", "[affine_map<(n, y, x, k) -> (n, x, y, k)>"},
    {"\"parallel\", \"parallel\"]}\n      ins(%acc, %bias",
     "\"parallel\", \"reduction\"]}\n      ins(%acc, %bias"}};

const std::vector<Change> ofFill = {{"linalg.yield %fi", "linalg.yield %fo"},
                                    {"%start = arith.constant ", "%start = arith.constant 1"}};

const std::vector<Change> ofEffects = {
    {"%qe = tensor.empty()", "func.call @told() : () -> ()\n%qe = tensor.empty()"}};

std::string conv() {
  return R"(func.func private @conv(%x: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {
  %zp = arith.constant 3 : i8
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zp : i8
  } : tensor<1x4x4x16xi8> to tensor<1x6x6x16xi8>
  %w = arith.constant )" +
         bytes(2304) + R"( : tensor<16x3x3x16xi8>
  )" + filled() +
         R"(
  %acc = "linalg.conv_2d_nhwc_fhwc"(%padded, %w, %f) <{dilations = dense<1> : tensor<2xi64>,
      operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({)" +
         product +
         R"(  }) {some.attribute} : (tensor<1x6x6x16xi8>, tensor<16x3x3x16xi8>, tensor<1x4x4x16xi32>) -> tensor<1x4x4x16xi32>)" +
         requantized();
}

std::string groupedConv() {
  return R"(func.func private @grouped(%x: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {
  %w = arith.constant )" +
         bytes(32) + R"( : tensor<8x2x1x1x2xi8>
  %g = tensor.expand_shape %x [[0], [1], [2], [3, 4]] output_shape [1, 4, 4, 8, 2] : tensor<1x4x4x16xi8> into tensor<1x4x4x8x2xi8>
  )" + filled("i32", "0", "1x4x4x8x2") +
         R"(
  %sum = linalg.generic {indexing_maps = [
        affine_map<(n, y, x, g, f, i, j, k) -> (n, y + i, x + j, g, k)>,
        affine_map<(n, y, x, g, f, i, j, k) -> (g, f, i, j, k)>,
        affine_map<(n, y, x, g, f, i, j, k) -> (n, y, x, g, f)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%g, %w : tensor<1x4x4x8x2xi8>, tensor<8x2x1x1x2xi8>) outs(%f : tensor<1x4x4x8x2xi32>) {)" +
         product + R"(
  } -> tensor<1x4x4x8x2xi32>
  %acc = tensor.collapse_shape %sum [[0], [1], [2], [3, 4]] : tensor<1x4x4x8x2xi32> into tensor<1x4x4x16xi32>)" +
         requantized();
}

std::string pool(const std::string &name, const std::string &start, const std::string &body) {
  return "func.func private @pool(%x: tensor<1x5x5x16xi8>) -> tensor<1x4x4x16xi8> {\n" +
         filled("i32", start) + "%k = tensor.empty() : tensor<2x2xi8>\n%acc = \"linalg.pooling_nhwc_" + name +
         R"("(%x, %k, %f) <{dilations = dense<1> : tensor<2xi64>,
      operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%a: i8, %b: i8, %o: i32):
      %wa = arith.extsi %a : i8 to i32
      %s = )" +
         body + R"( %o, %wa : i32
      linalg.yield %s : i32
  }) : (tensor<1x5x5x16xi8>, tensor<2x2xi8>, tensor<1x4x4x16xi32>) -> tensor<1x4x4x16xi32>)" +
         requantized();
}

/// Two dimensions instead of four in the requantization that ends a kernel.
std::string ofTwoDimensions(std::string text) {
  for (auto [from, to] :
       {std::pair<std::string, std::string>{"1x4x4x16x", "16x16x"},
        {"(n, y, x, k)", "(y, k)"},
        {"\"parallel\", \"parallel\", \"parallel\", \"parallel\"", "\"parallel\", \"parallel\""}})
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  return text;
}

std::string matmul() {
  return R"(func.func private @matmul(%x: tensor<16x16xi8>) -> tensor<16x16xi8> {
  %w = arith.constant )" +
         bytes(256) + R"( : tensor<16x16xi8>
  )" + filled("i32", "0", "16x16") +
         R"(
  %acc = "linalg.matmul_transpose_b"(%x, %w, %f) <{cast = #linalg.type_fn<cast_signed>, operandSegmentSizes = array<i32: 2, 1>}> ({)" +
         product +
         R"(  }) {some.attribute} : (tensor<16x16xi8>, tensor<16x16xi8>, tensor<16x16xi32>) -> tensor<16x16xi32>)" +
         ofTwoDimensions(requantized());
}

/// An elementwise generic of %x and %y, whose body yields %s, and its requantization.
std::string elementwise(const std::string &body) {
  return R"(func.func private @pair(%x: tensor<1x4x4x16xi8>, %y: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {
  %c7 = arith.constant 7 : i32
  %c9 = arith.constant 9 : i32
  %e = tensor.empty() : tensor<1x4x4x16xi32>
  %acc = linalg.generic {indexing_maps = [affine_map<(p, q, r, s) -> (p, q, r, s)>, affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(e, f, g, h) -> (e, f, g, h)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %y : tensor<1x4x4x16xi8>, tensor<1x4x4x16xi8>) outs(%e : tensor<1x4x4x16xi32>) {
    ^bb0(%a: i8, %b: i8, %o: i32):
      %wa = arith.extsi %a : i8 to i32
      %wb = arith.extsi %b : i8 to i32
)" + body +
         R"(
      linalg.yield %s : i32
  } -> tensor<1x4x4x16xi32>)" +
         requantized();
}

/// A sum of a scaled and a shifted input in several operations, int32 in between.
std::string chain() {
  return R"(#same = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func private @chain(%x: tensor<1x4x4x16xi8>, %y: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {
  %c5 = arith.constant 5 : i32
  %c3 = arith.constant 3 : i32
  %e = tensor.empty() : tensor<1x4x4x16xi32>
  %one = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x4x4x16xi8>) outs(%e : tensor<1x4x4x16xi32>) {
    ^bb0(%a: i8, %o: i32):
      %wa = arith.extsi %a : i8 to i32
      %s = arith.shli %wa, %c5 : i32
      linalg.yield %s : i32
  } -> tensor<1x4x4x16xi32>
  %two = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y : tensor<1x4x4x16xi8>) outs(%e : tensor<1x4x4x16xi32>) {
    ^bb0(%a: i8, %o: i32):
      %wa = arith.extsi %a : i8 to i32
      %s = arith.subi %c3, %wa : i32
      linalg.yield %s : i32
  } -> tensor<1x4x4x16xi32>
  %acc = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%one, %two : tensor<1x4x4x16xi32>, tensor<1x4x4x16xi32>) outs(%e : tensor<1x4x4x16xi32>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %s = arith.subi %a, %b : i32
      linalg.yield %s : i32
  } -> tensor<1x4x4x16xi32>)" +
         requantized();
}

/// (x - 7) (w + 3), summed from 11 on.
std::string productWithZeroPoints(const std::string &weights) {
  return R"(func.func private @product(%x: tensor<16x16xi8>) -> tensor<16x16xi8> {
  %w = arith.constant )" +
         smallBytes(256) + R"( : tensor<16x16xi8>
  %c7 = arith.constant 7 : i32
  %c3 = arith.constant -3 : i32
  )" + filled("i32", "11", "16x16") +
         R"(
  %acc = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<)" +
         weights +
         R"(>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<16x16xi8>, tensor<16x16xi8>) outs(%f : tensor<16x16xi32>) {
    ^bb0(%a: i8, %b: i8, %o: i32):
      %wa = arith.extsi %a : i8 to i32
      %wb = arith.extsi %b : i8 to i32
      %pa = arith.subi %wa, %c7 : i32
      %pb = arith.subi %wb, %c3 : i32
      %p = arith.muli %pb, %pa : i32
      %s = arith.addi %p, %o : i32
      linalg.yield %s : i32
  } -> tensor<16x16xi32>)" +
         ofTwoDimensions(requantized());
}

std::string conv1d() {
  return R"(func.func private @conv(%x: tensor<1x33x16xi8>) -> tensor<16x16xi8> {
  %w = arith.constant )" +
         bytes(3 * 16 * 16) + R"( : tensor<3x16x16xi8>
  )" + filled("i32", "0", "1x16x16") +
         R"(
  %sum = linalg.generic {indexing_maps = [affine_map<(n, y, f, i, c) -> (n, 2 * y + i, c)>,
        affine_map<(n, y, f, i, c) -> (i, c, f)>, affine_map<(n, y, f, i, c) -> (n, y, f)>],
        iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x33x16xi8>, tensor<3x16x16xi8>) outs(%f : tensor<1x16x16xi32>) {)" +
         product + R"(
  } -> tensor<1x16x16xi32>
  %acc = tensor.collapse_shape %sum [[0, 1], [2]] : tensor<1x16x16xi32> into tensor<16x16xi32>)" +
         ofTwoDimensions(requantized());
}

/// A function of one int8 that no instruction has.
std::string anyFunction() {
  return R"(#same = affine_map<(p, q, r, s) -> (p, q, r, s)>
func.func private @anything(%x: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {
  %c3 = arith.constant 3 : i32
  %c100 = arith.constant 100 : i32
  %e = tensor.empty() : tensor<1x4x4x16xi8>
  %q = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x4x4x16xi8>) outs(%e : tensor<1x4x4x16xi8>) {
    ^bb0(%a: i8, %o: i8):
      %wa = arith.extsi %a : i8 to i32
      %s = arith.muli %wa, %wa : i32
      %d = arith.shrsi %s, %c3 : i32
      %m = arith.minsi %d, %c100 : i32
      %u = arith.xori %m, %wa : i32
      %v = arith.trunci %u : i32 to i8
      linalg.yield %v : i8
  } -> tensor<1x4x4x16xi8>
  return %q : tensor<1x4x4x16xi8>
}
func.func private @told()
)";
}

std::string lookup() {
  return R"(func.func private @lookup(%x: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {
  %table = arith.constant )" +
         bytes(256) + R"( : tensor<256xi8>
  %first = arith.constant 128 : i32
  %e = tensor.empty() : tensor<1x4x4x16xi8>
  %q = linalg.generic {indexing_maps = [affine_map<(p, q, r, s) -> (p, q, r, s)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x4x4x16xi8>) outs(%e : tensor<1x4x4x16xi8>) {
    ^bb0(%a: i8, %o: i8):
      %wa = arith.extsi %a : i8 to i32
      %s = arith.addi %wa, %first : i32
      %i = arith.index_cast %s : i32 to index
      %v = tensor.extract %table[%i] : tensor<256xi8>
      linalg.yield %v : i8
  } -> tensor<1x4x4x16xi8>
  return %q : tensor<1x4x4x16xi8>
})";
}

std::string concat() {
  std::string text =
      R"(func.func private @concat(%x: tensor<1x4x4x16xi8>, %y: tensor<1x4x4x16xi8>) -> tensor<1x4x4x32xi8> {
  %e = tensor.empty() : tensor<1x4x4x32xi8>
  %t = tensor.empty() : tensor<1x4x4x16xi8>
)";
  for (const char *part : {"x", "y"})
    text += std::string("%c") + part + R"( = "linalg.copy"(%)" + part +
            R"(, %t) <{cast = #linalg.type_fn<cast_signed>, operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%)" +
            part + "i: i8, %" + part + "o: i8):\n linalg.yield %" + part + R"(i : i8
  }) : (tensor<1x4x4x16xi8>, tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
)";
  return text + R"(
  %f = tensor.insert_slice %cx into %e[0, 0, 0, 0] [1, 4, 4, 16] [1, 1, 1, 1] : tensor<1x4x4x16xi8> into tensor<1x4x4x32xi8>
  %q = tensor.insert_slice %cy into %f[0, 0, 0, 16] [1, 4, 4, 16] [1, 1, 1, 1] : tensor<1x4x4x16xi8> into tensor<1x4x4x32xi8>
  return %q : tensor<1x4x4x32xi8>
})";
}

std::string repeat() {
  return R"(func.func private @repeat(%x: tensor<1x4x4x16xi8>) -> tensor<1x8x8x16xi8> {
  %e = tensor.empty() : tensor<1x4x2x4x2x16xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e, f) -> (a, b, d, f)>, affine_map<(a, b, c, d, e, f) -> (a, b, c, d, e, f)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x4x4x16xi8>) outs(%e : tensor<1x4x2x4x2x16xi8>) {
    ^bb0(%a: i8, %o: i8):
      linalg.yield %a : i8
  } -> tensor<1x4x2x4x2x16xi8>
  %q = tensor.collapse_shape %r [[0], [1, 2], [3, 4], [5]] : tensor<1x4x2x4x2x16xi8> into tensor<1x8x8x16xi8>
  return %q : tensor<1x8x8x16xi8>
})";
}

/// The maps that a convolution takes instead of its own.
std::string mapsOf(const std::string &input, const std::string &weights, const std::string &output) {
  std::string text;
  for (const std::string &results : {input, weights, output})
    text += (text.empty() ? "" : ", ") + ("affine_map<(n, y, x, f, i, j, c) -> " + results + ">");
  return "linalg.memoized_indexing_maps = [" + text + "]";
}

std::vector<Form> forms() {
  const std::vector<Change> pairMaps = {
      {"affine_map<(p, q, r, s) -> (p, q, r, s)>", "affine_map<(p, q, r, s) -> (p, r, q, s)>"},
      {"affine_map<(a, b, c, d) -> (a, b, c, d)>", "affine_map<(a, b, c, d) -> (a, c, b, d)>"},
      {"affine_map<(e, f, g, h) -> (e, f, g, h)>", "affine_map<(e, f, g, h) -> (e, g, f, h)>"}};
  std::vector<Form> all;
  const auto add = [&](std::string name, std::string text, std::vector<std::vector<Change>> changes) {
    all.push_back({std::move(name), std::move(text), {}});
    for (std::vector<Change> &some : changes)
      all.back().changes.insert(all.back().changes.end(), some.begin(), some.end());
  };
  add("convolution", conv(),
      {ofProduct,
       ofRequant,
       ofFill,
       ofEffects,
       {{"some.attribute", mapsOf("(n, y + i, x + j, c)", "(f, i, j, c)", "(n, x, y, f)")},
        {"some.attribute", mapsOf("(n, y + j, x + i, c)", "(f, i, j, c)", "(n, y, x, f)")},
        {"(%padded, %w, %f)", "(%padded, %w, %e)"},
        {"tensor.yield %zp", "%at = arith.index_cast %i : index to i8\ntensor.yield %at"}}});
  add("matrix product", matmul(),
      {{ofProduct[0], ofProduct[1]}, // MLIR itself takes no other body
       {{"affine_map<(y, k) -> (k)>", "affine_map<(y, k) -> (y)>"}},
       ofFill,
       {{"some.attribute", "linalg.memoized_indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
                           "affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]"}}});
  add("convolution in groups", groupedConv(),
      {ofProduct,
       ofRequant,
       ofFill,
       {{"(n, y + i, x + j, g, k)", "(n, y + i, x + j, g, 1 - k)"},
        {"(g, f, i, j, k)", "(g, 1 - f, i, j, k)"},
        {"\"parallel\", \"reduction\", \"reduction\"", "\"parallel\", \"parallel\", \"reduction\""}}});
  add("maximum", pool("max", "-128", "arith.maxsi"),
      {ofRequant,
       {ofFill[0]},
       {{"%start = arith.constant -128", "%start = arith.constant -127"},
        {"arith.maxsi", "arith.addi"},
        {"arith.maxsi", "arith.maxui"},
        {"arith.maxsi", "arith.minsi"},
        {"arith.extsi %a", "arith.extui %a"},
        {"%o, %wa", "%wa, %wa"},
        {"linalg.yield %s", "linalg.yield %wa"}}});
  const std::vector<Change> ofSum = {
      {"%s = arith.addi %o, %wa", "%oo = arith.addi %o, %o : i32\n      %s = arith.addi %oo, %wa"}};
  add("sum", pool("sum", "0", "arith.addi"),
      {ofSum,
       ofRequant,
       ofFill,
       {{"arith.addi", "arith.maxsi"},
        {"arith.addi", "arith.subi"},
        {"arith.extsi %a", "arith.extui %a"},
        {"arith.extsi %a", "arith.extsi %b"},
        {"%o, %wa", "%wa, %wa"}}});
  const std::string sum =
      "%pa = arith.muli %wa, %c7 : i32\n%pb = arith.muli %wb, %c9 : i32\n%s = arith.addi %pa, %pb : i32";
  add("sum of two products", elementwise(sum),
      {ofRequant,
       pairMaps,
       {{"%pa = arith.muli", "%pa = arith.addi"},
        {"arith.muli %wb, %c9", "arith.muli %wa, %c9"},
        {"%s = arith.addi", "%s = arith.subi"},
        {"arith.muli %wb, %c9", "arith.muli %wb, %wa"},
        {"%wb = arith.extsi", "%wb = arith.extui"},
        {"linalg.yield %s", "linalg.yield %pa"}}});
  const std::string differences =
      "%pa = arith.subi %wa, %c7 : i32\n%pb = arith.subi %wb, %c9 : i32\n%s = arith.muli %pa, %pb : i32";
  add("product of two differences", elementwise(differences),
      {ofRequant,
       pairMaps,
       {{"%pa = arith.subi %wa, %c7", "%pa = arith.subi %c7, %wa"},
        {"%pb = arith.subi", "%pb = arith.addi"},
        {"%s = arith.muli %pa, %pb",
         "%xx = arith.muli %wa, %wa : i32\n%t = arith.muli %pa, %pb : i32\n%s = arith.addi %t, %xx"},
        {"%s = arith.muli", "%s = arith.addi"},
        {"arith.subi %wb, %c9", "arith.subi %wa, %c9"},
        {"%c9 = arith.constant 9", "%c9 = arith.constant 256"},
        {"%wa = arith.extsi", "%wa = arith.extui"}}});
  add("chain", chain(), {{{"(n, y, x, k) -> (n, y, x, k)", "(n, y, x, k) -> (n, x, y, k)"}}});
  for (const char *maps : {"(m, n, k) -> (n, k)", "(m, n, k) -> (k, n)"})
    add(std::string("product with zero points ") + (maps[14] == 'n' ? "transposed" : "plain"),
        productWithZeroPoints(maps),
        {{{"(m, n, k) -> (m, k)", "(m, n, k) -> (k, m)"}, {"arith.constant 7", "arith.constant 127"}}});
  add("convolution of one dimension", conv1d(),
      {ofProduct,
       {{"(n, 2 * y + i, c)", "(n, 32 - 2 * y - i, c)"},
        {"(n, 2 * y + i, c)", "(n, 2 * y, c)"},
        {"%s = arith.addi %o, %p", "%ww = arith.muli %wb, %wb : i32\n      %q = arith.addi %p, %ww : i32\n   "
                                   "   %s = arith.addi %o, %q"}}});
  add("table of anything", anyFunction(),
      {{{"arith.extsi %a", "arith.extui %a"},
        {"arith.shrsi", "arith.shrui"},
        {"arith.shrsi", "arith.divsi"}}});
  add("lookup", lookup(),
      {{pairMaps[0], pairMaps[1]},
       {{"arith.constant 128", "arith.constant 127"},
        {"%s = arith.addi %wa, %first", "%s = arith.subi %first, %wa"},
        {"arith.extsi", "arith.extui"},
        {"%i = arith.index_cast %s", "%i = arith.index_cast %wa"},
        {"linalg.yield %v", "linalg.yield %a"}}});
  add("concatenation", concat(),
      {{{"[0, 0, 0, 16] [", "[0, 0, 0, 15] ["},
        {"linalg.yield %xi", "linalg.yield %xo"},
        {"into %f[", "into %e["},
        {"return %q", "return %f"}}});
  add("repetition", repeat(), {{{"(a, b, d, f)", "(a, d, b, f)"}, {"linalg.yield %a", "linalg.yield %o"}}});
  return all;
}

class Recognition : public RecognitionTest, public ::testing::WithParamInterface<Form> {};

TEST_P(Recognition, TakesTheForm) {
  EXPECT_EQ(reasonFor(GetParam().text), "");
  compare(GetParam().text, GetParam().name);
}

/// Generic operations instead of named ones, and what upstream's clean-up makes of them.
TEST_P(Recognition, OtherFormsOfTheSameTextGiveTheSameWords) {
  const auto words = [&](const std::string &text) {
    EXPECT_TRUE(runner.compileText(text, builtin("default"))) << text;
    return std::pair(isa::encodeWords(runner.stream.instructions), runner.constants);
  };
  const std::string text = GetParam().text + mainOf(GetParam().text);
  const auto expected = words(text);
  for (bool generic : {false, true}) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &runner.context);
    mlir::PassManager passes(&runner.context);
    if (generic)
      passes.addNestedPass<mlir::func::FuncOp>(mlir::createLinalgGeneralizeNamedOpsPass());
    passes.addPass(mlir::createCanonicalizerPass());
    passes.addPass(mlir::createCSEPass());
    ASSERT_TRUE(succeeded(passes.run(*module)));
    std::string cleaned;
    llvm::raw_string_ostream(cleaned) << *module;
    EXPECT_EQ(words(cleaned), expected) << cleaned;
  }
}

TEST_P(Recognition, WhatIsTakenIsRight) {
  for (const Change &change : GetParam().changes) {
    std::string text = GetParam().text;
    const size_t at = text.find(change.from);
    ASSERT_NE(at, std::string::npos) << change.from;
    text.replace(at, change.from.size(), change.to);
    if (reasonFor(text).empty())
      compare(text, GetParam().name + " with '" + change.to + "' for '" + change.from + "'");
  }
}

/// Kernels that look like one of the forms, from %x, of type X, to 16x16 elements: a reduction and its
/// requantization.
std::string lookalike(const std::string &type, const std::string &weights, const std::string &loops,
                      const std::string &x, const std::string &w, const std::string &out,
                      const std::string &kinds, const std::string &outType = "16x16") {
  int64_t count = 1;
  for (llvm::StringRef size : llvm::split(weights, 'x'))
    count *= std::stoll(size.str());
  return "func.func private @lookalike(%x: tensor<" + type +
         "xi8>) -> tensor<16x16xi8> {\n  %w = arith.constant " + bytes(count) + " : tensor<" + weights +
         "xi8>\n  " + filled("i32", "0", outType) + "  %sum = linalg.generic {indexing_maps = [affine_map<" +
         loops + " -> " + x + ">, affine_map<" + loops + " -> " + w + ">, affine_map<" + loops + " -> " +
         out + ">], iterator_types = [" + kinds + "]}\n      ins(%x, %w : tensor<" + type + "xi8>, tensor<" +
         weights + "xi8>) outs(%f : tensor<" + outType + "xi32>) {" + product + "  } -> tensor<" + outType +
         "xi32>\n" +
         (outType == "16x16" ? ""
                             : "  %acc = tensor.collapse_shape %sum [[0, 1], [2]] : tensor<" + outType +
                                   "xi32> into tensor<16x16xi32>\n") +
         ofTwoDimensions(requantized(outType == "16x16" ? "%sum" : "%acc", "i32"));
}

const std::string P = "\"parallel\"", R = "\"reduction\"";

TEST_F(RecognitionTest, WhatOnlyLooksLikeAFormIsRefusedOrRight) {
  const std::vector<std::string> texts = {
      // Two outputs' positions in one dimension of the input.
      lookalike("7x16", "16x16", "(y, z, f, c)", "(y + z, c)", "(c, f)", "(y, z, f)",
                P + ", " + P + ", " + P + ", " + R, "4x4x16"),
      // Backwards along the pixels.
      lookalike("16x8", "8x16", "(y, f, c)", "(15 - y, c)", "(c, f)", "(y, f)", P + ", " + P + ", " + R),
      // A window of three dimensions.
      lookalike("6x6x3x3x8", "3x3x3x8x16", "(y, z, f, i, j, k, c)", "(y + i, z + j, k, 0, c)",
                "(i, j, k, c, f)", "(y, z, f)",
                P + ", " + P + ", " + P + ", " + R + ", " + R + ", " + R + ", " + R, "4x4x16"),
      lookalike("6x4x1x2x8", "3x8x16", "(y, z, f, i, c)", "(y + i, z, 0, 1, c)", "(i, c, f)", "(y, z, f)",
                P + ", " + P + ", " + P + ", " + R + ", " + R, "4x4x16"),
      // A reduction of the weights alone.
      lookalike("16x8", "3x8x16", "(y, f, i, c)", "(y, c)", "(i, c, f)", "(y, f)",
                P + ", " + P + ", " + R + ", " + R),
      // Weights of their own for each image.
      lookalike("4x1x4x8", "4x8x16", "(n, y, f, c)", "(n, 0, y, c)", "(n, c, f)", "(n, y, f)",
                P + ", " + P + ", " + P + ", " + R, "4x4x16"),
      // One row of several, and every second one.
      lookalike("16x2x8", "8x16", "(y, f, c)", "(y, 1, c)", "(c, f)", "(y, f)", P + ", " + P + ", " + R),
      lookalike("31x8", "8x16", "(y, f, c)", "(2 * y, c)", "(c, f)", "(y, f)", P + ", " + P + ", " + R),
  };
  for (const std::string &text : texts)
    if (reasonFor(text).empty())
      compare(text, text);
}

/// The first of two planes: its elements are where the result's are, but there are more of them.
TEST_F(RecognitionTest, APartOfATensorIsNotTakenForTheWhole) {
  const std::string text = R"(func.func private @plane(%x: tensor<2x16x16xi8>) -> tensor<16x16xi8> {
  %e = tensor.empty() : tensor<16x16xi32>
  %acc = linalg.generic {indexing_maps = [affine_map<(y, k) -> (0, y, k)>, affine_map<(y, k) -> (y, k)>],
        iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x16x16xi8>) outs(%e : tensor<16x16xi32>) {
    ^bb0(%a: i8, %o: i32):
      %wa = arith.extsi %a : i8 to i32
      linalg.yield %wa : i32
  } -> tensor<16x16xi32>)" +
                           ofTwoDimensions(requantized());
  EXPECT_EQ(reasonFor(text), "");
  compare(text, "plane");
}

/// The dimension of one element behind the channels becomes the single column.
TEST_F(RecognitionTest, ChannelsBeforeASingleColumnAreAllLoaded) {
  const std::string text = R"(
func.func private @kernel(%x: tensor<5x1xi8>) -> tensor<5x3xi8> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5x1x3xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<5x1x3xi32>) -> tensor<5x1x3xi32>
  %w = arith.constant dense<"0x0102030405060708090A0B0C0D0E0F"> : tensor<3x1x1x5xi8>
  %sums = linalg.generic {indexing_maps = [affine_map<(n, g, c, f) -> (n, g + c)>,
      affine_map<(n, g, c, f) -> (f, g, c, n)>, affine_map<(n, g, c, f) -> (n, g, f)>],
      iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
      ins(%x, %w : tensor<5x1xi8>, tensor<3x1x1x5xi8>) outs(%f : tensor<5x1x3xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %wa = arith.extsi %a : i8 to i32
    %wb = arith.extsi %b : i8 to i32
    %m = arith.muli %wa, %wb : i32
    %s = arith.addi %m, %o : i32
    linalg.yield %s : i32
  } -> tensor<5x1x3xi32>
  %flat = tensor.collapse_shape %sums [[0], [1, 2]] : tensor<5x1x3xi32> into tensor<5x3xi32>
  %y = tensor.empty() : tensor<5x3xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%flat : tensor<5x3xi32>) outs(%y : tensor<5x3xi8>) {
  ^bb0(%v: i32, %old: i8):
    %t = arith.trunci %v : i32 to i8
    linalg.yield %t : i8
  } -> tensor<5x3xi8>
  return %r : tensor<5x3xi8>
}
)";
  EXPECT_EQ(reasonFor(text), "");
  compare(text, text);
}

/// Every engine would do something with them, but not the same thing.
TEST_F(RecognitionTest, ParametersWithoutMeaningAreRefused) {
  for (auto [from, to, reason] :
       {std::array<std::string, 3>{"dense<[1073741824", "dense<[-1", "has multiplier -1"},
        {"dense<[36", "dense<[0", "has shift 0"},
        {"dense<[36", "dense<[63", "has shift 63"}}) {
    std::string text = conv();
    text.replace(text.find(from), from.size(), to);
    EXPECT_NE(reasonFor(text).find(reason), std::string::npos) << reasonFor(text);
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, Recognition, ::testing::ValuesIn(forms()),
                         [](const auto &info) { return llvm::join(llvm::split(info.param.name, ' '), "_"); });

} // namespace
} // namespace daedalus::testing
