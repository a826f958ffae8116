// The run in progress, as all modules of the platform see it.
#pragma once

#include "common/decoded_words.h"
#include "common/device_base.h"
#include "systemc/calendar.h"
#include "systemc/memory_timing.h"

namespace daedalus::sim::systemc {

/// What a device wants to be run.
struct Job {
  CoreState *core = nullptr;
  const isa::Machine *machine = nullptr;
  RunRecord *record = nullptr;
  DecodedWords *decoded = nullptr; ///< of this machine
  ProgramRegisters program;
  MemoryBehaviour memory;    ///< of the run
  MemoryTiming timing;       ///< instead of the machine's, where it says so
  bool results = true;       ///< false: timing only
  SpanSink *spans = nullptr; ///< who gets them, or nobody
};

struct Run : Job {
  Calendar clock;
};

/// A dispatched instruction.
struct Issued {
  isa::Instruction instruction;
  uint32_t index = 0; ///< in the program
  Cycle pushed = 0;   ///< seen by its module from the next cycle on (R6)
  unsigned waits = 0; ///< its isa::waitMask
};

} // namespace daedalus::sim::systemc
