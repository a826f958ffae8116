// What a change of the machine would be worth: estimated from the critical path, measured with the same
// instructions on the changed machine, and compiled again for it.
#pragma once

#include "Report/Profile/ProfileReport.h"

#include "daedalus/support/result.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::report {

struct WhatIf {
  std::string change; ///< "a memory that answers at once"
  std::string why;    ///< why there is no such machine; empty where there is
  std::optional<uint64_t>
      estimated; ///< cycles: those of the run less the part of the path that the change takes
  std::optional<uint64_t> measured; ///< cycles of the same instructions; nothing where they do not fit
  std::optional<uint64_t> compiled; ///< cycles of the model compiled for the changed machine

  /// The fewest of those that a run took.
  std::optional<uint64_t> best() const;
};

/// Compiles the model of the run for another machine.
using CompileFor = std::function<Result<package::Package>(const isa::Machine &)>;

/// Of a run with accelerator programs, each change by itself. Without `compile` nothing is compiled again.
Result<std::vector<WhatIf>> whatIfs(const ProfiledRun &run, const CompileFor &compile);

/// A table, and where no change saves a hundredth the sentence that says so.
std::string whatIfText(const ProfiledRun &run, const std::vector<WhatIf> &all);
Json whatIfJson(const std::vector<WhatIf> &all);

} // namespace daedalus::report
