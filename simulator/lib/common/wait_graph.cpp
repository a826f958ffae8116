// One clause for each that waits.
#include "common/wait_graph.h"

namespace daedalus::sim {

Fault noProgress(const std::vector<Waiting> &waits, std::optional<isa::Module> blocked,
                 uint32_t watchdogCycles) {
  Fault fault;
  fault.cause = isa::FaultCause::NoProgress;
  fault.index = ~uint32_t(0);
  std::string clauses;
  for (const Waiting &wait : waits) {
    clauses += (clauses.empty() ? "" : ", ") + std::string(isa::name(wait.module)) +
               " waits at instruction " + std::to_string(wait.index) + " for a token from " +
               isa::name(wait.missing);
    if (wait.index < fault.index) {
      fault.index = wait.index;
      fault.module = counterModule(wait.module);
    }
  }
  if (blocked)
    clauses += std::string(clauses.empty() ? "" : ", ") + "fetch waits for room in the queue of " +
               isa::name(*blocked);
  fault.detail = "nothing moved for " + std::to_string(watchdogCycles) + " cycles: " + clauses;
  return fault;
}

} // namespace daedalus::sim
