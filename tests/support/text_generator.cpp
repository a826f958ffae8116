// See text_generator.h.

#include "text_generator.h"

#include <functional>
#include <numeric>

namespace daedalus::testing {

int64_t elementsOf(const Shape &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

std::string tensorType(const Shape &shape, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

std::string joined(const Names &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string affineMap(const Names &loops, const Names &results) {
  return "affine_map<(" + joined(loops) + ") -> (" + joined(results) + ")>";
}

std::string TextGenerator::bytes(const Shape &shape) {
  std::string digits;
  for (int64_t k = 0; k < 2 * elementsOf(shape); ++k)
    digits += "0123456789ABCDEF"[pick(0, 15)];
  return "dense<\"0x" + digits + "\"> : " + tensorType(shape, "i8");
}

std::string TextGenerator::list(int64_t count, int64_t lo, int64_t hi) {
  std::string numbers;
  for (int64_t k = 0; k < count; ++k)
    numbers += (k ? ", " : "") + std::to_string(pick(lo, hi));
  return "dense<[" + numbers + "]>";
}

std::string TextGenerator::scalar(int64_t value, const std::string &type) {
  const std::string name = "%k" + std::to_string(names++);
  text += "  " + name + " = arith.constant " + std::to_string(value) + " : " + type + "\n";
  return name;
}

} // namespace daedalus::testing
