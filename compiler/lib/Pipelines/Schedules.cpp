// Entries of schedules: checked, and added to a module.

#include "daedalus/Pipelines/Schedules.h"

#include "ScheduleFile.h"

#include "daedalus/Pipelines/Passes.h"
#include "daedalus/Pipelines/Program.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace daedalus {
namespace {

/// The module's section of a dialect; null where it has none.
Operation *sectionOf(ModuleOp module, const SchedulingInterface &scheduling) {
  for (Operation &op : module.getOps())
    if (schedulingOf(&op) == &scheduling)
      return &op;
  return nullptr;
}

/// Those of a section whose kernels the module's own section does not name.
std::vector<ScheduleEntry> entriesFor(const SchedulingInterface &scheduling, Operation *own,
                                      const std::vector<ScheduleEntry> &all) {
  llvm::StringSet<> named;
  for (const ScheduleEntry &entry : own ? scheduling.entriesOf(own) : std::vector<ScheduleEntry>())
    named.insert(entry.key);
  std::vector<ScheduleEntry> entries;
  for (const ScheduleEntry &entry : all)
    if (entry.section == scheduling.section() && named.insert(entry.key).second)
      entries.push_back(entry);
  return entries;
}

/// Whether a text is one section with this one entry.
bool holds(ModuleOp module, const SchedulingInterface &scheduling, const ScheduleEntry &entry) {
  Operation *section = sectionOf(module, scheduling);
  if (!section || !llvm::hasSingleElement(module.getOps()))
    return false;
  const std::vector<ScheduleEntry> all = scheduling.entriesOf(section);
  return all.size() == 1 && all.front().key == entry.key;
}

Result<void> check(const ScheduleEntry &entry, const std::string &file, MLIRContext &context) {
  for (const SchedulingInterface *scheduling : searchedSchedules(context)) {
    if (scheduling->section() != entry.section)
      continue;
    const Result<OwningOpRef<ModuleOp>> parsed =
        parseMlirText(scheduling->sectionOf({entry}), "'" + file + "'", context);
    if (parsed && *parsed && holds(**parsed, *scheduling, entry))
      return {};
  }
  return error("'" + file + "' has a schedule of " + entry.section + " for kernel '" + entry.key +
               "' that cannot be read; expected an entry as --emit schedule prints it");
}

} // namespace

LogicalResult addEntries(ModuleOp module, const std::vector<ScheduleEntry> &all, const std::string &file) {
  if (all.empty())
    return success();
  for (const SchedulingInterface *scheduling : searchedSchedules(*module.getContext())) {
    Operation *own = sectionOf(module, *scheduling);
    const std::vector<ScheduleEntry> entries = entriesFor(*scheduling, own, all);
    if (entries.empty())
      continue;
    OwningOpRef<ModuleOp> parsed =
        parseSourceString<ModuleOp>(scheduling->sectionOf(entries), ParserConfig(module.getContext()), file);
    if (!parsed)
      return failure();
    Operation &added = parsed->getBody()->front();
    if (own) {
      auto &operations = own->getRegion(0).front().getOperations();
      operations.splice(operations.end(), added.getRegion(0).front().getOperations());
    } else {
      added.remove();
      module.push_back(&added);
    }
  }
  return success();
}

Result<void> checkEntries(const std::vector<ScheduleEntry> &entries, const std::string &file) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  for (const ScheduleEntry &entry : entries)
    if (Result<void> good = check(entry, file, context); !good)
      return good;
  return {};
}

} // namespace daedalus
