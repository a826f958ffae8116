// A target that exists in the tests alone: kernels of one elementwise block on the vector machine of
// tests/support, which has a memory of its own. This is all that a new target takes.
#pragma once

#include "daedalus/Target/Target.h"

namespace daedalus::test {

/// Declared as --vector-machine-cost.
struct VectorSettings {
  static constexpr const char *target = "vector-machine";
  /// What it says that a kernel costs; placement takes the cheapest of the targets that take it.
  double microseconds = 1e-6;
};

std::unique_ptr<Target> createVectorTarget();

} // namespace daedalus::test
