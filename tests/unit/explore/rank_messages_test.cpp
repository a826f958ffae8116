// What ranks say to each other: what is encoded is decoded, and no other text is.
#include "Explore/RankMessages.h"

#include <gtest/gtest.h>

#include <random>

namespace daedalus::explore {
namespace {

std::vector<RankMessage> examples() {
  std::mt19937_64 random(5);
  std::vector<RankMessage> all = {Ready{7, "node1", {{"space", "key n: 8\n"}, {"version", ""}}},
                                  Ready{},
                                  Failure{"node2", "cannot read 'a.onnx'"},
                                  Tasks{},
                                  Answers{},
                                  Stop{}};
  for (unsigned i = 0; i < 50; ++i) {
    Tasks tasks;
    Answers answers;
    for (uint64_t left = random() % 9; left > 0; --left) {
      tasks.numbers.push_back(random());
      answers.answers.push_back({random(), random() % 2 == 0, std::string(random() % 300, '\xff')});
    }
    all.insert(all.end(), {tasks, answers});
  }
  return all;
}

TEST(RankMessages, AreDecodedAsTheyWere) {
  const auto decoded = decode(encode(Ready{7, "node1", {{"space", "n"}, {"version", ""}}}));
  ASSERT_TRUE(decoded && std::holds_alternative<Ready>(*decoded));
  const Ready &ready = std::get<Ready>(*decoded);
  EXPECT_EQ(ready.workers, 7u);
  EXPECT_EQ(ready.host, "node1");
  EXPECT_EQ(ready.description.at("space"), "n");
  EXPECT_EQ(ready.description.at("version"), "");
  const auto answers = decode(encode(Answers{{{3, true, ""}, {1ull << 63, false, "text"}}}));
  ASSERT_TRUE(answers && std::holds_alternative<Answers>(*answers));
  const std::vector<Answer> &list = std::get<Answers>(*answers).answers;
  ASSERT_EQ(list.size(), 2u);
  EXPECT_TRUE(list[0].crashed);
  EXPECT_EQ(list[1].task, 1ull << 63);
  EXPECT_EQ(list[1].text, "text");
  for (const RankMessage &message : examples()) {
    const auto again = decode(encode(message));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->index(), message.index());
    EXPECT_EQ(encode(*again), encode(message));
  }
}

TEST(RankMessages, ATaskIsEightBytes) {
  EXPECT_EQ(encode(Tasks{{1, 2}}).size() - encode(Tasks{{1}}).size(), 8u);
}

TEST(RankMessages, OtherTextsAreNone) {
  EXPECT_FALSE(decode(""));
  EXPECT_FALSE(decode("\x05"));
  for (const RankMessage &message : examples()) {
    const std::string text = encode(message);
    EXPECT_FALSE(decode(text + "x"));
    for (size_t length = 0; length < text.size(); ++length)
      ASSERT_FALSE(decode(text.substr(0, length))) << length << " of " << text.size();
  }
}

TEST(RankMessages, RandomBytesAreReadWithoutHarm) {
  std::mt19937_64 random(9);
  std::vector<RankMessage> all = examples();
  for (unsigned i = 0; i < 20000; ++i) {
    std::string text = encode(all[random() % all.size()]);
    for (unsigned change = 0; change < 3; ++change)
      text[random() % text.size()] = static_cast<char>(random());
    const auto message = decode(text);
    EXPECT_TRUE(!message || encode(*message).size() == text.size());
  }
}

} // namespace
} // namespace daedalus::explore
