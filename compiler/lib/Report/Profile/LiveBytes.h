// How many bytes of one scratchpad are live, cycle by cycle: written, and still to be read.
#pragma once

#include "Report/RangeMap.h"

#include <utility>
#include <vector>

namespace daedalus::report {

/// Takes writes and reads of bytes in the order of the program. A byte is live from the first cycle of the
/// instruction that writes it to the last cycle of the last one that reads what was written.
class LiveBytes {
public:
  /// Of an instruction that begins in cycle `start`.
  void write(isa::Range bytes, uint64_t start);

  /// Of an instruction that ends before cycle `behind`. Bytes that nothing wrote count for nothing.
  void read(isa::Range bytes, uint64_t behind);

  /// Cycles, sorted, and how many bytes more (or fewer) are live from that cycle on.
  std::vector<std::pair<uint64_t, int64_t>> takeChanges();

private:
  RangeMap<uint64_t> live; ///< of bytes written: the cycle up to which all is counted already
  std::vector<std::pair<uint64_t, int64_t>> changes;
};

} // namespace daedalus::report
