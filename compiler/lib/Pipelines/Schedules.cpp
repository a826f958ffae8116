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

Result<std::string> scheduleWith(const std::string &file, const std::vector<ScheduleEntry> &entries) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  const Diagnostics diagnostics(context);
  const SchedulingInterface *scheduling = nullptr;
  for (Dialect *dialect : context.getLoadedDialects())
    if (const auto *found = dialect->getRegisteredInterface<SchedulingInterface>();
        found && found->isSearched())
      scheduling = found;
  if (!scheduling)
    return error("no target has schedules that are searched for");
  std::vector<ScheduleEntry> all;
  std::string others; // sections, which stay
  llvm::raw_string_ostream stream(others);
  if (!file.empty()) {
    Result<OwningOpRef<ModuleOp>> module = readScheduleFile(file, context);
    if (!module)
      return error(module.error());
    if (!*module)
      return diagnostics.take(file);
    for (Operation &schedule : (*module)->getOps())
      if (schedulingOf(&schedule) == scheduling) {
        all = scheduling->entriesOf(&schedule);
      } else {
        schedule.print(stream, OpPrintingFlags().useLocalScope());
        stream << "\n";
      }
  }
  for (const ScheduleEntry &entry : entries) {
    const auto same =
        std::find_if(all.begin(), all.end(), [&](auto &other) { return other.key == entry.key; });
    same == all.end() ? all.push_back(entry) : void(*same = entry);
  }
  return others + scheduling->sectionOf(all);
}

} // namespace daedalus
