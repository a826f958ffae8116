// A space of machines, as a file describes it (docs/explore.md): bases, keys with their values, keys that
// follow from others, conditions.
//
//   auto space = readSpace(text, "space.yaml");
//   Point point = space->point(17);       // point.machine, or why there is none
#pragma once

#include "daedalus/isa/machine.h"
#include "daedalus/support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace daedalus::explore {

/// A point of a space: the machine as --machine takes it, and the machine itself or, in one sentence, why it
/// is skipped.
struct Point {
  uint64_t index = 0;
  std::string name; ///< "default,n=8,bus_bytes=16"
  std::optional<isa::Machine> machine;
  std::string skipped;
};

class Space {
public:
  struct Key {
    std::string name;
    std::vector<std::string> values;
  };

  std::vector<std::string> bases;
  std::vector<Key> keys;
  std::vector<std::pair<std::string, std::string>> derived; ///< a key and the expression that gives it
  std::vector<std::string> conditions;

  /// Points of the grid, those that are skipped included: bases times the values of all keys.
  uint64_t size() const;
  /// How many bases there are, then how many values each key has.
  std::vector<uint64_t> counts() const;
  /// The point of an index below size(): the last key changes first, the base last.
  Point point(uint64_t index) const;
  /// Whether each of its machines has a value of the key, which is optional.
  bool hasValueOf(const std::string &key) const;
  /// The same text for the same space.
  std::string text() const;
};

/// Grids of more points are refused.
constexpr uint64_t mostPoints = 10'000'000;

/// Errors begin with `source` and name the key: unknown, given twice, without values, a range that is none;
/// an expression that is none; a base that is no machine; too many points.
Result<Space> readSpace(const std::string &yaml, const std::string &source);

} // namespace daedalus::explore
