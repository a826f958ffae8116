// Who reads, and what a reader gets.
#pragma once

#include "daedalus/isa/instructions.h"
#include "systemc/cycle.h"

namespace daedalus::sim::systemc {

enum ReaderId { FetchReader, LoadReader, ReaderCount };
constexpr isa::CounterModule moduleOf(ReaderId reader) {
  return reader == FetchReader ? isa::CounterModule::Fetch : isa::CounterModule::Load;
}

/// The beats of a granted read burst: the first and the last are on the bus in these cycles, or Never.
struct ReadBurst {
  Cycle first = Never, last = Never;
  uint64_t arrives = 0; ///< beats that come, from the first on
};

/// A read of one beat by another master than the accelerator.
struct HostRead {
  Cycle beat = 0;  ///< the cycle in which it is on the bus, or Never
  Cycle waits = 0; ///< cycles that it came later for beats before it
};

} // namespace daedalus::sim::systemc
