// See DramFigures.h.
#include "Report/Profile/DramFigures.h"

#include "Report/Table.h"
#include "daedalus/isa/dram.h"

namespace daedalus::report {
namespace {

void add(sim::RowCounts &sum, const sim::RowCounts &rows) {
  sum.hits += rows.hits;
  sum.misses += rows.misses;
  sum.conflicts += rows.conflicts;
}

std::string rowsText(const sim::RowCounts &rows) {
  return grouped(rows.accesses()) + " (" +
         percent(static_cast<double>(rows.hits), static_cast<double>(rows.accesses())) + " row hits, " +
         grouped(rows.conflicts) + " row conflicts)";
}

Json rowsJson(const sim::RowCounts &rows) {
  return {{"hits", rows.hits}, {"misses", rows.misses}, {"conflicts", rows.conflicts}};
}

} // namespace

DramFigures dramFigures(const ProfiledRun &run) {
  DramFigures figures;
  for (const runtime::ProgramProfile &program : run.result.profiles) {
    const sim::DramActivity &activity = program.profile->dram;
    add(figures.reads, activity.reads);
    add(figures.writes, activity.writes);
    figures.refreshes += activity.refreshes.size();
    for (const sim::DramRefresh &refresh : activity.refreshes)
      figures.refreshCycles += refresh.end - refresh.first;
  }
  return figures;
}

std::string dramText(const ProfiledRun &run) {
  if (!run.machine || !run.machine->memoryModel)
    return "";
  const DramFigures figures = dramFigures(run);
  return isa::memoryModelName(*run.machine) + ": reads " + rowsText(figures.reads) + ", writes " +
         rowsText(figures.writes) + ", " + grouped(figures.refreshes) + " refreshes in " +
         grouped(figures.refreshCycles) + " cycles\n";
}

Json dramJson(const ProfiledRun &run) {
  const DramFigures figures = dramFigures(run);
  return {{"model", isa::memoryModelName(*run.machine)},
          {"reads", rowsJson(figures.reads)},
          {"writes", rowsJson(figures.writes)},
          {"refreshes", figures.refreshes},
          {"refresh_cycles", figures.refreshCycles}};
}

} // namespace daedalus::report
