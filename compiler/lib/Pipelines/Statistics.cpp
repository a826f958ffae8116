// See Statistics.h.

#include "daedalus/Pipelines/Statistics.h"

#include "Placement/Placement.h"

#include "daedalus/Dialect/Counting.h"
#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Kernels/Names.h"
#include "daedalus/Target/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace daedalus {
namespace {

using Numbers = llvm::MapVector<StringRef, uint64_t>;

/// The kernels that @main calls, by target.
void countPlaced(ModuleOp module, Numbers &numbers) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  for (const auto &target : targets())
    numbers[StringAttr::get(module.getContext(), target->name())];
  numbers[kernel::externalTarget];
  const Placement placement(module);
  for (auto call : main.getOps<func::CallOp>())
    if (auto kernel = module.lookupSymbol<func::FuncOp>(call.getCallee()))
      ++numbers[placement.target(call.getCallee())];
}

void countSteps(ModuleOp module, Numbers &numbers) {
  numbers["steps"], numbers["streams"], numbers["layers"];
  module.walk([&](host::StepOp step) {
    ++numbers["steps"];
    numbers["streams"] += runsStreams(step.getTarget());
    numbers["layers"] += step.getLayers().size();
  });
}

struct Statistics : PassInstrumentation {
  ~Statistics() override {
    for (auto &[pass, numbers] : all) {
      llvm::errs() << pass << ":";
      StringRef separator = " ";
      for (auto &[name, number] : numbers) {
        llvm::errs() << separator << name << " " << number;
        separator = ", ";
      }
      llvm::errs() << "\n";
    }
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    const StringRef name = pass->getArgument();
    auto module = dyn_cast<ModuleOp>(op);
    if (const auto *counting = dynamic_cast<const CountingPass *>(pass))
      for (const auto &[what, count] : counting->counts)
        all[name][StringAttr::get(op->getContext(), what)] += count;
    if (name == "place-kernels" && module)
      countPlaced(module, all[name]);
    else if (name == "form-streams" && module)
      countSteps(module, all[name]);
    else if (name == "plan-memory" && module)
      for (auto package : module.getOps<host::PackageOp>())
        all[name]["arena bytes"] = package.getArena();
  }

  llvm::MapVector<StringRef, Numbers> all; ///< by the pass
};

} // namespace

std::unique_ptr<PassInstrumentation> passStatistics() {
  return std::make_unique<Statistics>();
}

} // namespace daedalus
