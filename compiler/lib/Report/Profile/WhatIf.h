// What a change of the machine would be worth: estimated from the critical path, and measured with the same
// instructions on the changed machine.
#pragma once

#include "Report/Profile/ProfileReport.h"

#include "daedalus/support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::report {

struct WhatIf {
  std::string change;     ///< "no latency of the memory"
  std::string why;        ///< why it cannot be; empty where it can
  uint64_t estimated = 0; ///< cycles: those of the run less the part of the path that the change takes
  std::optional<uint64_t> measured; ///< cycles of a run
};

/// Of a run with accelerator programs, each change by itself.
Result<std::vector<WhatIf>> whatIfs(const ProfiledRun &run);

std::string whatIfText(const ProfiledRun &run, const std::vector<WhatIf> &all);
Json whatIfJson(const std::vector<WhatIf> &all);

} // namespace daedalus::report
