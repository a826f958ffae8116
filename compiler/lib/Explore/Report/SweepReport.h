// A sweep as one HTML file, for people: the front, all points, what each key is worth, without a network.
#pragma once

#include "Explore/Report/SweepData.h"

#include <string>

namespace daedalus::explore {

/// The page. `all` are the points that compare, ranked by the sweep's objectives; `profiles` are those of
/// frontProfiles().
std::string sweepReport(const ReportedSweep &sweep, const std::vector<Ranked> &all,
                        const report::Json &profiles);

} // namespace daedalus::explore
