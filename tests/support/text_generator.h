// What makers of random MLIR text share: seeded choices, names, constants, types and maps.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace daedalus::testing {

using Shape = std::vector<int64_t>;
using Names = std::vector<std::string>;

int64_t elementsOf(const Shape &shape);

/// tensor<2x3xi8>.
std::string tensorType(const Shape &shape, const std::string &element);

/// The names with ", " between them.
std::string joined(const Names &names);

/// An affine map of loops by their names.
std::string affineMap(const Names &loops, const Names &results);

class TextGenerator {
public:
  explicit TextGenerator(uint64_t seed) : random(seed) {}

protected:
  int64_t pick(int64_t lo, int64_t hi) { return std::uniform_int_distribution<int64_t>(lo, hi)(random); }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  template <class T> T of(const std::vector<T> &all) { return all[pick(0, all.size() - 1)]; }

  /// A dense constant of any bytes, with its type.
  std::string bytes(const Shape &shape);

  /// A dense constant of so many numbers from lo to hi, without its type.
  std::string list(int64_t count, int64_t lo, int64_t hi);

  /// A value of `type` by its name; whatever it needs is in `text`.
  std::string scalar(int64_t value, const std::string &type);

  /// A name that nothing has yet.
  std::string fresh() { return "%v" + std::to_string(names++); }

  std::mt19937 random;
  std::string text;
  unsigned names = 0;
};

} // namespace daedalus::testing
