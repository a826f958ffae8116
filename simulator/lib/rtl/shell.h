// What the shell knows: variables of the environment, and quoting.
#pragma once

#include <cstdlib>
#include <string>

namespace daedalus::sim::rtl {

/// The variable's value, or `otherwise` where it is unset or empty.
inline std::string environment(const char *name, const std::string &otherwise) {
  const char *value = std::getenv(name);
  return value && *value ? value : otherwise;
}

/// The text as one word of a shell command.
inline std::string quoted(const std::string &text) {
  std::string word = "'";
  for (char c : text)
    word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

} // namespace daedalus::sim::rtl
