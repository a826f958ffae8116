// Completion of command lines in a shell, made of the declared commands and options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace daedalus::cli {

/// A script for bash that completes commands, options, values of closed lists, and files with the extensions
/// that the form of an option or argument names ("M.onnx|M.mlir").
std::string bashCompletion(const CLI::App &program);

/// Declares the command `completion`, which prints the script. After all other commands.
void addCompletion(CLI::App &program);

} // namespace daedalus::cli
