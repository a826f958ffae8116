// What of the accelerator a package uses, read from its instructions: operations, and the transformations
// that a plan made of its kernels.
#pragma once

#include "daedalus/package/package.h"

#include <set>
#include <string>
#include <vector>

namespace daedalus::testing {

/// "gemm", "vector mul", "vector max, reducing", "load with fill", "fold columns", ...
std::set<std::string> featuresOf(const package::Package &package);

/// Those of the instruction set alone: GEMM, each operation of VECTOR, in each of its forms.
std::vector<std::string> instructionFeatures();

} // namespace daedalus::testing
