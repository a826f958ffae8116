// See near_miss.h. Every rule lists the changes it knows of the text; one of them is chosen, each rule being
// as likely as the others.

#include "near_miss.h"

#include "text_generator.h"

#include <regex>

namespace daedalus::testing {
namespace {

struct Change {
  size_t at, length;
  std::string to;
};
using Changes = std::vector<Change>;

class Misses : public TextGenerator {
public:
  Misses(const std::string &text, uint64_t seed) : TextGenerator(seed), whole(text) {}

  NearMiss one() {
    Changes changes;
    while (changes.empty())
      changes = rule(pick(0, 9));
    const Change change = of(changes);
    std::string result = whole;
    result.replace(change.at, change.length, change.to);
    return {result, "'" + change.to + "' for '" + whole.substr(change.at, change.length) + "' at byte " +
                        std::to_string(change.at)};
  }

private:
  Changes rule(int64_t number) {
    switch (number) {
    case 0:
    case 1:
      return words({{"addi", {"subi", "muli", "maxsi", "xori"}},
                    {"subi", {"addi", "muli"}},
                    {"muli", {"addi", "subi", "maxsi"}},
                    {"maxsi", {"minsi", "maxui", "addi"}},
                    {"minsi", {"maxsi", "minui"}},
                    {"extsi", {"extui"}},
                    {"shrsi", {"shrui", "shli"}},
                    {"shli", {"shrsi"}},
                    {"xori", {"andi", "ori"}},
                    {"andi", {"ori"}},
                    {"slt", {"sle", "sgt", "ult"}},
                    {"sgt", {"sge", "slt", "ugt"}},
                    {"sle", {"slt", "ule"}},
                    {"sge", {"sgt", "uge"}},
                    {"eq", {"ne"}}});
    case 2:
      return words({{"half_even", {"half_up"}}, {"half_up", {"half_even"}}});
    case 3:
      return words({{"parallel", {"reduction"}}, {"reduction", {"parallel"}}});
    case 4:
      return numbers(R"(arith\.constant (-?\d+) : i)");
    case 5:
      return numbers(R"((?:zero_point|lo|hi) = (-?\d+))");
    case 6:
      return names(
          R"(arith\.[a-z]+ (%\w+)(?:, (%\w+))?|(?:yield|requantize|return) (%\w+)|outs\((%\w+)|ins\((%\w+)|insert_slice (%\w+)|\) (%\w+), (%\w+) :)");
    case 7:
      return maps();
    case 8:
      return numbers(R"(insert_slice [^\[]*\[(?:\d+, )*(\d+)\])");
    default:
      return pads();
    }
  }

  template <class F> void forEach(const char *pattern, F visit) {
    const std::regex expression(pattern);
    for (auto it = std::sregex_iterator(whole.begin(), whole.end(), expression); it != std::sregex_iterator();
         ++it)
      for (size_t k = 1; k < it->size(); ++k)
        if ((*it)[k].matched)
          visit(size_t(it->position(k)), it->str(k));
  }

  /// Whole words by others.
  Changes words(const std::vector<std::pair<std::string, Names>> &table) {
    Changes changes;
    for (const auto &[from, others] : table)
      forEach(("\\b(" + from + ")\\b").c_str(), [&, &others = others](size_t at, const std::string &found) {
        changes.push_back({at, found.size(), of(others)});
      });
    return changes;
  }

  Changes numbers(const char *pattern) {
    Changes changes;
    forEach(pattern, [&](size_t at, const std::string &found) {
      const int64_t value = std::stoll(found);
      const int64_t other = of<int64_t>({value + 1, value - 1, -value, value + 2, -129, 128, 255});
      changes.push_back({at, found.size(), std::to_string(other)});
    });
    return changes;
  }

  /// A value by one that is nearby.
  Changes names(const char *pattern) {
    Changes changes;
    Names seen;
    forEach(R"((%\w+))", [&](size_t, const std::string &name) { seen.push_back(name); });
    forEach(pattern, [&](size_t at, const std::string &found) {
      changes.push_back({at, found.size(), of(seen)});
    });
    return changes;
  }

  /// Results of a map in another order, or with another one's loop, factor or offset.
  Changes maps() {
    Changes changes;
    forEach(R"(affine_map<\([^)]*\) -> \(([^)]+)\)>)", [&](size_t at, const std::string &results) {
      Names parts;
      const std::regex comma(", ");
      for (auto it = std::sregex_token_iterator(results.begin(), results.end(), comma, -1);
           it != std::sregex_token_iterator(); ++it)
        parts.push_back(it->str());
      const size_t a = pick(0, parts.size() - 1), b = pick(0, parts.size() - 1);
      switch (pick(0, 3)) {
      case 0:
        std::swap(parts[a], parts[b]);
        break;
      case 1:
        parts[a] = parts[b];
        break;
      case 2:
        parts[a] += " + 1";
        break;
      default:
        parts[a] = chance(50) ? "0" : std::regex_replace(parts[a], std::regex("\\* \\d+"), "* 1");
      }
      changes.push_back({at, results.size(), joined(parts)});
    });
    return changes;
  }

  /// A position less before, and one more behind; or the other way round.
  Changes pads() {
    Changes changes;
    forEach(R"((low\[[^\]]*\] high\[[^\]]*\]))", [&](size_t at, const std::string &found) {
      Shape numbers;
      const std::regex digits("\\d+");
      for (auto it = std::sregex_iterator(found.begin(), found.end(), digits); it != std::sregex_iterator();
           ++it)
        numbers.push_back(std::stoll(it->str()));
      const size_t rank = numbers.size() / 2, d = pick(0, rank - 1);
      const bool isLow = numbers[d] > 0;
      numbers[d] += isLow ? -1 : 1, numbers[d + rank] += isLow ? 1 : -1;
      const auto text = [&](size_t first) {
        Names names;
        for (size_t k = first; k < first + rank; ++k)
          names.push_back(std::to_string(numbers[k]));
        return "[" + joined(names) + "]";
      };
      if (numbers[d + rank] >= 0)
        changes.push_back({at, found.size(), "low" + text(0) + " high" + text(rank)});
    });
    return changes;
  }

  const std::string &whole;
};

} // namespace

NearMiss nearMissOf(const std::string &text, uint64_t seed) {
  return Misses(text, seed).one();
}

} // namespace daedalus::testing
