// See TunedPlans.h.
#include "PlanSearch/TunedPlans.h"

#include "daedalus/isa/dram.h"

#include <algorithm>

namespace daedalus::plansearch {
namespace {

using accelerator::Tuned;
using accelerator::TunedGroup;
using accelerator::TunedStream;

/// All keys, memory and clock too, a line each: what cycles depend on, and near machines are compared by.
std::string textOf(const isa::Machine &machine) {
  std::string text;
  for (const auto &[key, value] : isa::numbersOf(machine))
    text += key + "=" + std::to_string(value) + "\n";
  return text;
}

std::string planText(const TunedStream &stream) {
  std::string text;
  for (const TunedGroup &group : stream)
    text += accelerator::textOf(group) + "\n";
  return text;
}

Result<TunedStream> streamOf(const std::string &text) {
  TunedStream stream;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find("\n\n", begin), text.size());
    Result<TunedGroup> group = accelerator::tunedGroup(text.substr(begin, end - begin));
    if (!group)
      return error(group.error());
    stream.push_back(std::move(*group));
    begin = end + 2;
  }
  return stream;
}

std::string kernelsOf(const TunedStream &stream) {
  std::string text;
  for (const TunedGroup &group : stream)
    for (const std::string &kernel : group.kernels)
      text += kernel + " ";
  return text;
}

void addGroups(Tuned &tuned) {
  for (const TunedStream &stream : tuned.streams)
    for (const TunedGroup &group : stream)
      if (std::find(tuned.groups.begin(), tuned.groups.end(), group) == tuned.groups.end())
        tuned.groups.push_back(group);
  std::stable_sort(tuned.groups.begin(), tuned.groups.end(), [](const TunedGroup &a, const TunedGroup &b) {
    return a.kernels.size() > b.kernels.size();
  });
}

} // namespace

Result<Tuned> readPlans(const TuneDatabase &database, const isa::Machine &machine) {
  const Result<std::vector<TunedRow>> rows = database.rows(PlanSection);
  if (!rows)
    return error(rows.error());
  const std::string own = textOf(machine);
  Tuned tuned;
  for (const TunedRow &row : *rows) {
    if (row.device != own || row.version != ownVersion())
      continue;
    Result<TunedStream> stream = streamOf(row.schedule);
    if (!stream)
      return error("'" + database.file() + "': " + stream.error());
    tuned.streams.push_back(std::move(*stream));
  }
  addGroups(tuned);
  return tuned;
}

Result<Tuned> readOtherPlans(const TuneDatabase &database, const isa::Machine &machine) {
  const Result<std::vector<TunedRow>> rows = database.rows(PlanSection);
  if (!rows)
    return error(rows.error());
  const std::string own = textOf(machine);
  std::vector<std::pair<size_t, TunedStream>> near;
  for (const TunedRow &row : *rows)
    if (row.device != own || row.version != ownVersion())
      if (Result<TunedStream> stream = streamOf(row.schedule))
        near.emplace_back(differences(own, row.device), std::move(*stream));
  std::stable_sort(near.begin(), near.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  Tuned tuned;
  for (auto &[distance, stream] : near)
    tuned.streams.push_back(std::move(stream));
  return tuned;
}

TunedRow rowOf(const isa::Machine &machine, const TunedStream &stream, uint64_t plannedCycles,
               uint64_t tunedCycles) {
  return {PlanSection,      kernelsOf(stream),     textOf(machine),     ownVersion(),
          planText(stream), double(plannedCycles), double(tunedCycles), "cycles"};
}

} // namespace daedalus::plansearch
