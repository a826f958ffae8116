// A table of text with aligned columns.
#pragma once

#include "daedalus/support/decimal.h"

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::report {

class Table {
public:
  /// Numbers are aligned right: a column whose header starts with '>' is one of them.
  explicit Table(std::vector<std::string> headers, std::string separator = "  ");

  /// As many cells as there are headers.
  void row(std::vector<std::string> cells);
  /// Lines of equal layout, each ending with a newline; no trailing blanks. Of lines longer than `width`
  /// columns the cells of the first column are shortened, down to a dozen; 0: none is.
  std::string text(size_t width = 0) const;

private:
  std::vector<std::vector<std::string>> rows; // the first one is the headers
  std::vector<bool> right;
  std::string separator; // of columns
};

using daedalus::grouped;

/// The time of a device: "12,345 ticks" or, where its clock is known, "12.3 us"; "-" of none.
std::string deviceTimeText(uint64_t ticks, double ticksPerMicrosecond);
/// "12.3%"; "-" where the whole is zero.
std::string percent(double part, double whole);

} // namespace daedalus::report
