// The read channels of a bound (docs/intervals.md), one of FETCH and one of LOAD, in place of the arbiter and
// the channel behind it.
#pragma once

#include "systemc/read_burst.h"
#include "systemc/run.h"

#include <array>

namespace daedalus::sim::systemc {

class PrivateChannels {
public:
  void reset() { *this = PrivateChannels(); }
  /// Whether the request is put off to the next cycle: in an upper bound once each burst of FETCH for which
  /// LOAD may compete.
  bool putsOff(const Run &run, ReaderId reader);
  ReadBurst grant(const Run &run, Cycle now, ReaderId reader, uint64_t beats);

private:
  ReadBurst grantPlainly(Cycle now, ReaderId reader, uint64_t beats, Cycle latency);
  ReadBurst grantBehindLoad(const Run &run, Cycle now, uint64_t beats);

  std::array<Cycle, ReaderCount> free{}; ///< first cycles after the last beats of the bursts so far
  uint64_t fetched = 0;                  ///< bursts
  bool isPutOff = false;                 ///< FETCH's request
};

} // namespace daedalus::sim::systemc
