// See PlanFile.h.

#include "PlanFile.h"

#include "daedalus/Pipelines/Program.h"
#include "daedalus/Target/Schedule.h"

#include "mlir/IR/OperationSupport.h"

using namespace mlir;

namespace daedalus {

/// A module of one operation of a kind. `what` it is, and `of` what the file is, in words.
static Result<OwningOpRef<ModuleOp>> readOne(const std::string &path, MLIRContext &context,
                                             const std::string &what, const std::string &of,
                                             llvm::function_ref<bool(Operation *)> isIt) {
  Result<OwningOpRef<ModuleOp>> file = parseMlirFile(path, context);
  if (!file || !*file)
    return file;
  const auto operations = llvm::make_pointer_range((*file)->getOps());
  const size_t count = std::distance(operations.begin(), operations.end());
  if (count == 0)
    return error(path + " has no " + what);
  for (auto [place, op] : llvm::enumerate(operations))
    if (place > 0 || !isIt(op)) {
      op->emitError("'") << op->getName() << "' stands in the file of a " << of << "; expected one " << what
                         << " alone";
      return Result<OwningOpRef<ModuleOp>>(OwningOpRef<ModuleOp>());
    }
  return file;
}

Result<OwningOpRef<ModuleOp>> readPlanFile(const std::string &path, MLIRContext &context) {
  return readOne(path, context, "dae.plan", "plan", [](Operation *op) { return llvm::isa<dae::PlanOp>(op); });
}

Result<OwningOpRef<ModuleOp>> readScheduleFile(const std::string &path, MLIRContext &context) {
  return readOne(path, context, "schedule of a target's", "schedule",
                 [](Operation *op) { return schedulingOf(op) != nullptr; });
}

dae::PlanOp planOf(OwningOpRef<ModuleOp> &file) {
  return file ? *file->getOps<dae::PlanOp>().begin() : dae::PlanOp();
}

std::string printPlan(dae::PlanOp plan) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  plan->print(stream, OpPrintingFlags().useLocalScope());
  return text + "\n";
}

} // namespace daedalus
