// See Text.h.

#include "Text.h"

#include "dae_firmware.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <vector>

namespace daedalus::firmware {

std::string number(uint64_t value) {
  return std::to_string(value) + "u";
}

std::string hexadecimal(uint64_t value, int digits) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*" PRIx64, digits, value);
  return text;
}

std::string floatText(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
  const std::string digits = text;
  return digits + (digits.find_first_of(".e") == std::string::npos ? ".0f" : "f");
}

std::string inComment(const std::string &text) {
  std::string line;
  for (char c : text) {
    const bool isPlain =
        static_cast<unsigned char>(c) >= 32 && static_cast<unsigned char>(c) < 127 && c != '\\';
    const bool endsComment =
        !line.empty() && ((line.back() == '*' && c == '/') || (line.back() == '/' && c == '*'));
    line += isPlain && !endsComment ? c : ' ';
  }
  return line;
}

std::string literal(const std::string &text) {
  std::string quoted = "\"";
  for (char c : text) {
    char octal[8];
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 32 || byte >= 127 || c == '"' || c == '\\' || c == '?') {
      std::snprintf(octal, sizeof octal, "\\%03o", byte);
      quoted += octal;
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

uint32_t checksumOf(Span<const uint8_t> blob) {
  std::vector<uint32_t> words(blob.size() / 4);
  std::memcpy(words.data(), blob.data(), words.size() * 4);
  return dae_checksum(words.data(), words.size() * 4);
}

} // namespace daedalus::firmware
