// See TunedSchedules.h.
#include "PlanSearch/TunedSchedules.h"

#include "daedalus/Pipelines/Schedules.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace daedalus::plansearch {
namespace {

/// The rows of the kernels' sections for the same kernels, each with its kernel.
Result<std::vector<std::pair<TunedRow, const ScheduledKernel *>>>
rowsFor(const TuneDatabase &database, const std::vector<ScheduledKernel> &kernels) {
  std::map<std::string, std::map<std::string, const ScheduledKernel *>> bySections;
  for (const ScheduledKernel &kernel : kernels)
    bySections[kernel.entry.section][kernel.entry.key] = &kernel;
  std::vector<std::pair<TunedRow, const ScheduledKernel *>> all;
  for (const auto &[section, byKeys] : bySections) {
    const Result<std::vector<TunedRow>> rows = database.rows(section);
    if (!rows)
      return error(rows.error());
    for (const TunedRow &row : *rows)
      if (const auto kernel = byKeys.find(row.kernels); kernel != byKeys.end())
        all.emplace_back(row, kernel->second);
  }
  return all;
}

bool isOwn(const TunedRow &row, const ScheduledKernel &kernel) {
  return row.device == kernel.device && row.version == ownVersion();
}

} // namespace

Result<bool> hasSchedules(const TuneDatabase &database) {
  const Result<std::vector<std::string>> sections = database.sections();
  if (!sections)
    return error(sections.error());
  return std::any_of(sections->begin(), sections->end(),
                     [](const std::string &section) { return section != PlanSection; });
}

Result<std::vector<ScheduleEntry>> readSchedules(const TuneDatabase &database,
                                                 const std::vector<ScheduledKernel> &kernels) {
  const auto rows = rowsFor(database, kernels);
  if (!rows)
    return error(rows.error());
  std::vector<ScheduleEntry> entries;
  for (const auto &[row, kernel] : *rows)
    if (isOwn(row, *kernel))
      entries.push_back({row.kernels, row.schedule, row.section});
  if (Result<void> good = checkEntries(entries, database.file()); !good)
    return error(good.error());
  return entries;
}

Result<std::vector<ScheduleEntry>> readOtherSchedules(const TuneDatabase &database,
                                                      const std::vector<ScheduledKernel> &kernels) {
  const auto rows = rowsFor(database, kernels);
  if (!rows)
    return error(rows.error());
  std::vector<std::pair<size_t, ScheduleEntry>> near;
  for (const auto &[row, kernel] : *rows) {
    const ScheduleEntry entry{row.kernels, row.schedule, row.section};
    if (!isOwn(row, *kernel) && checkEntries({entry}, database.file()))
      near.emplace_back(differences(kernel->device, row.device), entry);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<ScheduleEntry> entries;
  std::set<std::string> seen;
  for (const auto &[distance, entry] : near)
    if (seen.insert(entry.section + entry.text).second)
      entries.push_back(entry);
  return entries;
}

TunedRow rowOf(const tuning::SearchedKernel &kernel) {
  const bool isCounted = kernel.clock == tuning::Clock::None;
  const auto number = [&](double seconds) { return isCounted ? std::round(seconds * 1e9) : seconds; };
  return {kernel.entry.section, kernel.entry.key,
          kernel.device,        ownVersion(),
          kernel.entry.text,    number(kernel.before),
          number(kernel.after), isCounted ? "instructions" : "seconds"};
}

} // namespace daedalus::plansearch
