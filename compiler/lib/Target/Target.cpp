// Defaults of the interface, and states.

#include "daedalus/Target/Target.h"

using namespace mlir;

namespace daedalus {

LogicalResult Target::addStep(host::StepOp step, PackageBuilder &) const {
  return step.emitOpError("is for ") << name() << ", which has no steps of this kind";
}

LogicalResult Target::compileDevice(llvm::ArrayRef<func::FuncOp> kernels, package::Device &) const {
  return func::FuncOp(kernels.front()).emitError("is for ") << name() << ", which has no memory of its own";
}

Result<std::string> Target::emit(const std::string &level, const EmitSource &) const {
  return error("target " + name() + " has no level '" + level + "'");
}

const std::shared_ptr<TargetState> &TargetStates::of(const Target &target) {
  const auto [found, isNew] = states.try_emplace(&target);
  if (isNew)
    found->second = target.newState();
  return found->second;
}

PlanEffort TargetStates::effort() const {
  PlanEffort all;
  for (const auto &[target, state] : states)
    if (state) {
      all.kernels += state->effort.kernels, all.enumerated += state->effort.enumerated;
      all.tried += state->effort.tried, all.tiles += state->effort.tiles;
    }
  return all;
}

} // namespace daedalus
