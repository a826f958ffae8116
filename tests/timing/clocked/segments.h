// The counters of the address generators: the runs of a LOAD or STORE, and what of each is fill, burst after
// burst (R13, R18). Written as hardware has them, one step a segment, apart from isa/timing.h.
#pragma once

#include "clocked/shared.h"

namespace daedalus::clocked {

struct Segment {
  enum class Kind : uint8_t { Empty, Fill, Burst } kind = Kind::Empty;
  uint32_t bytes = 0, beats = 0;
  uint64_t address = 0; ///< DRAM address of a burst's first byte
  int64_t offset = 0;   ///< the same from the base register on
  int64_t scratch = 0;  ///< byte address of the first byte in the scratchpad
  bool last = false;    ///< of the instruction
};

/// Cuts data that starts at `address` at multiples of the longest burst.
Segment cutBurst(const isa::Machine &machine, uint64_t address, uint32_t bytes);

/// The first three loops of LOAD and STORE, innermost fastest.
template <class Loops> bool stepLoops(const Loops &loops, std::array<uint32_t, 3> &index) {
  for (int loop = 2; loop >= 0; --loop) {
    if (++index[loop] < loops[loop].count)
      return true;
    index[loop] = 0;
  }
  return false;
}

/// R13.
class LoadCursor {
public:
  LoadCursor(const isa::Load &load, const isa::Machine &machine, const Base &base);
  const Segment &segment() const { return current; }
  void next();
  /// What the current segment does wrong (R22, docs/decisions/0003), or None.
  FaultCause fault() const;

private:
  void beginRun();
  void cut();

  const isa::Load *load;
  const isa::Machine *machine;
  Base base;
  std::array<uint32_t, 3> index{};
  uint32_t before = 0, data = 0; ///< bytes of the run: fill, data, and the rest fill
  uint32_t at = 0;               ///< position in the run
  int64_t runOffset = 0, runDst = 0;
  Segment current;
};

/// R18.
class StoreCursor {
public:
  StoreCursor(const isa::Store &store, const isa::Machine &machine, const Base &base);
  const Segment &segment() const { return current; }
  void next();
  FaultCause fault() const;

private:
  void cut();

  const isa::Store *store;
  const isa::Machine *machine;
  Base base;
  std::array<uint32_t, 3> index{};
  uint32_t at = 0;
  Segment current;
};

} // namespace daedalus::clocked
