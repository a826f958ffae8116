#include "Report/Table.h"

#include <cstdio>

namespace daedalus::report {

// Columns as a reader counts them: bytes of UTF-8 that start a character.
static size_t width(const std::string &text) {
  size_t count = 0;
  for (unsigned char byte : text)
    count += (byte & 0xc0) != 0x80;
  return count;
}

Table::Table(std::vector<std::string> headers, std::string separator) : separator(std::move(separator)) {
  for (std::string &header : headers) {
    right.push_back(header.front() == '>');
    if (right.back())
      header.erase(0, 1);
  }
  rows.push_back(std::move(headers));
}

void Table::row(std::vector<std::string> cells) {
  cells.resize(right.size());
  rows.push_back(std::move(cells));
}

std::string Table::text() const {
  std::vector<size_t> widths(right.size(), 0);
  for (const auto &cells : rows)
    for (size_t column = 0; column < cells.size(); ++column)
      widths[column] = std::max(widths[column], width(cells[column]));
  std::string result;
  for (const auto &cells : rows) {
    std::string line;
    for (size_t column = 0; column < cells.size(); ++column) {
      std::string padding(widths[column] - width(cells[column]), ' ');
      line += (column ? separator : "") + (right[column] ? padding + cells[column] : cells[column] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t place = digits.size(); place > 3; place -= 3)
    digits.insert(place - 3, ",");
  return digits;
}

std::string percent(double part, double whole) {
  if (whole == 0)
    return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f%%", 100 * part / whole);
  return text;
}

std::string deviceTimeText(uint64_t ticks, double ticksPerMicrosecond) {
  if (!ticks || ticksPerMicrosecond <= 0)
    return ticks ? grouped(ticks) + " ticks" : "-";
  char text[48];
  std::snprintf(text, sizeof text, "%.1f us", static_cast<double>(ticks) / ticksPerMicrosecond);
  return text;
}

} // namespace daedalus::report
