// A profile, for people and for programs.
#pragma once

#include "Report/Json.h"
#include "Report/Profile/ProfileSums.h"
#include "daedalus/isa/machine.h"

#include <string>

namespace daedalus::report {

/// What a report is about.
struct ProfiledRun {
  std::string model, engine;
  const isa::Machine *machine = nullptr; ///< null: no accelerator programs
  const package::Package &package;
  const runtime::RunResult &result;
};

/// The layers with their share of the critical path, what they waited for in it, and what the modules did for
/// them; then what each module did in all cycles.
std::string profileText(const ProfiledRun &run);

/// docs/profile.schema.json. With `instructions` one entry for each.
Json profileJson(const ProfiledRun &run, bool instructions);

} // namespace daedalus::report
