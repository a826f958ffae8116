// See Reasons.h.
#include "Explore/Reasons.h"

#include <algorithm>
#include <map>

namespace daedalus::explore {
namespace {

/// The text without the machine's name, which differs at each point.
std::string ofAnyMachine(std::string text, const std::string &machine) {
  const std::string named = "machine '" + machine + "'";
  if (const size_t at = text.find(named); at != std::string::npos)
    text.replace(at, named.size(), "the machine");
  return text;
}

/// Empty where all networks run.
std::string reasonOf(const PointResult &point, const std::vector<std::string> &networks) {
  if (!point.skipped.empty())
    return point.skipped;
  for (size_t i = 0; i < point.networks.size(); ++i) {
    const Outcome &outcome = point.networks[i];
    if (!outcome.cost)
      return networks[i] + ": " + ofAnyMachine(outcome.refused, point.machine);
    if (outcome.cost->cycles == 0)
      return networks[i] + ": no layer runs on the accelerator";
  }
  return "";
}

} // namespace

std::vector<Reason> reasonsOf(const std::vector<PointResult> &points,
                              const std::vector<std::string> &networks) {
  std::map<std::string, uint64_t> counts;
  for (const PointResult &point : points)
    if (const std::string reason = reasonOf(point, networks); !reason.empty())
      ++counts[reason];
  std::vector<Reason> reasons;
  for (const auto &[text, count] : counts)
    reasons.push_back({count, text});
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const Reason &a, const Reason &b) { return a.points > b.points; });
  return reasons;
}

} // namespace daedalus::explore
