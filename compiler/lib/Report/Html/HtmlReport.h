// A profile as one HTML file, for people: tables, charts and a timeline, without a network.
#pragma once

#include "Report/Profile/Compare.h"
#include "Report/Profile/ProfileReport.h"

#include <string>
#include <vector>

namespace daedalus::report {

/// The page. `profile` is profileJson(run, true), perhaps with "what_if": the page carries its bytes (dump)
/// and draws from them.
std::string htmlReport(const ProfiledRun &run, const Json &profile);

/// The page of the profile `after`, with `before` beside it.
std::string htmlComparison(const SavedProfile &before, const SavedProfile &after);

/// The three sentences that matter most, of a profile with cycles: the layer with most of the critical path,
/// what the path is made of, and the layer in which the array loses most. Fewer where there is no such layer.
std::vector<std::string> findings(const Json &profile);

/// What the page draws and the profile lacks: the machine's roofs, the utilisation of the whole run, and what
/// each module did, in columns (docs/profile.md#the-report).
Json reportFacts(const ProfiledRun &run);

} // namespace daedalus::report
