// Whole numbers as users write and read them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

namespace daedalus {

/// The number that `text` is in decimal digits and nothing else. None begins with a zero but 0: 017 is 15 to
/// some readers and 17 to others.
inline std::optional<uint64_t> parseDecimal(const std::string &text) {
  uint64_t value = 0;
  const char *const stop = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), stop, value);
  if (problem != std::errc() || end != stop || (text[0] == '0' && text != "0"))
    return std::nullopt;
  return value;
}

/// "1,234,567".
inline std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t place = digits.size(); place > 3; place -= 3)
    digits.insert(place - 3, ",");
  return digits;
}

} // namespace daedalus
