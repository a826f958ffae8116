// Hands a run to the platform.
#include "systemc/engine.h"

#include "systemc/platform.h"

namespace daedalus::sim::systemc {

bool Engine::execute(uint64_t cycles, bool begins) {
  if (!begins)
    return Platform::instance().advance(cycles);
  Run job;
  job.core = &core;
  job.machine = &core.machine;
  job.record = &record;
  job.programAddress = programAddress;
  job.programLength = programLength;
  job.results = !options.timingOnly;
  job.memory = options.memory;
  Platform::instance().start(job);
  return Platform::instance().advance(cycles);
}

} // namespace daedalus::sim::systemc
