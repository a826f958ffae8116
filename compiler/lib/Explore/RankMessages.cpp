// See RankMessages.h.
#include "Explore/RankMessages.h"

namespace daedalus::explore {
namespace {

class Writer {
public:
  void number(uint64_t value) {
    for (unsigned i = 0; i < 8; ++i)
      text += static_cast<char>(value >> (8 * i));
  }
  void string(const std::string &value) {
    number(value.size());
    text += value;
  }

  void operator()(const Ready &ready) {
    number(ready.workers);
    string(ready.host);
    number(ready.description.size());
    for (const auto &[name, value] : ready.description) {
      string(name);
      string(value);
    }
  }
  void operator()(const Failure &failure) {
    string(failure.host);
    string(failure.why);
  }
  void operator()(const Tasks &tasks) {
    number(tasks.numbers.size());
    for (const uint64_t task : tasks.numbers)
      number(task);
  }
  void operator()(const Answers &answers) {
    number(answers.answers.size());
    for (const Answer &answer : answers.answers) {
      number(answer.task);
      number(answer.crashed);
      string(answer.text);
    }
  }
  void operator()(const Stop &) {}

  std::string text;
};

/// Of a text that is too short: `good` is false, and numbers are 0.
class Reader {
public:
  explicit Reader(const std::string &text) : text(text) {}

  uint64_t number() {
    uint64_t value = 0;
    if (!has(8))
      return 0;
    for (unsigned i = 0; i < 8; ++i)
      value |= uint64_t(static_cast<unsigned char>(text[at++])) << (8 * i);
    return value;
  }
  std::string string() {
    const uint64_t length = number();
    if (!has(length))
      return "";
    at += length;
    return text.substr(at - length, length);
  }
  /// Entries of at least so many bytes each.
  uint64_t count(uint64_t bytes) {
    const uint64_t entries = number();
    good = good && entries <= text.size() / bytes;
    return has(entries * bytes) ? entries : 0;
  }

  Ready ready() {
    Ready ready;
    ready.workers = static_cast<uint32_t>(number());
    ready.host = string();
    for (uint64_t left = count(16); left > 0; --left) {
      const std::string name = string();
      ready.description[name] = string();
    }
    return ready;
  }
  Failure failure() {
    Failure failure;
    failure.host = string();
    failure.why = string();
    return failure;
  }
  Tasks tasks() {
    Tasks tasks;
    for (uint64_t left = count(8); left > 0; --left)
      tasks.numbers.push_back(number());
    return tasks;
  }
  Answers answers() {
    Answers answers;
    for (uint64_t left = count(24); left > 0; --left) {
      const uint64_t task = number();
      const bool crashed = number() != 0;
      answers.answers.push_back({task, crashed, string()});
    }
    return answers;
  }

  bool isRead() const { return good && at == text.size(); }

private:
  bool has(uint64_t bytes) { return good = good && bytes <= text.size() - at; }

  const std::string &text;
  size_t at = 1;
  bool good = true;
};

RankMessage read(Reader &reader, size_t kind) {
  switch (kind) {
  case 0:
    return reader.ready();
  case 1:
    return reader.failure();
  case 2:
    return reader.tasks();
  case 3:
    return reader.answers();
  default:
    return Stop{};
  }
}

} // namespace

std::string encode(const RankMessage &message) {
  Writer writer;
  writer.text += static_cast<char>(message.index());
  std::visit(writer, message);
  return writer.text;
}

std::optional<RankMessage> decode(const std::string &text) {
  const size_t kind = text.empty() ? std::variant_size_v<RankMessage> : static_cast<unsigned char>(text[0]);
  if (kind >= std::variant_size_v<RankMessage>)
    return std::nullopt;
  Reader reader(text);
  const RankMessage message = read(reader, kind);
  return reader.isRead() ? std::optional(message) : std::nullopt;
}

} // namespace daedalus::explore
