// Shared objects that bring targets and drivers. They are loaded before the command line is read, whose
// options and choices the targets make.
#pragma once

#include "cli/CommandLine.h"

namespace daedalus::cli {

/// Loads what --target-plugin and --driver name. Failed says what cannot be loaded.
void loadPlugins(int argc, char **argv);

/// Declares --target-plugin, which loadPlugins has obeyed.
void addTargetPluginOption(CLI::App &command);
/// Declares --driver, which loadPlugins has obeyed.
void addDriverOption(CLI::App &command);

} // namespace daedalus::cli
