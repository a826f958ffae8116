// Defaults of the interface.

#include "daedalus/Target/Target.h"

using namespace mlir;

namespace daedalus {

LogicalResult Target::addStep(host::StepOp step, PackageBuilder &, TargetState &) const {
  return step.emitOpError("is for ") << name() << ", which has no steps of this kind";
}

LogicalResult Target::compileDevice(llvm::ArrayRef<func::FuncOp> kernels, package::Device &,
                                    TargetState &) const {
  return func::FuncOp(kernels.front()).emitError("is for ") << name() << ", which has no memory of its own";
}

Result<std::string> Target::emit(const std::string &level, const EmitSource &, const TargetState &) const {
  return error("target " + name() + " has no level '" + level + "'");
}

} // namespace daedalus
