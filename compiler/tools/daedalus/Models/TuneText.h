// What daedalus tune found, as text and as JSON.
#pragma once

#include "PlanSearch/PlanTuner.h"
#include "Report/Json.h"
#include "Tuning/ScheduleSearch.h"
#include "cli/Names.h"

#include <optional>
#include <string>

namespace daedalus::cli {

/// Of each search that had something to try.
struct Tuned {
  std::optional<plansearch::Tuning> plans;
  std::optional<Searched> schedules;
  unsigned threads = 1;   ///< of the schedules
  std::string unmeasured; ///< why schedules were not searched for, where there are plans; empty: they were
};

/// `use`: the command that compiles with it.
std::string tunedText(const Tuned &tuned, const std::string &use);
Json tunedJson(const Tuned &tuned);

} // namespace daedalus::cli
