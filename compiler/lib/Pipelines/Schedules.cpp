// Files of schedules, put together of entries.

#include "daedalus/Pipelines/Schedules.h"

#include "Diagnostics.h"
#include "PlanFile.h"

#include "daedalus/Pipelines/Passes.h"

#include "mlir/IR/MLIRContext.h"

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
    if (const auto *found = dialect->getRegisteredInterface<SchedulingInterface>())
      scheduling = found;
  if (!scheduling)
    return error("no target has schedules");
  std::vector<ScheduleEntry> all;
  if (!file.empty()) {
    Result<OwningOpRef<ModuleOp>> module = readScheduleFile(file, context);
    if (!module)
      return error(module.error());
    if (!*module)
      return diagnostics.take(file);
    for (Operation &schedule : (*module)->getOps())
      all = scheduling->entriesOf(&schedule);
  }
  for (const ScheduleEntry &entry : entries) {
    const auto same =
        std::find_if(all.begin(), all.end(), [&](auto &other) { return other.key == entry.key; });
    same == all.end() ? all.push_back(entry) : void(*same = entry);
  }
  return scheduling->fileOf(all);
}

} // namespace daedalus
