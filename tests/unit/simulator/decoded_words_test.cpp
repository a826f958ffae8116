// A kept instruction is found for its own word alone.
#include "common/decoded_words.h"

#include <gtest/gtest.h>

namespace daedalus::sim {
namespace {

isa::InstructionWord markOf(uint32_t tag) {
  return isa::encode(isa::Mark{0, 0, isa::Module::Gemm, tag});
}

TEST(DecodedWords, AreFoundByIndexAndWord) {
  DecodedWords words;
  const isa::InstructionWord word = markOf(3), other = markOf(4), zero{};
  EXPECT_EQ(words.find(5, word.data()), nullptr);
  words.keep(5, word.data(), isa::Mark{0, 0, isa::Module::Gemm, 3});
  ASSERT_NE(words.find(5, word.data()), nullptr);
  EXPECT_EQ(*words.find(5, word.data()), isa::Instruction(isa::Mark{0, 0, isa::Module::Gemm, 3}));
  EXPECT_EQ(words.find(5, other.data()), nullptr) << "the program has changed";
  EXPECT_EQ(words.find(4, zero.data()), nullptr) << "never kept";
  words.keep(5, other.data(), isa::Mark{0, 0, isa::Module::Gemm, 4});
  EXPECT_EQ(words.find(5, word.data()), nullptr);
  EXPECT_NE(words.find(5, other.data()), nullptr);
}

TEST(DecodedWords, AreNotKeptWithoutEnd) {
  DecodedWords words;
  const isa::InstructionWord word = markOf(3);
  words.keep(DecodedWords::Most - 1, word.data(), isa::Nop());
  words.keep(DecodedWords::Most, word.data(), isa::Nop());
  EXPECT_NE(words.find(DecodedWords::Most - 1, word.data()), nullptr);
  EXPECT_EQ(words.find(DecodedWords::Most, word.data()), nullptr);
}

} // namespace
} // namespace daedalus::sim
