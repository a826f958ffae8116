// How deep texts nest, which MLIR's parser would overflow its stack on.

#include "daedalus/support/mlir_text.h"

#include <gtest/gtest.h>

namespace daedalus {
namespace {

std::string repeated(const std::string &text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i)
    all += text;
  return all;
}

TEST(Nesting, IsBounded) {
  EXPECT_TRUE(bool(checkMlirText(repeated("(", 1000) + repeated(")", 1000))));
  EXPECT_TRUE(bool(checkMlirText(repeated("([{<>}])\n", 5000))));
  const Result<void> deep = checkMlirText("\n\n" + repeated("(", 1001));
  ASSERT_FALSE(bool(deep));
  EXPECT_EQ(deep.error(),
            "line 3 nests more than 1000 brackets and operators; expected an expression in smaller parts");
  for (const char *part : {"- ", "d0 +\n", "d0 * ", "2 floordiv ", "2 ceildiv ", "d1 mod ", "(-", "d0 + ("})
    EXPECT_FALSE(bool(checkMlirText("affine_map<(d0, d1) -> (" + repeated(part, 1001)))) << part;
}

TEST(Nesting, DoesNotCountWhatStandsSideBySide) {
  EXPECT_TRUE(bool(checkMlirText("dense<[" + repeated("-1, ", 5000) + "]>")));
  EXPECT_TRUE(
      bool(checkMlirText("func.func @f() {\n" + repeated("  %c = arith.constant -1 : i32\n", 5000) + "}")));
  EXPECT_TRUE(bool(checkMlirText(repeated("%x : memref<4xi8, #dae.scope<inp>>\n", 5000))));
  EXPECT_TRUE(bool(checkMlirText(repeated("(i8) -> i8, d0 >= 0, d0 == 1, ", 5000))));
  EXPECT_TRUE(bool(checkMlirText("\"" + repeated("(\\\"", 5000) + "\" // " + repeated("(", 5000) + "\n()")));
}

TEST(IteratorTypes, AreStringsInPlace) {
  for (const char *good :
       {"iterator_types = [\"parallel\", \"reduction\"]", "iterator_types=[ ]", "{iterator_types}",
        "<{iterator_types = [#linalg.iterator_type<parallel>]}>", "\"iterator_types = [1]\""})
    EXPECT_TRUE(bool(checkMlirText(good))) << good;
  for (const char *bad :
       {"iterator_types = [1]", "iterator_types = #types", "iterator_types = [\"parallel\", i8]",
        "{iterator_types = [#linalg.iterator_type<parallel>]}", "iterator_types = [\"parallel"})
    EXPECT_FALSE(bool(checkMlirText(bad))) << bad;
}

} // namespace
} // namespace daedalus
