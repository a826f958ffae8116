// See HtmlReport.h.
#include "Report/Html/HtmlReport.h"
#include "Report/Html/Page.h"

namespace daedalus::report {
namespace {

constexpr char pageText[] =
#include "report_page.inc"
    ;
constexpr std::string_view page(pageText, sizeof pageText - 1);

Json pairsJson(const std::vector<LayerPair> &pairs) {
  const auto index = [](const std::optional<size_t> &layer) { return layer ? Json(*layer) : Json(); };
  Json all = Json::array();
  for (const auto &[before, after] : pairs)
    all.push_back({index(before), index(after)});
  return all;
}

/// The page of a profile, from its JSON as it was written.
std::string pageOf(const std::string &model, const Json &profile, const Json &facts,
                   const std::string &before) {
  return filled(page, {{"MODEL", escaped(model)},
                       {"FINDINGS", itemsOf(findings(profile))},
                       {"PROFILE", packed(dump(profile))},
                       {"FACTS", packed(facts)},
                       {"BEFORE", before}});
}

} // namespace

std::string htmlReport(const ProfiledRun &run, const Json &profile) {
  return pageOf(run.model, profile, reportFacts(run), "");
}

std::string htmlComparison(const SavedProfile &before, const SavedProfile &after) {
  const Json facts = {
      {"before", before.path}, {"after", after.path}, {"pairs", pairsJson(pairsOf(before, after))}};
  return pageOf(after.json["model"].get<std::string>(), after.json, facts, packed(dump(before.json)));
}

} // namespace daedalus::report
