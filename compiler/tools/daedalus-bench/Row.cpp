#include "Row.h"

#include "Report/Figures.h"

#include "Report/Table.h"

#include <algorithm>
#include <cmath>

namespace daedalus::cli {
namespace {

std::vector<std::string> cellsOf(const CpuRow &row) {
  std::vector<std::string> cells = {row.c.name(), row.c.dtype(), std::to_string(row.threads)};
  if (row.ours.samples.empty())
    cells.insert(cells.end(), {"-", "-", "-"});
  else
    cells.insert(cells.end(), {microseconds(row.ours), spreadOf(row.ours), rateOf(row.c, row.ours.median())});
  if (const PeerTiming *peer = row.peer())
    cells.insert(cells.end(), {peer->name, peer->implementation, microseconds(peer->timing),
                               spreadOf(peer->timing), rateOf(row.c, peer->timing.median())});
  else
    cells.insert(cells.end(), {"absent", "-", "-", "-", "-"});
  cells.push_back(row.ratio() ? decimal(*row.ratio(), "%.3f") : "-");
  return cells;
}

std::string headerText(const CpuHeader &header, const std::string &code) {
  std::string text = header.processor + ", " + std::to_string(header.threads) +
                     (header.threads == 1 ? " thread" : " threads") +
                     "; microseconds of one run: medians of " + std::to_string(header.repeats) +
                     " batches in turns, warm caches, and the spread of the middle half\n";
  if (!code.empty())
    text += "ours: code for " + code + "\n";
  for (const std::string &peer : header.peers)
    text += "peer: " + peer + "\n";
  return text + "\n";
}

std::string groupOf(const CpuCase &c) {
  return c.dtype() + (c.isMemoryBound() ? " against a copy" : "");
}

std::string summaryText(const std::vector<CpuRow> &rows) {
  std::string text;
  for (const RatioSummary &group : summariesOf(rows))
    text += group.group + ", " + std::to_string(group.count) + (group.count == 1 ? " case" : " cases") +
            ": geometric mean of the ratios " + decimal(group.geometricMean, "%.3f") + ", smallest " +
            decimal(group.least, "%.3f") + " (" + group.leastCase + ")\n";
  return text;
}

std::string disturbanceText(const std::vector<CpuRow> &rows) {
  const auto count = std::count_if(rows.begin(), rows.end(), [](const CpuRow &row) {
    const PeerTiming *peer = row.peer();
    return isDisturbed(row.ours) || (peer && isDisturbed(peer->timing));
  });
  if (count == 0)
    return "";
  return std::to_string(count) + " of " + std::to_string(rows.size()) +
         " cases had batches with less than 90% of a processor: other work on this machine disturbs the "
         "figures\n";
}

/// What happened to single rows, each sentence once.
std::string notesText(const std::vector<CpuRow> &rows) {
  std::vector<std::string> notes;
  for (const CpuRow &row : rows) {
    if (!row.problem.empty())
      notes.push_back(row.c.label() + ": " + row.problem);
    for (const std::string &absent : row.absent)
      if (std::find(notes.begin(), notes.end(), absent) == notes.end())
        notes.push_back(absent);
  }
  std::string text;
  for (const std::string &note : notes)
    text += note + "\n";
  return text;
}

Json peersJson(const CpuRow &row) {
  Json peers = Json::array();
  for (const PeerTiming &peer : row.peers) {
    Json entry = {{"peer", peer.name}, {"implementation", peer.implementation}};
    entry.update(timingJson(peer.timing));
    peers.push_back(entry);
  }
  return peers;
}

Json rowJson(const CpuHeader &header, const CpuRow &row) {
  const PeerTiming *peer = row.peer();
  const bool isMeasured = !row.ours.samples.empty();
  Json entry = {{"name", row.c.name()}, {"dtype", row.c.dtype()}, {"threads", row.threads}};
  entry["seconds"] = isMeasured ? Json(row.ours.median()) : Json();
  entry["peer"] = peer ? Json(peer->name) : Json();
  entry["peer_seconds"] = peer ? Json(peer->timing.median()) : Json();
  entry["ratio"] = row.ratio() ? Json(*row.ratio()) : Json();
  entry["implementation"] = peer ? Json(peer->implementation) : Json();
  entry["macs"] = row.c.macs();
  entry["moved_bytes"] = row.c.movedBytes();
  entry["spread"] = isMeasured ? Json(row.ours.spread()) : Json();
  entry["peer_spread"] = peer ? Json(peer->timing.spread()) : Json();
  entry["code"] = row.code;
  entry["compile_seconds"] = row.compileSeconds;
  entry["ours"] = isMeasured ? timingJson(row.ours) : Json();
  entry["peers"] = peersJson(row);
  entry["absent"] = row.absent;
  entry["problem"] = row.problem.empty() ? Json() : Json(row.problem);
  entry["processor"] = header.processor;
  return entry;
}

} // namespace

const PeerTiming *CpuRow::peer() const {
  const auto fastest =
      std::min_element(peers.begin(), peers.end(), [](const PeerTiming &a, const PeerTiming &b) {
        return a.timing.median() < b.timing.median();
      });
  return fastest == peers.end() ? nullptr : &*fastest;
}

std::optional<double> CpuRow::ratio() const {
  const PeerTiming *other = peer();
  if (!other || ours.median() <= 0)
    return std::nullopt;
  return other->timing.median() / ours.median();
}

std::string rateOf(const CpuCase &c, double seconds) {
  const double amount = static_cast<double>(c.isMemoryBound() ? c.movedBytes() : c.macs());
  return decimal(amount / std::max(seconds, 1e-12) / 1e9, "%.1f") + (c.isMemoryBound() ? " GB/s" : " GMAC/s");
}

std::vector<RatioSummary> summariesOf(const std::vector<CpuRow> &rows) {
  std::vector<RatioSummary> groups;
  for (const CpuRow &row : rows) {
    if (!row.ratio())
      continue;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const RatioSummary &g) { return g.group == groupOf(row.c); });
    if (group == groups.end())
      group = groups.insert(groups.end(), {groupOf(row.c), 0, 0, INFINITY, ""});
    ++group->count;
    group->geometricMean += std::log(*row.ratio()); // the sum, until all are there
    if (*row.ratio() < group->least) {
      group->least = *row.ratio();
      group->leastCase = row.c.name();
    }
  }
  for (RatioSummary &group : groups)
    group.geometricMean = std::exp(group.geometricMean / static_cast<double>(group.count));
  return groups;
}

std::string textOf(const CpuHeader &header, const std::vector<CpuRow> &rows) {
  Table table({"case", "type", ">threads", ">ours us", ">spread", ">ours", "peer", "implementation",
               ">peer us", ">spread", ">peer's", ">ratio"});
  for (const CpuRow &row : rows)
    table.row(cellsOf(row));
  const std::string summary = summaryText(rows), notes = disturbanceText(rows) + notesText(rows);
  return headerText(header, rows.empty() ? "" : rows.front().code) + table.text() +
         (summary.empty() ? "" : "\n") + summary + (notes.empty() ? "" : "\n") + notes;
}

Json jsonOf(const CpuHeader &header, const std::vector<CpuRow> &rows) {
  Json list = Json::array();
  for (const CpuRow &row : rows)
    list.push_back(rowJson(header, row));
  return list;
}

} // namespace daedalus::cli
