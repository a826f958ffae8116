// What `compile` says of a package when it is done.
#pragma once

#include "daedalus/Pipelines/Compile.h"

#include <string>

namespace daedalus::cli {

/// A line for the package, one for each target that has layers, and one for what would bring most to the
/// accelerator, where the CPU has layers that it does not want for itself.
std::string summaryText(const std::string &output, const Compiled &compiled);

} // namespace daedalus::cli
