// A table of text with aligned columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::cli {

class Table {
public:
  /// Numbers are aligned right: a column whose header starts with '>' is one of them.
  explicit Table(std::vector<std::string> headers, std::string separator = "  ");

  /// As many cells as there are headers.
  void row(std::vector<std::string> cells);
  /// Lines of equal layout, each ending with a newline; no trailing blanks.
  std::string text() const;

private:
  std::vector<std::vector<std::string>> rows; // the first one is the headers
  std::vector<bool> right;
  std::string separator; // of columns
};

/// "1,234,567".
std::string grouped(uint64_t number);
/// "12.3%"; "-" where the whole is zero.
std::string percent(double part, double whole);

} // namespace daedalus::cli
