// See ScheduleFile.h.

#include "ScheduleFile.h"

#include "daedalus/Pipelines/Program.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace daedalus {

/// The sections that there are: "dae.plan or cpu.schedule".
static std::string sections(MLIRContext &context) {
  context.loadAllAvailableDialects();
  std::string all;
  for (Dialect *dialect : context.getLoadedDialects())
    if (const auto *scheduling = dialect->getRegisteredInterface<SchedulingInterface>())
      all += (all.empty() ? "" : " or ") + scheduling->section().str();
  return all;
}

std::vector<const SchedulingInterface *> searchedSchedules(MLIRContext &context) {
  context.loadAllAvailableDialects();
  std::vector<const SchedulingInterface *> all;
  for (Dialect *dialect : context.getLoadedDialects())
    if (const auto *found = dialect->getRegisteredInterface<SchedulingInterface>();
        found && found->isSearched())
      all.push_back(found);
  llvm::sort(all, [](const SchedulingInterface *a, const SchedulingInterface *b) {
    return a->section() < b->section();
  });
  return all;
}

Result<OwningOpRef<ModuleOp>> readScheduleFile(const std::string &path, MLIRContext &context) {
  Result<OwningOpRef<ModuleOp>> file = parseMlirFile(path, context);
  if (!file || !*file)
    return file;
  llvm::StringSet<> seen;
  for (Operation &op : (*file)->getOps())
    if (!schedulingOf(&op) || !seen.insert(op.getName().getStringRef()).second) {
      op.emitError("'") << op.getName() << (schedulingOf(&op) ? "' occurs twice" : "' is")
                        << " in the schedule file; expected " << sections(context) << ", each once";
      return Result<OwningOpRef<ModuleOp>>(OwningOpRef<ModuleOp>());
    }
  if (seen.empty())
    return error(path + " has no schedule; expected " + sections(context));
  return file;
}

} // namespace daedalus
