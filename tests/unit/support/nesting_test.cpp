// How deep texts nest, which MLIR's parser would overflow its stack on.

#include "daedalus/support/nesting.h"

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
  EXPECT_TRUE(bool(checkNesting(repeated("(", 1000) + repeated(")", 1000))));
  EXPECT_TRUE(bool(checkNesting(repeated("([{<>}])\n", 5000))));
  const Result<void> deep = checkNesting("\n\n" + repeated("(", 1001));
  ASSERT_FALSE(bool(deep));
  EXPECT_EQ(deep.error(),
            "line 3 nests more than 1000 brackets and operators; expected an expression in smaller parts");
  for (const char *part : {"- ", "d0 +\n", "d0 * ", "2 floordiv ", "2 ceildiv ", "d1 mod ", "(-", "d0 + ("})
    EXPECT_FALSE(bool(checkNesting("affine_map<(d0, d1) -> (" + repeated(part, 1001)))) << part;
}

TEST(Nesting, DoesNotCountWhatStandsSideBySide) {
  EXPECT_TRUE(bool(checkNesting("dense<[" + repeated("-1, ", 5000) + "]>")));
  EXPECT_TRUE(
      bool(checkNesting("func.func @f() {\n" + repeated("  %c = arith.constant -1 : i32\n", 5000) + "}")));
  EXPECT_TRUE(bool(checkNesting(repeated("(i8) -> i8, d0 >= 0, d0 == 1, ", 5000))));
  EXPECT_TRUE(bool(checkNesting("\"" + repeated("(\\\"", 5000) + "\" // " + repeated("(", 5000) + "\n()")));
}

} // namespace
} // namespace daedalus
