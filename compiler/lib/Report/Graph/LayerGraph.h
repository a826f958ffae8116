// Which layers read what which layers wrote.
#pragma once

#include "daedalus/isa/machine.h"
#include "daedalus/package/package.h"

#include <set>
#include <vector>

namespace daedalus::report {

/// By layer: the other layers whose results its steps and instructions read, in a call of the package's first
/// function. What a copy moves stays its writer's. `machine`: of the accelerator programs; null where there
/// are none.
std::vector<std::set<uint32_t>> sourcesOf(const package::Package &package, const isa::Machine *machine);

} // namespace daedalus::report
