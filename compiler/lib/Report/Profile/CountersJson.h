// Cycles by module and class, as profiles write them.
#pragma once

#include "Report/Json.h"
#include "daedalus/runtime/session.h"
#include "daedalus/simulator/profile.h"

namespace daedalus::report {

/// By class; those without cycles are left out.
Json countersJson(const sim::ClassCycles &cycles);

/// By module; those without cycles are left out.
Json countersJson(const runtime::Counters &counters);

} // namespace daedalus::report
