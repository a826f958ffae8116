// The DRAM behind the bus (docs/timing.md, "DRAM"), the same for `systemc` and for the memory behind the RTL:
// first come, first served, rows left open, all banks refreshed together. It answers when its next burst
// would be ready; the bus adds what bursts do to each other there.
#pragma once

#include "daedalus/isa/dram.h"
#include "daedalus/simulator/dram_activity.h"

#include <array>
#include <cstdint>
#include <vector>

namespace daedalus::sim {

class DramModel {
public:
  /// Of a machine with a DRAM.
  explicit DramModel(const isa::Machine &machine);

  /// The stated state of R1: all rows closed, the first refresh due t_refi cycles from now on.
  void reset();

  /// Cycles of the machine's clock from the address in cycle `at` to the first beat of the burst, which then
  /// comes without gaps. Bursts are asked for in the order of their addresses and of their last write beats;
  /// a read before a write in the same cycle.
  uint64_t read(uint64_t at, uint64_t address, uint64_t beats);
  /// The same from the last write beat to the response: the cycle in which all data are in their rows.
  uint64_t write(uint64_t at, uint64_t address, uint64_t beats);

  /// Since the last reset.
  const DramActivity &activity() const { return done; }

private:
  using Cycle = uint64_t; ///< of the DRAM's clock

  struct Bank {
    bool isOpen = false;
    uint64_t row = 0;
    Cycle opened = 0;   ///< of the open row
    Cycle closable = 0; ///< the open row, from here on
    Cycle openable = 0; ///< where it is closed: a row may be opened from here on
  };
  /// When a command of a kind was last given, or Never.
  struct Last {
    Cycle open, read, write;
  };
  struct Place {
    unsigned bank, group;
    uint64_t row;
  };
  /// When an access would open its row, if it has to, and read or write.
  struct Plan {
    bool opens, closes;
    Cycle open, column;
  };

  Place placeOf(uint64_t access) const;
  Plan plan(const Place &place, Cycle from, bool isWrite) const;
  Cycle firstOpen(const Place &place, Cycle from) const;
  Cycle firstColumn(const Place &place, Cycle from, bool isWrite) const;
  Cycle access(uint64_t access, Cycle from, bool isWrite);
  template <class Seen>
  void accessAll(uint64_t at, uint64_t address, uint64_t beats, bool isWrite, Seen seen);
  void commit(const Place &place, const Plan &plan, bool isWrite);
  void refresh();
  uint64_t latency(uint64_t at, uint64_t ready) const;

  const isa::Machine machine;
  const unsigned dataCycles; ///< of an access on the data bus
  std::vector<Bank> banks;
  Last last;                   ///< in any group
  std::vector<Last> lastOf;    ///< in each group
  std::array<Cycle, 4> opened; ///< of the last rows, the oldest first
  Cycle due = 0;               ///< of the next refresh
  DramActivity done;
};

} // namespace daedalus::sim
