// Text with free names in it (files, ONNX nodes, tensors) as one line that no terminal takes for commands.
#pragma once

#include <cstdio>
#include <string>

namespace daedalus {

/// Line breaks become spaces, other control characters their codes: "a\x1b[31mb". Doing it twice changes
/// nothing.
inline std::string oneLine(const std::string &text) {
  std::string line;
  for (unsigned char c : text) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\x%02x", c);
    line += c == '\n' ? " " : c < ' ' || c == 0x7f ? escape : std::string(1, static_cast<char>(c));
  }
  return line;
}

} // namespace daedalus
