// See PlanFile.h.

#include "PlanFile.h"

#include "daedalus/Pipelines/Program.h"

#include "mlir/IR/OperationSupport.h"

using namespace mlir;

namespace daedalus {

Result<OwningOpRef<ModuleOp>> readPlanFile(const std::string &path, MLIRContext &context) {
  Result<OwningOpRef<ModuleOp>> file = parseMlirFile(path, context);
  if (!file || !*file)
    return file;
  const auto operations = llvm::make_pointer_range((*file)->getOps());
  const size_t count = std::distance(operations.begin(), operations.end());
  if (count == 0)
    return error(path + " has no dae.plan");
  for (auto [place, op] : llvm::enumerate(operations))
    if (place > 0 || !llvm::isa<dae::PlanOp>(op)) {
      op->emitError("'") << op->getName() << "' stands in the file of a plan; expected one dae.plan alone";
      return Result<OwningOpRef<ModuleOp>>(OwningOpRef<ModuleOp>());
    }
  return file;
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
