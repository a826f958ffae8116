// form-kernels: Conversion/FormKernels as a pass.

#include "daedalus/Conversion/FormKernels/FormKernels.h"

#include "daedalus/Analysis/Views.h"
#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Graph.h"
#include "daedalus/Kernels/Names.h"
#include "daedalus/Pipelines/Passes.h"
#include "daedalus/Pipelines/Program.h"
#include "daedalus/Target/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace daedalus {
#define GEN_PASS_DEF_FORMKERNELS
#include "daedalus/Pipelines/Passes.h.inc"

namespace {

/// Whether a function is a kernel, or stands for one of the user's.
bool isKernel(func::FuncOp kernel) {
  return kernel.isPrivate() && kernel.isExternal() == qnn::externalName(kernel).has_value();
}

/// Whether it says what is to be decided about kernels.
bool isDecision(Operation &op) {
  return schedulingOf(&op) != nullptr;
}

/// Whether @main consists of calls of kernels, views and tensors without elements, and nothing else stands
/// beside it.
bool isFormed(ModuleOp module) {
  const SymbolTable symbols(module);
  auto main = symbols.lookup<func::FuncOp>("main");
  if (!main || main.isExternal())
    return false;
  llvm::DenseSet<Operation *> known = {main};
  for (Operation &op : main.getBody().front()) {
    auto call = dyn_cast<func::CallOp>(op);
    if (!call && !llvm::isa<func::ReturnOp>(op) && !isView(&op) && !isNothing(&op))
      return false;
    auto kernel = call ? symbols.lookup<func::FuncOp>(call.getCallee()) : nullptr;
    if (call && (!kernel || !isKernel(kernel)))
      return false;
    known.insert(kernel);
  }
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (!main.getArgAttrOfType<StringAttr>(i, kernel::valueName))
      return false;
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    if (!main.getResultAttrOfType<StringAttr>(i, kernel::valueName))
      return false;
  return llvm::all_of(module.getOps(), [&](Operation &op) {
    return known.contains(&op) || isDecision(op) || llvm::isa<host::PlacementOp, qnn::ExternalOp>(op);
  });
}

struct FormKernels : impl::FormKernelsBase<FormKernels> {
  using FormKernelsBase::FormKernelsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (isFormed(module))
      return;
    SmallVector<Operation *> decisions;
    for (Operation &op : llvm::make_early_inc_range(module.getOps()))
      if (isDecision(op)) {
        decisions.push_back(&op);
        op.remove();
      }
    if (failed(form(module)))
      signalPassFailure();
    for (Operation *decision : decisions)
      module.push_back(decision);
  }

private:
  static LogicalResult form(ModuleOp module) {
    if (failed(checkProgram(module)))
      return failure();
    OwningOpRef<ModuleOp> formed = formKernels(module);
    if (!formed)
      return failure();
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      function.erase();
    module.getBody()->getOperations().splice(module.getBody()->end(), formed->getBody()->getOperations());
    return success();
  }
};

} // namespace
} // namespace daedalus
