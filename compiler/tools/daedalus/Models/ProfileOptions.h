// What `daedalus profile` is asked for.
#pragma once

#include "Models/ModelOptions.h"
#include "Report/Profile/ProfileReport.h"
#include "cli/Names.h"

#include <string>
#include <vector>

namespace daedalus::cli {

struct ProfileOptions : ModelOptions {
  std::string output, trace, report, waves, dot, window, energyTable, engine = "systemc";
  std::vector<std::string> inputs, compared; ///< two saved profiles, or none
  uint64_t threads = 1;
  bool json = false, instructions = false, whatIf = false, energy = false, noNative = false;
  TableOptions table;
};

/// Declares all of them; `options` lives as long as the command.
void declareProfileOptions(CLI::App &command, ProfileOptions &options);

/// Usage where two of them do not go together.
void checkOptions(const ProfileOptions &options);

} // namespace daedalus::cli
