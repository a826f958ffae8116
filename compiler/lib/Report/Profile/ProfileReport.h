// A profile, for people and for programs.
#pragma once

#include "Report/Energy/EnergyTable.h"
#include "Report/Json.h"
#include "Report/Profile/ProfileSums.h"
#include "daedalus/isa/machine.h"

#include <string>

namespace daedalus::report {

/// Version of docs/profile.schema.json.
constexpr int profileSchema = 2;

/// What a report is about.
struct ProfiledRun {
  std::string model, engine;
  const isa::Machine *machine = nullptr; ///< null: no accelerator programs
  const package::Package &package;
  const runtime::RunResult &result;
  const EnergyTable *energy = nullptr; ///< by which energy is estimated; null: it is not
};

/// What layers are sorted by, the largest first; or the order of the network.
enum class RowOrder { Network, Path, Over, Bytes };

struct TableOptions {
  bool wide = false; ///< all columns
  RowOrder order = RowOrder::Network;
  size_t top = 0;   ///< so many layers, and the others as one row; 0: all
  size_t width = 0; ///< columns that lines have at most, by shorter names; 0: as many as they need
};

/// The layers with their share of the critical path, their bound, what limits them and what they move; then
/// what each module did in all cycles.
std::string profileText(const ProfiledRun &run, const TableOptions &options = {});

/// docs/profile.schema.json. With `instructions` one entry for each.
Json profileJson(const ProfiledRun &run, bool instructions);

} // namespace daedalus::report
