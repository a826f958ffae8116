// Rows of a scratchpad in another form, as a kernel wants them: each is converted once in an instruction, at
// its first use.
#pragma once

#include "kernels/host.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace daedalus::sim::kernels {

template <class T> class Converted {
public:
  /// The next instruction: rows 0 to `rows` - 1 of that many elements, none of which is converted.
  void begin(size_t rows, size_t elements) {
    width = elements;
    if (stamps.size() < rows)
      stamps.resize(rows);
    if (values.size() < rows * elements)
      values.resize(rows * elements);
    ++stamp;
  }

  /// The row, which `convert(T *row)` fills where the instruction has not used it before.
  template <class Convert> DAEDALUS_ALWAYS_INLINE const T *get(int64_t row, Convert convert) {
    T *converted = values.data() + size_t(row) * width;
    if (stamps[size_t(row)] != stamp) {
      stamps[size_t(row)] = stamp;
      convert(converted);
    }
    return converted;
  }

  /// The row, which the instruction has used before.
  const T *converted(int64_t row) const { return values.data() + size_t(row) * width; }

private:
  std::vector<uint64_t> stamps; ///< of the instruction that converted the row
  std::vector<T> values;
  size_t width = 0;
  uint64_t stamp = 0;
};

} // namespace daedalus::sim::kernels
