// What the DRAM of a machine did in a profiled run (docs/timing.md, "DRAM").
#pragma once

#include "Report/Json.h"
#include "Report/Profile/ProfileReport.h"

#include <string>

namespace daedalus::report {

/// Sums over the accelerator programs of the run; of a machine without a DRAM, zeros.
struct DramFigures {
  sim::RowCounts reads, writes;
  uint64_t refreshes = 0, refreshCycles = 0;
};
DramFigures dramFigures(const ProfiledRun &run);

/// A line, or nothing where the machine has no DRAM.
std::string dramText(const ProfiledRun &run);
/// Only of a machine with a DRAM.
Json dramJson(const ProfiledRun &run);

} // namespace daedalus::report
