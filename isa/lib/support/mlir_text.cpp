// See mlir_text.h. Operators nest to the right, up to the next comma, or the end of the line between
// statements.

#include "daedalus/support/mlir_text.h"

#include <algorithm>
#include <vector>

namespace daedalus {
namespace {

const std::string iteratorTypes = "iterator_types";

class MlirText {
public:
  explicit MlirText(const std::string &text) : text(text) {}

  Result<void> check() {
    for (at = 0; at < text.size(); ++at) {
      if (text.compare(at, iteratorTypes.size(), iteratorTypes) == 0 &&
          !areStrings(at + iteratorTypes.size()))
        return error("line " + line() +
                     " has iterator_types that are not strings in place, such as [\"parallel\"]");
      count(text[at]);
      if (open.size() + operators > mostNesting)
        return error("line " + line() + " nests more than " + std::to_string(mostNesting) +
                     " brackets and operators; expected an expression in smaller parts");
    }
    return {};
  }

private:
  std::string line() const { return std::to_string(1 + std::count(text.begin(), text.begin() + at, '\n')); }

  /// Whether a list of strings follows, or something that is no value of the attribute. In properties,
  /// <{...}>, the parser looks at the kinds itself.
  bool areStrings(size_t from) const {
    const auto skip = [&] { from = std::min(text.find_first_not_of(" \t\r\n", from), text.size()); };
    const auto take = [&](char c) {
      skip();
      const bool found = from < text.size() && text[from] == c;
      from += found;
      return found;
    };
    const bool inProperties =
        open.size() >= 2 && open[open.size() - 1].bracket == '{' && open[open.size() - 2].bracket == '<';
    if (inProperties || !take('='))
      return true;
    if (!take('['))
      return false;
    while (take('"')) {
      from = std::min(text.find('"', from), text.size());
      if (!take('"') || !take(','))
        break;
    }
    return take(']');
  }

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
    if (((c == '-' || c == '=') && next() == '>') || ((c == '=' || c == '>') && next() == '=')) {
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

Result<void> checkMlirText(const std::string &text) {
  return MlirText(text).check();
}

} // namespace daedalus
