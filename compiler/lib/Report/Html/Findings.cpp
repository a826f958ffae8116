// See HtmlReport.h. Every figure is one of the JSON's, or a sum or a share of such.
#include "Report/Html/HtmlReport.h"
#include "Report/Table.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace daedalus::report {
namespace {

/// Cycles of the path by what decided, such as "GEMM works".
using Parts = std::map<std::string, uint64_t>;

std::string upper(std::string name) {
  for (char &letter : name)
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return name;
}

/// "LOAD waits for the memory", of a module and its class.
std::string phraseOf(const std::string &module, const std::string &what) {
  static const std::map<std::string, std::string> verbs{{"busy", "works"},
                                                        {"memory", "waits for the memory"},
                                                        {"bus", "waits for the bus"},
                                                        {"queue_full", "waits for room in a queue"},
                                                        {"idle", "has not begun"}};
  const auto verb = verbs.find(what);
  return upper(module) + " " + (verb == verbs.end() ? "is in " + what : verb->second);
}

void add(Parts &parts, const Json &path) {
  for (const auto &[module, classes] : path.items())
    for (const auto &[what, cycles] : classes.items())
      parts[phraseOf(module, what)] += cycles.get<uint64_t>();
}

/// The largest first.
std::vector<std::pair<std::string, uint64_t>> sorted(const Parts &parts) {
  std::vector<std::pair<std::string, uint64_t>> all(parts.begin(), parts.end());
  std::stable_sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
  return all;
}

std::string share(uint64_t part, uint64_t whole) {
  return percent(static_cast<double>(part), static_cast<double>(whole));
}

std::optional<std::string> decidingLayer(const Json &profile) {
  const Json *most = nullptr;
  for (const Json &layer : profile["layers"])
    if (!most || layer["path_cycles"].get<uint64_t>() > (*most)["path_cycles"].get<uint64_t>())
      most = &layer;
  if (!most || (*most)["path_cycles"].get<uint64_t>() == 0)
    return std::nullopt;
  const uint64_t cycles = (*most)["path_cycles"].get<uint64_t>();
  Parts parts;
  add(parts, (*most)["path"]);
  const auto [what, part] = sorted(parts).front();
  return (*most)["node"].get<std::string>() + " decides " + share(cycles, profile["cycles"].get<uint64_t>()) +
         " of the run, " + grouped(cycles) + " cycles; " + what + " in " + share(part, cycles) + " of them.";
}

std::string wholePath(const Json &profile) {
  constexpr size_t most = 3;
  Parts parts;
  for (const Json &layer : profile["layers"])
    add(parts, layer["path"]);
  add(parts, profile["none"]["path"]);
  const auto all = sorted(parts);
  const size_t shown = std::min(most, all.size());
  std::string text = "Of the cycles that decide the length of the run, ";
  for (size_t i = 0; i < shown; ++i)
    text += (i == 0           ? ""
             : i + 1 == shown ? " and "
                              : ", ") +
            all[i].first + " in " + share(all[i].second, profile["cycles"].get<uint64_t>());
  return text + ".";
}

uint64_t gemmCycles(const Json &layer) {
  uint64_t cycles = 0;
  if (const auto gemm = layer["modules"].find("gemm"); gemm != layer["modules"].end())
    for (const auto &[what, count] : gemm->items())
      cycles += count.get<uint64_t>();
  return cycles;
}

std::optional<std::string> lostProducts(const Json &profile) {
  const Json *most = nullptr;
  double mostLost = 0;
  for (const Json &layer : profile["layers"]) {
    if (!layer.contains("utilisation"))
      continue;
    const double lost = (1 - layer["utilisation"].get<double>()) * static_cast<double>(gemmCycles(layer));
    if (lost > mostLost)
      std::tie(most, mostLost) = std::make_pair(&layer, lost);
  }
  if (!most)
    return std::nullopt;
  return "The array loses most in " + (*most)["node"].get<std::string>() + ": it does " +
         percent((*most)["utilisation"].get<double>(), 1) + " of the products that fit into the " +
         grouped(gemmCycles(*most)) + " cycles that GEMM has for it.";
}

} // namespace

std::vector<std::string> findings(const Json &profile) {
  std::vector<std::string> sentences;
  if (profile["cycles"].get<uint64_t>() == 0)
    return sentences;
  if (auto sentence = decidingLayer(profile))
    sentences.push_back(*sentence);
  sentences.push_back(wholePath(profile));
  if (auto sentence = lostProducts(profile))
    sentences.push_back(*sentence);
  return sentences;
}

} // namespace daedalus::report
