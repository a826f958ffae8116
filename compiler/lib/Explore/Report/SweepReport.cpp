// See SweepReport.h.
#include "Explore/Report/SweepReport.h"

#include "Report/Html/Page.h"

namespace daedalus::explore {
namespace {

constexpr char pageText[] =
#include "sweep_page.inc"
    ;
constexpr std::string_view page(pageText, sizeof pageText - 1);

} // namespace

std::string sweepReport(const ReportedSweep &sweep, const std::vector<Ranked> &all,
                        const report::Json &profiles) {
  std::string networks;
  for (const std::string &network : sweep.networks)
    networks += (networks.empty() ? "" : ", ") + network;
  return report::filled(page, {{"NETWORKS", report::escaped(networks)},
                               {"SPACE", report::escaped(sweep.spaceFile)},
                               {"SWEEP", report::packed(sweepData(sweep, all))},
                               {"PROFILES", report::packed(profiles)}});
}

} // namespace daedalus::explore
