// See Planning.h.

#include "daedalus/Target/Accelerator/Planning.h"

#include "Plan/Candidates.h"
#include "daedalus/Analysis/Fingerprint.h"

#include "mlir/IR/Builders.h"

namespace daedalus::accelerator {

using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

Planning::Planning() : known(std::make_unique<Candidates>()) {}

Planning::~Planning() = default;

LogicalResult Planning::give(dae::PlanOp plan, const isa::Machine &machine) {
  given = plan;
  const std::string core = hashText(machine.hash());
  if (plan.getCore() && *plan.getCore() != core)
    return plan.emitError("is a plan for machine '")
           << plan.getMachine().value_or("?") << "' with core " << *plan.getCore() << "; machine '"
           << machine.name << "' has core " << core;
  std::map<KernelName, mlir::Operation *> all;
  const auto add = [&](mlir::Operation *op, KernelName name, auto &list) {
    list.emplace(name, op);
    const auto [before, isNew] = all.emplace(name, op);
    if (isNew)
      return success();
    mlir::InFlightDiagnostic error = op->emitError("names kernel '") << name.symbol << "' again; ";
    if (auto line = mlir::dyn_cast<mlir::FileLineColLoc>(before->second->getLoc()))
      error << "line " << line.getLine() << " has it already";
    return LogicalResult(error);
  };
  const mlir::WalkResult walk = plan.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    LogicalResult added = success();
    if (auto kernel = mlir::dyn_cast<dae::KernelOp>(op))
      added =
          add(op, {kernel.getCallee().str(), int64_t(kernel.getCall()), int64_t(kernel.getPart())}, kernels);
    else if (auto fuse = mlir::dyn_cast<dae::FuseOp>(op))
      added = add(op, {fuse.getCallee().str(), int64_t(fuse.getCall()), 0}, fusions);
    return failed(added) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

void Planning::record(mlir::Location loc, const isa::Machine &machine) {
  loc.getContext()->loadDialect<dae::DaeDialect>();
  mlir::OpBuilder builder(loc.getContext());
  mlir::OperationState state(loc, dae::PlanOp::getOperationName());
  dae::PlanOp::build(builder, state, dae::PlanOp::Format, builder.getStringAttr(machine.name),
                     builder.getStringAttr(hashText(machine.hash())));
  decided = mlir::cast<dae::PlanOp>(mlir::Operation::create(state));
  decided->getBody().emplaceBlock();
}

mlir::Operation *Planning::find(const std::map<KernelName, mlir::Operation *> &all, const KernelName &name) {
  const auto it = all.find(name);
  if (it == all.end())
    return nullptr;
  found.insert(it->second);
  return it->second;
}

dae::KernelOp Planning::kernel(const KernelName &name) {
  return mlir::dyn_cast_or_null<dae::KernelOp>(find(kernels, name));
}

dae::FuseOp Planning::fusion(const KernelName &name) {
  return mlir::dyn_cast_or_null<dae::FuseOp>(find(fusions, name));
}

LogicalResult Planning::allFound() const {
  mlir::Operation *missing = nullptr;
  if (given)
    given->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      if (!missing && mlir::isa<dae::KernelOp, dae::FuseOp>(op) && !found.contains(op))
        missing = op;
    });
  if (!missing)
    return success();
  return missing->emitError("names kernel ") << missing->getAttr("callee")
                                             << " (or a call or a part of it) that does not run on the "
                                                "accelerator; --emit schedule prints those that do";
}

} // namespace daedalus::accelerator
