// Hands a run to the platform.
#include "systemc/engine.h"

#include "systemc/platform.h"

namespace daedalus::sim::systemc {

void Engine::execute() {
  Run job;
  job.core = &core;
  job.machine = &core.machine;
  job.record = &record;
  job.programAddress = programAddress;
  job.programLength = programLength;
  job.results = !options.timingOnly;
  Platform::instance().execute(job);
}

} // namespace daedalus::sim::systemc
