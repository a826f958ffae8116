// What a DRAM did in a run (docs/timing.md, "DRAM").
#pragma once

#include <cstdint>
#include <vector>

namespace daedalus::sim {

/// Accesses by what they found in their bank; an access is one read or write command.
struct RowCounts {
  uint64_t hits = 0;      ///< their row was open
  uint64_t misses = 0;    ///< no row was open
  uint64_t conflicts = 0; ///< another row was open and had to be closed
  uint64_t accesses() const { return hits + misses + conflicts; }
  bool operator==(const RowCounts &other) const {
    return hits == other.hits && misses == other.misses && conflicts == other.conflicts;
  }
};

/// The cycles `first` to `end` - 1 of the machine's clock, counted from START, in which all banks are
/// refreshed.
struct DramRefresh {
  uint64_t first = 0, end = 0;
  bool operator==(const DramRefresh &other) const { return first == other.first && end == other.end; }
};

struct DramActivity {
  RowCounts reads, writes;
  std::vector<DramRefresh> refreshes; ///< those before the last access
  bool operator==(const DramActivity &other) const {
    return reads == other.reads && writes == other.writes && refreshes == other.refreshes;
  }
};

} // namespace daedalus::sim
