// See HtmlReport.h. The page is one template, put together when the tool is built (Page.cmake); a run fills
// in its title, its sentences and its data, which are JSON, compressed by zlib, in base64.
#include "Report/Html/HtmlReport.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"

#include <cassert>
#include <string_view>

namespace daedalus::report {
namespace {

constexpr char pageText[] =
#include "report_page.inc"
    ;
constexpr std::string_view page(pageText, sizeof pageText - 1);

/// As DecompressionStream("deflate") reads it, in base64.
std::string packed(const std::string &text) {
  llvm::SmallVector<uint8_t, 0> bytes;
  llvm::compression::zlib::compress(llvm::arrayRefFromStringRef(text), bytes,
                                    llvm::compression::zlib::BestSizeCompression);
  return llvm::encodeBase64(bytes);
}

std::string escaped(const std::string &text) {
  std::string html;
  for (const char letter : text)
    if (letter == '&')
      html += "&amp;";
    else if (letter == '<')
      html += "&lt;";
    else
      html += letter;
  return html;
}

std::string listOf(const std::vector<std::string> &sentences) {
  std::string items;
  for (const std::string &sentence : sentences)
    items += "<li>" + escaped(sentence) + "</li>\n";
  return items;
}

/// What stands in place of the template's marks.
struct Filling {
  std::string model;
  const Json &profile;
  std::string profileData, factsData, beforeData;
};

/// Of a mark "@@NAME@@".
std::string valueOf(std::string_view name, const Filling &filling) {
  if (name == "MODEL")
    return escaped(filling.model);
  if (name == "FINDINGS")
    return listOf(findings(filling.profile));
  if (name == "PROFILE")
    return filling.profileData;
  if (name == "FACTS")
    return filling.factsData;
  assert(name == "BEFORE" && "the template has no other marks");
  return filling.beforeData;
}

std::string filled(const Filling &filling) {
  constexpr std::string_view mark = "@@";
  std::string html;
  size_t at = 0;
  for (size_t open; (open = page.find(mark, at)) != page.npos;) {
    const size_t name = open + mark.size(), close = page.find(mark, name);
    html += page.substr(at, open - at);
    html += valueOf(page.substr(name, close - name), filling);
    at = close + mark.size();
  }
  return html += page.substr(at);
}

Json pairsJson(const std::vector<LayerPair> &pairs) {
  const auto index = [](const std::optional<size_t> &layer) { return layer ? Json(*layer) : Json(); };
  Json all = Json::array();
  for (const auto &[before, after] : pairs)
    all.push_back({index(before), index(after)});
  return all;
}

} // namespace

std::string htmlReport(const ProfiledRun &run, const Json &profile) {
  return filled({run.model, profile, packed(dump(profile)), packed(reportFacts(run).dump()), ""});
}

std::string htmlComparison(const SavedProfile &before, const SavedProfile &after) {
  const Json facts = {
      {"before", before.path}, {"after", after.path}, {"pairs", pairsJson(pairsOf(before, after))}};
  return filled({after.json["model"].get<std::string>(), after.json, packed(dump(after.json)),
                 packed(facts.dump(-1, ' ', false, Json::error_handler_t::replace)),
                 packed(dump(before.json))});
}

} // namespace daedalus::report
