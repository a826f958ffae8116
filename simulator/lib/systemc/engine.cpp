// Hands a run to the platform.
#include "systemc/engine.h"

#include "systemc/platform.h"

namespace daedalus::sim::systemc {

bool Engine::execute(uint64_t cycles, bool begins) {
  const Platform::Turn platform;
  if (begins)
    platform->start(job());
  else if (!platform->runs(record))
    return lost();
  return platform->advance(cycles);
}

Cycle Engine::nextEvent() const {
  const Platform::Turn platform;
  return platform->runs(record) ? platform->nextEvent() : 0;
}

HostRead Engine::readAsHost(Cycle at, uint64_t address) {
  const Platform::Turn platform;
  return platform->runs(record) ? platform->readAsHost(at, address)
                                : HostRead{at + core.machine.readLatency, 0};
}

Cycle Engine::writeAsHost(Cycle at, uint64_t address) {
  const Platform::Turn platform;
  return platform->runs(record) ? platform->writeAsHost(at, address) : at + core.machine.writeLatency;
}

Job Engine::job() {
  Job job;
  job.core = &core;
  job.machine = &core.machine;
  job.record = &record;
  job.decoded = &decoded;
  job.program = program;
  job.results = !options.timingOnly;
  job.memory = options.memory;
  job.memory.silence = silence;
  job.timing = timing;
  job.spans = spans;
  return job;
}

/// Another device started while this one stood still between two calls of advance().
bool Engine::lost() {
  record.fault.cause = isa::FaultCause::NoProgress;
  record.fault.detail =
      "another device of this process was started in the middle of this run, and SystemC holds one";
  return true;
}

} // namespace daedalus::sim::systemc
