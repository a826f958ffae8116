// What is wrong with a command line that was not understood, as a sentence.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace daedalus::cli {

/// Begins the options of MLIR's own, which a command takes that allows extras.
constexpr const char *mlirPrefix = "--mlir-";

/// Names an unknown command or option, and the nearest one that is known; else what CLI11 found.
std::string explain(const CLI::App &app, const CLI::ParseError &error, int argc, char **argv);

} // namespace daedalus::cli
