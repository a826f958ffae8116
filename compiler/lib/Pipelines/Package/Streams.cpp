// See Streams.h.

#include "Streams.h"

#include "Placement/Placement.h"

#include "daedalus/Kernels/Names.h"
#include "daedalus/Target/Target.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace daedalus {
namespace {

bool isStaticTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getElementType().isIntOrFloat();
}

LogicalResult checkCall(ModuleOp module, const Placement &placement, func::CallOp call) {
  auto kernel = module.lookupSymbol<func::FuncOp>(call.getCallee());
  if (!kernel)
    return call.emitError("calls '") << call.getCallee() << "', which is not a function";
  const StringRef target = placement.target(call.getCallee());
  if (!findTarget(target) && target != kernel::externalTarget)
    return call.emitError("calls the kernel '")
           << call.getCallee() << "', which has no place to run; run place-kernels first";
  if (kernel.isExternal() != (target == kernel::externalTarget))
    return call.emitError("calls '") << call.getCallee() << "', which has the target '" << target << "' and "
                                     << (kernel.isExternal() ? "no body" : "a body");
  if (target != kernel::externalTarget && call.getNumResults() != 1)
    return call.emitError("calls '") << call.getCallee() << "', which has " << call.getNumResults()
                                     << " results; expected one";
  for (Type type : llvm::concat<const Type>(llvm::to_vector(call.getOperandTypes()),
                                            llvm::to_vector(call.getResultTypes())))
    if (!isStaticTensor(type))
      return call.emitError("has an operand or result of type ")
             << type << "; expected tensors of a static shape";
  return success();
}

} // namespace

FailureOr<func::FuncOp> placedMain(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal() || !main.getBody().hasOneBlock())
    return module.emitError("has no function @main of one block");
  for (Type type : llvm::concat<const Type>(main.getArgumentTypes(), main.getResultTypes()))
    if (!isStaticTensor(type))
      return main.emitError("has an argument or result of type ")
             << type << "; expected tensors of a static shape";
  const Placement placement(module);
  for (Operation &op : main.getBody().front()) {
    if (auto call = dyn_cast<func::CallOp>(op); call && failed(checkCall(module, placement, call)))
      return failure();
    if (!llvm::isa<func::CallOp, func::ReturnOp>(op) && !isView(&op) && !isNothing(&op))
      return op.emitError("is in @main; expected calls of kernels and views; run form-kernels first");
  }
  return main;
}

FailureOr<Steps> Steps::of(ModuleOp module) {
  Steps all(module);
  for (auto package : module.getOps<host::PackageOp>()) {
    if (all.packageOp)
      return package.emitOpError("is beside another one; expected one in the module");
    all.packageOp = package;
  }
  if (!all.packageOp)
    return module.emitError("has no host.package; run form-streams first");
  all.mainOp = all.symbols.lookup<func::FuncOp>(all.packageOp.getEntry());
  for (auto step : all.mainOp.getOps<host::StepOp>()) {
    all.stepOps.push_back(step);
    if (func::FuncOp stream = all.stream(step))
      if (!all.stepOf.try_emplace(stream, step).second)
        return step.emitOpError("runs ") << step.getCalleeAttr() << ", which another step runs";
  }
  return all;
}

func::FuncOp Steps::stream(host::StepOp step) const {
  func::FuncOp function = callee(step);
  const bool hasCalls = function && !function.isExternal() && runsStreams(step.getTarget()) &&
                        !function.getBody().front().getOps<func::CallOp>().empty();
  return hasCalls ? function : nullptr;
}

StringRef Steps::target(func::CallOp call) const {
  return host::StepOp(stepOf.lookup(call->getParentOp())).getTarget();
}

Value Steps::owner(Value value) const {
  for (;;) {
    value = rootOf(value);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto found = stepOf.find(argument.getOwner()->getParentOp());
      if (found == stepOf.end())
        return value;
      host::StepOp step = found->second;
      value = step.getOperands()[argument.getArgNumber()];
      continue;
    }
    auto step = value.getDefiningOp<host::StepOp>();
    func::FuncOp function = step ? stream(step) : nullptr;
    if (!function)
      return value;
    value = function.getBody().front().getTerminator()->getOperand(cast<OpResult>(value).getResultNumber());
  }
}

} // namespace daedalus
