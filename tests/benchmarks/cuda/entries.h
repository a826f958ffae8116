// What a folder of packages asks for: its file `list`, which packages.py writes.
//
//   check NAME RELATIVE ABSOLUTE       NAME.dae gives NAME/output_*.npy for NAME/input_*.npy; floats within
//   both time NAME product ROWS COLUMNS K   how long it takes, and that the product of two matrices is right
//   time NAME transposed ROWS COLUMNS K   of a matrix and a transposed one
//   time NAME bytes NUMBER             that it reads and writes
//   time NAME products NUMBER          that it computes
#pragma once

#include "daedalus/support/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::test {

struct Entry {
  enum class Kind { Check, Product, Transposed, Bytes, Products };
  Kind kind = Kind::Check;
  std::string name;
  double relative = 0, absolute = 0;      ///< of Check
  std::array<uint64_t, 3> sizes{1, 1, 1}; ///< of Product and Transposed; of Bytes and Products the first

  bool isTimed() const { return kind != Kind::Check; }
  bool isOfMatrices() const { return kind == Kind::Product || kind == Kind::Transposed; }
  double work() const { return double(sizes[0]) * double(sizes[1]) * double(sizes[2]); }
};

Result<std::vector<Entry>> readEntries(const std::string &folder);

} // namespace daedalus::test
