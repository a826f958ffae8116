// What of the accelerator a package uses, read from its instructions: operations, and the transformations
// that a plan made of its kernels.
#pragma once

#include "daedalus/package/package.h"

#include <set>
#include <string>

namespace daedalus::testing {

/// "gemm", "vector mul", "vector max, reducing", "load with fill", "fold columns", ...
std::set<std::string> featuresOf(const package::Package &package);

} // namespace daedalus::testing
