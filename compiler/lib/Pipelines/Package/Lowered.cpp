// Modules at level `dae` as an input: what their parts have to be before a package is made of them. What they
// say in numbers is checked where the numbers are used, and the package is proved as always.

#include "Streams.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Kernels/Names.h"
#include "daedalus/Pipelines/Program.h"
#include "daedalus/Target/Schedule.h"
#include "daedalus/Target/Target.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace daedalus {
namespace {

class LoweredChecker {
public:
  explicit LoweredChecker(ModuleOp module) : module(module) {}

  LogicalResult check() {
    for (Operation &op : module.getOps())
      if (!llvm::isa<host::PackageOp, func::FuncOp, memref::GlobalOp, qnn::ExternalOp>(op) &&
          !schedulingOf(&op))
        return op.emitError("'") << op.getName()
                                 << "' is in the module; expected host.package, functions and globals";
    FailureOr<Steps> steps = Steps::of(module);
    if (failed(steps))
      return failure();
    func::FuncOp main = steps->main();
    for (host::StepOp step : steps->steps())
      if (failed(checkStep(step, *steps)))
        return failure();
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(checkFunction(function, main)))
        return failure();
    return success();
  }

private:
  /// A function, and those that it calls, are made by the target whose steps run it.
  void own(func::FuncOp function, const Target *target) {
    if (!target || !function || !owners.try_emplace(function, target).second)
      return;
    function.walk(
        [&](func::CallOp call) { own(module.lookupSymbol<func::FuncOp>(call.getCallee()), target); });
  }

  LogicalResult checkFunction(func::FuncOp function, func::FuncOp main) {
    if (function.isExternal())
      return success();
    if (!function.getBody().hasOneBlock())
      return function.emitError("has several blocks; expected one");
    if (function == main)
      return checkMain(main);
    const Target *owner = owners.lookup(function);
    return (owner ? *owner : fallbackTarget()).checkFunction(function);
  }

  LogicalResult checkMain(func::FuncOp main) {
    for (Type type : llvm::concat<const Type>(main.getArgumentTypes(), main.getResultTypes()))
      if (failed(checkTensor(main, type)))
        return failure();
    for (Operation &op : main.getBody().front()) {
      if (!llvm::isa<host::StepOp, func::ReturnOp>(op) && !isView(&op) && !isNothing(&op))
        return op.emitError("is in @main; expected steps and views");
      for (Type type : op.getResultTypes())
        if (failed(checkTensor(&op, type)))
          return failure();
    }
    return success();
  }

  static LogicalResult checkTensor(Operation *at, Type type) {
    if (isTensor(type))
      return success();
    return at->emitError("has a tensor of type ")
           << type << "; expected tensors of a static shape of i8, i16, i32, i64, f16, bf16, f32 or f64";
  }

  LogicalResult checkStep(host::StepOp step, const Steps &steps) {
    func::FuncOp callee = steps.callee(step);
    const StringRef target = step.getTarget();
    const Target *found = findTarget(target);
    if (!found && target != kernel::externalTarget) {
      std::string names;
      for (const auto &known : targets())
        names += (names.empty() ? "" : ", ") + known->name();
      return step.emitOpError("has the target '") << target << "'; expected " << names << " or external";
    }
    const bool isRunnable = callee.isExternal() == (found == nullptr) && callee != steps.main();
    if (isRunnable)
      own(callee, found);
    if (!isRunnable || owners.lookup(callee) != found)
      return step.emitOpError("calls ")
             << step.getCalleeAttr() << ", which is nothing for the target '" << target << "'";
    const auto type = FunctionType::get(step.getContext(), step.getOperandTypes(), step.getResultTypes());
    if (found && found->hasOwnMemory() && callee.getFunctionType() != type)
      return step.emitOpError("has the type ")
             << type << ", and calls " << step.getCalleeAttr() << " of type " << callee.getFunctionType();
    const int64_t layers = steps.package().getLayers().size();
    for (int64_t layer : step.getLayers())
      if (layer < 0 || layer >= layers)
        return step.emitOpError("has layer ") << layer << " of " << layers;
    return success();
  }

  ModuleOp module;
  llvm::DenseMap<Operation *, const Target *> owners; ///< of functions
};

} // namespace

bool isLowered(ModuleOp module) {
  return static_cast<bool>(host::packageOf(module));
}

LogicalResult checkLowered(ModuleOp module) {
  return LoweredChecker(module).check();
}

} // namespace daedalus
