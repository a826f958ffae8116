// The nearest name: of every mistake of one letter in a name, and of names that are near to nothing.
#include "daedalus/Target/DidYouMean.h"

#include <gtest/gtest.h>

#include <random>

namespace daedalus::test {
namespace {

/// Each three changes or more from the others.
const std::vector<std::string> commands{"compile", "profile", "certify", "disasm", "cosim", "check"};

TEST(DidYouMean, NamesTheNearest) {
  EXPECT_EQ(didYouMean("complie", commands), " (did you mean 'compile'?)");
  EXPECT_EQ(didYouMean("compile", commands), " (did you mean 'compile'?)");
  EXPECT_EQ(didYouMean("profiles", commands), " (did you mean 'profile'?)");
  EXPECT_EQ(didYouMean("gpu", {"auto", "accelerator", "cpu", "cuda"}), " (did you mean 'cpu'?)");
  EXPECT_EQ(didYouMean("ab", {"ax", "ay"}), " (did you mean 'ax'?)");        // the first of several
  EXPECT_EQ(didYouMean("cdua", {"cpu", "cuda"}), " (did you mean 'cuda'?)"); // two changes too, and as long
}

TEST(DidYouMean, SaysNothingOfWhatIsNearToNothing) {
  for (const char *name : {"", "frobnicate", "c", "x", "verification"})
    EXPECT_EQ(didYouMean(name, commands), "") << name;
  EXPECT_EQ(didYouMean("x", {"y"}), ""); // all of its letters
  EXPECT_EQ(didYouMean("compile", {}), "");
  EXPECT_EQ(didYouMean(std::string(10000, 'a'), {std::string(10000, 'a')}), "");
}

TEST(DidYouMean, FindsEveryNameBehindOneMistake) {
  std::mt19937 random(7);
  const auto below = [&](size_t count) {
    return std::uniform_int_distribution<size_t>(0, count - 1)(random);
  };
  for (int i = 0; i < 2000; ++i) {
    const std::string &name = commands[below(commands.size())];
    std::string mistyped = name;
    const size_t at = below(name.size());
    const char letter = static_cast<char>('a' + below(26));
    switch (below(3)) {
    case 0:
      mistyped[at] = letter;
      break;
    case 1:
      mistyped.erase(at, 1);
      break;
    default:
      mistyped.insert(at, 1, letter);
    }
    EXPECT_EQ(didYouMean(mistyped, commands), " (did you mean '" + name + "'?)") << mistyped;
  }
}

TEST(DidYouMean, ListsNames) {
  EXPECT_EQ(listOf({}), "");
  EXPECT_EQ(listOf({"a"}), "a");
  EXPECT_EQ(listOf({"a", "b"}), "a or b");
  EXPECT_EQ(listOf({"a", "b", "c"}), "a, b or c");
}

} // namespace
} // namespace daedalus::test
