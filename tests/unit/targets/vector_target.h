// A target that exists in the tests alone: kernels of one elementwise block on the vector machine of
// tests/support, which has a memory of its own. This is all that a new target takes.
#pragma once

#include "daedalus/Target/Target.h"

namespace daedalus::test {

/// What it says that a kernel costs, in microseconds; placement takes the cheapest of the targets that take
/// it.
std::unique_ptr<Target> createVectorTarget(const double *microseconds);

} // namespace daedalus::test
