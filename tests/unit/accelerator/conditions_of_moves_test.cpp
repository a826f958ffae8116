// Repetitions and parts side by side: each condition under which a kernel is taken, in a kernel that breaks
// it alone. It is refused with the reason for that, or taken in another way and right.

#include "conditions.h"

namespace daedalus::testing {
namespace {

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

TEST_F(Conditions, RepetitionsAreOfInputs) {
  const std::string loops = "(b, h, r, w, s, c)";
  refused(moved("1x5x4x16xi8", loops, "(b, h, w, c)", "1x4x2x4x2x16xi8", "[[0], [1, 2], [3, 4], [5]]",
                "1x8x8x16xi8", copied,
                filled("1x4x4x16xi8", "-128") + "%window = tensor.empty() : tensor<2xi8>\n" +
                    block("%largest", "(b, h, w, c, k)", "ppppr",
                          {{"%x", "1x5x4x16xi8", "(b, h + k, w, c)"},
                           {"%window", "2xi8", "(k)"},
                           {"%f", "1x4x4x16xi8", "(b, h, w, c)"}},
                          largest),
                "%largest", "1x4x4x16xi8"),
          "it reads the result of its reduction elsewhere than it writes");
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
  refused(parts("[0, %n, 0] [2, 4, 16] [1, 1, 1]", second, "%n = arith.constant 0 : index\n"), reason);
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
  refused(parts(first, second, "%k = arith.constant dense<7> : tensor<2x4x16xi8>\n", "%k"),
          "it reads a value that is not an argument of the kernel");
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

/// A part of as many elements in fewer dimensions.
TEST_F(Conditions, PartsMayHaveFewerDimensions) {
  right(kernel(
      "%x: tensor<16xi8>, %y: tensor<1x16xi8>", "1x32xi8",
      "%e = tensor.empty() : tensor<1x32xi8>\n"
      "%q = tensor.insert_slice %x into %e[0, 0] [1, 16] [1, 1] : tensor<16xi8> into tensor<1x32xi8>\n"
      "%r = tensor.insert_slice %y into %q[0, 16] [1, 16] [1, 1] : tensor<1x16xi8> into tensor<1x32xi8>\n"));
}

} // namespace
} // namespace daedalus::testing
