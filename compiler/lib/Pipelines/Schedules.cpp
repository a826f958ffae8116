// Files of schedules, put together of entries.

#include "daedalus/Pipelines/Schedules.h"

#include "Diagnostics.h"
#include "ScheduleFile.h"

#include "daedalus/Pipelines/Passes.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"

#include <algorithm>

using namespace mlir;

namespace daedalus {
namespace {

/// A section of a file, of a dialect whose schedules are searched for.
struct Section {
  const SchedulingInterface *scheduling;
  std::vector<ScheduleEntry> entries;
  bool isThere = false; ///< in the file

  void put(const ScheduleEntry &entry) {
    const auto same = std::find_if(entries.begin(), entries.end(),
                                   [&](const ScheduleEntry &other) { return other.key == entry.key; });
    same == entries.end() ? entries.push_back(entry) : void(*same = entry);
  }
};

std::string textOf(const std::vector<Section> &sections, const std::string &others) {
  std::string text = others, empty;
  for (const Section &section : sections) {
    const std::string its = section.scheduling->sectionOf(section.entries);
    (section.isThere || !section.entries.empty() ? text : empty) += its;
  }
  return text.empty() ? empty : text; // a file has a section
}

} // namespace

Result<std::string> scheduleWith(const std::string &file, const std::vector<ScheduleEntry> &entries) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  const Diagnostics diagnostics(context);
  std::vector<Section> sections;
  for (const SchedulingInterface *scheduling : searchedSchedules(context))
    sections.push_back({scheduling, {}});
  std::string others; // which stay
  llvm::raw_string_ostream stream(others);
  if (!file.empty()) {
    Result<OwningOpRef<ModuleOp>> module = readScheduleFile(file, context);
    if (!module)
      return error(module.error());
    if (!*module)
      return diagnostics.take(file);
    for (Operation &schedule : (*module)->getOps()) {
      const auto section = llvm::find_if(
          sections, [&](const Section &one) { return one.scheduling == schedulingOf(&schedule); });
      if (section != sections.end()) {
        section->entries = section->scheduling->entriesOf(&schedule);
        section->isThere = true;
      } else {
        schedule.print(stream, OpPrintingFlags().useLocalScope());
        stream << "\n";
      }
    }
  }
  for (const ScheduleEntry &entry : entries)
    for (Section &section : sections)
      if (section.scheduling->section() == entry.section)
        section.put(entry);
  return textOf(sections, others);
}

} // namespace daedalus
