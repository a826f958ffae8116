// What `compile` says of a package when it is done.
#pragma once

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/isa/machine.h"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::report {

/// A line for the package, one for each target that has layers, one where the CPU's layers take longer than
/// the expected cycles at the machine's clock, and one for the reason that costs most on the CPU, where the
/// CPU has layers that it does not want for itself. `cycles`: those expected of the accelerator. `hostTimes`:
/// the microseconds of each layer on the CPU; nothing: not measured.
std::string summaryText(const Compiled &compiled, const isa::Machine &machine, uint64_t cycles,
                        const std::optional<std::vector<double>> &hostTimes);

} // namespace daedalus::report
