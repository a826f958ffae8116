// The subcommands of `daedalus-bench`.
#pragma once

#include "cli/CommandLine.h"

namespace daedalus::cli {

/// `convs` and `networks`: the models of that kind.
void addBenchModels(CLI::App &app, const char *kind, const char *what);
/// `gpu`.
void addBenchGpu(CLI::App &app);
/// `cpu`.
void addBenchCpu(CLI::App &app);

} // namespace daedalus::cli
