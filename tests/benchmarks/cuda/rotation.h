// How long a package's one kernel takes on data that no cache holds.
#pragma once

#include "numbers.h"

#include "daedalus/package/package.h"

namespace daedalus::test {

/// By the clock of the package's device, in milliseconds, or in ticks where it has none: many launches,
/// queued one behind the other, that take turns with `turnsOf` sets of operands. What the kernel reads is
/// random. The error says that the package has other than one kernel.
Result<std::vector<double>> timesOfKernel(const package::Package &package, Random &random);

} // namespace daedalus::test
