// Help of programs with commands: options that commands share are described once, by the program's own help.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace daedalus::cli {

/// The group of an option that commands declare alike.
constexpr const char *commonOptions = "Common options";

/// Help at most 100 columns wide. That of the program describes the common options of all its commands; that
/// of a command ends with the names of its own ones. For the program, before it gets its commands.
std::shared_ptr<CLI::FormatterBase> helpFormatter();

} // namespace daedalus::cli
