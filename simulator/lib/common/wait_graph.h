// The fault `no_progress` as every cycle engine tells it: who waits for whom (R22, R24).
#pragma once

#include "common/fault.h"

#include <optional>
#include <vector>

namespace daedalus::sim {

/// The head of a module's queue that lacks a token.
struct Waiting {
  isa::Module module;
  uint32_t index;
  isa::Module missing;
};

/// The fault of the waiting instruction that is first in program order; `blocked` is the module whose full
/// queue holds up FETCH.
Fault noProgress(const std::vector<Waiting> &waits, std::optional<isa::Module> blocked,
                 uint32_t watchdogCycles);

} // namespace daedalus::sim
