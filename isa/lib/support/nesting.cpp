// See nesting.h. Operators nest to the right, up to the next comma, or the end of the line between
// statements.

#include "daedalus/support/nesting.h"

#include <algorithm>
#include <vector>

namespace daedalus {
namespace {

class Nesting {
public:
  explicit Nesting(const std::string &text) : text(text) {}

  Result<void> check() {
    for (at = 0; at < text.size(); ++at) {
      count(text[at]);
      if (open.size() + operators > mostNesting)
        return error("line " + std::to_string(1 + std::count(text.begin(), text.begin() + at, '\n')) +
                     " nests more than " + std::to_string(mostNesting) +
                     " brackets and operators; expected an expression in smaller parts");
    }
    return {};
  }

private:
  char next() const { return at + 1 < text.size() ? text[at + 1] : '\0'; }

  /// To the end of a string or of a comment's line.
  void skipTo(char end) {
    for (++at; at < text.size() && text[at] != end && text[at] != '\n'; ++at)
      at += text[at] == '\\' && end == '"';
    at -= at < text.size() && text[at] == '\n'; // which ends a statement too
  }

  void count(char c) {
    if (c == '"' || (c == '/' && next() == '/'))
      return skipTo(c == '"' ? '"' : '\n');
    if ((c == '-' || c == '=' || c == '>') && (next() == '>' || next() == '=')) {
      ++at; // an arrow or a comparison
      return;
    }
    switch (c) {
    case '(':
    case '[':
    case '{':
    case '<':
      open.push_back({c, operators});
      return;
    case ')':
    case ']':
    case '}':
    case '>':
      if (!open.empty()) {
        operators = open.back().operators;
        open.pop_back();
      }
      return;
    case '\n':
      if (!open.empty() && open.back().bracket != '{')
        return; // an expression goes on
      [[fallthrough]];
    case ',':
      operators = open.empty() ? 0 : open.back().operators;
      return;
    case '+':
    case '-':
    case '*':
      ++operators;
      return;
    case 'd': // floordiv; ceildiv and mod end likewise
    case 'v':
      operators += at >= 2 && (text.compare(at - 2, 3, "mod") == 0 || text.compare(at - 2, 3, "div") == 0);
      return;
    default:
      return;
    }
  }

  const std::string &text;
  size_t at = 0;
  struct Open {
    char bracket;
    size_t operators; ///< in front of it
  };
  std::vector<Open> open;
  size_t operators = 0; ///< in front of here, in all open brackets since their last comma
};

} // namespace

Result<void> checkNesting(const std::string &text) {
  return Nesting(text).check();
}

} // namespace daedalus
