// What the ranks of a sweep say to each other. A led rank says Ready or Failure once, then Answers to Tasks,
// or Failure; rank 0 says Tasks, and Stop last.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace daedalus::explore {

struct Ready {
  uint32_t workers = 0; ///< of this rank
  std::string host;
  std::map<std::string, std::string> description; ///< of the sweep, as the database has it
};

struct Failure {
  std::string host, why;
};

struct Tasks {
  std::vector<uint64_t> numbers;
};

struct Answer {
  uint64_t task = 0;
  bool crashed = false;
  std::string text;
};

struct Answers {
  std::vector<Answer> answers;
};

struct Stop {};

using RankMessage = std::variant<Ready, Failure, Tasks, Answers, Stop>;

/// A byte that is the message's place in RankMessage, then its fields: numbers are of 8 bytes, the lowest
/// first; texts and lists follow their lengths.
std::string encode(const RankMessage &message);
/// Nothing where encode() has made another text.
std::optional<RankMessage> decode(const std::string &text);

} // namespace daedalus::explore
