// Values of options that are one of a closed list.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace daedalus::cli {

/// Takes one of these values; the error suggests the nearest one and lists all. Help shows them.
CLI::Validator oneOf(std::vector<std::string> choices);

/// Shows these values in help, and leaves the check of a value to `check`.
CLI::Validator choiceOf(const std::vector<std::string> &choices,
                        std::function<std::string(std::string &)> check);

} // namespace daedalus::cli
