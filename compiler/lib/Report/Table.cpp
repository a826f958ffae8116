#include "Report/Table.h"

#include <cstdio>
#include <numeric>

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

/// The beginning and the end of a text of more than `most` characters, with "..." between them.
static std::string shortened(const std::string &text, size_t most) {
  constexpr size_t dots = 3;
  if (width(text) <= most)
    return text;
  const auto prefix = [&](size_t characters) { // bytes of so many
    size_t bytes = 0;
    for (size_t seen = 0; bytes < text.size(); ++bytes)
      if ((text[bytes] & 0xc0) != 0x80 && seen++ == characters)
        break;
    return bytes;
  };
  const size_t head = (most - dots) / 2, tail = most - dots - head;
  return text.substr(0, prefix(head)) + "..." + text.substr(prefix(width(text) - tail));
}

std::string Table::text(size_t most) const {
  constexpr size_t least = 12; // of the first column
  std::vector<size_t> widths(right.size(), 0);
  for (const auto &cells : rows)
    for (size_t column = 0; column < cells.size(); ++column)
      widths[column] = std::max(widths[column], width(cells[column]));
  const size_t whole = std::accumulate(widths.begin(), widths.end(), separator.size() * (widths.size() - 1));
  if (most && whole > most)
    widths[0] = std::max(std::min(least, widths[0]), widths[0] - std::min(widths[0], whole - most));
  std::string result;
  for (auto cells : rows) {
    cells[0] = shortened(cells[0], widths[0]);
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
