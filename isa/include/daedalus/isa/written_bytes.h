// Which bytes of the scratchpads have been written, instruction by instruction. Scratchpads hold what the
// program before left, so an instruction may only read what this program wrote: every byte of every row.
#pragma once

#include "daedalus/isa/footprint.h"

#include <array>
#include <unordered_map>
#include <vector>

namespace daedalus::isa {

class WrittenBytes {
public:
  explicit WrittenBytes(const Machine &machine);

  /// The first byte that an access reads and nothing wrote before.
  struct Missing {
    const ScratchAccess *access;
    int64_t slice;
    unsigned byte; ///< of the slice
    bool whole;    ///< nothing wrote to the slice at all
  };
  /// The first one that the instruction of this footprint reads.
  std::optional<Missing> missing(const Footprint &footprint) const;

  /// What the instruction writes is written from now on. The footprint is exact.
  void write(const Footprint &footprint);

private:
  struct Slices {
    std::vector<uint8_t> whole;                   ///< all bytes of the slice are written
    std::unordered_map<int64_t, uint64_t> partly; ///< slice to those of its bytes that are, if not all
  };
  std::optional<Missing> missing(const ScratchAccess &access) const;
  void writePart(Slices &slices, Range bytes);
  void writePart(Slices &slices, int64_t slice, int64_t begin, int64_t end);

  const int64_t n; ///< bytes of a slice that LOAD writes
  std::array<Slices, ScopeCount> scopes;
};

} // namespace daedalus::isa
