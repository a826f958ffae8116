// Passes around the functions of Transforms.h.

#include "daedalus/Dialect/Dae/Transforms/Passes.h"

#include "daedalus/Dialect/Counting.h"
#include "daedalus/Dialect/Dae/Transforms/Machine.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"
#include "daedalus/Dialect/Host/IR/Host.h"

namespace daedalus::dae {
#define GEN_PASS_DEF_DAETENSORIZE
#define GEN_PASS_DEF_DAEALLOCATE
#define GEN_PASS_DEF_DAETOKENS
#define GEN_PASS_DEF_DAEMASKS
#include "daedalus/Dialect/Dae/Transforms/Passes.h.inc"

namespace {

/// Whether a function is a stream: its body is one block and, beside a host.package, all that it takes and
/// gives lies in DRAM. Kernels there have their tensors as arguments.
bool isStream(mlir::func::FuncOp func) {
  auto module = func->getParentOfType<mlir::ModuleOp>();
  const bool isWhole = module && host::packageOf(module);
  return func.getBody().hasOneBlock() &&
         (!isWhole || (func.getNumArguments() == 0 && func.getNumResults() == 0));
}

/// Runs a step on a stream for a machine.
template <class Step>
mlir::LogicalResult onMachine(mlir::func::FuncOp func, const std::string &name, Step step) {
  if (!isStream(func))
    return mlir::success();
  Result<isa::Machine> machine = machineOf(func, name);
  if (!machine)
    return func.emitError(machine.error());
  return step(func, *machine);
}

struct Tensorize : impl::DaeTensorizeBase<Tensorize> {
  using DaeTensorizeBase::DaeTensorizeBase;
  void runOnOperation() override {
    const Result<const Intrinsics *> known = loadIntrinsics(intrinsics);
    if (!known)
      return getOperation().emitError(known.error()), signalPassFailure();
    const auto step = [&](mlir::func::FuncOp stream, const isa::Machine &target) {
      return tensorize(stream, target, **known);
    };
    if (failed(onMachine(getOperation(), machine, step)))
      signalPassFailure();
  }
};

struct Allocate : impl::DaeAllocateBase<Allocate> {
  using DaeAllocateBase::DaeAllocateBase;
  void runOnOperation() override {
    if (failed(onMachine(getOperation(), machine, allocate)))
      signalPassFailure();
  }
};

struct Tokens : impl::DaeTokensBase<Tokens> {
  using DaeTokensBase::DaeTokensBase;
  void runOnOperation() override {
    if (failed(onMachine(getOperation(), machine, orderByTokens)))
      signalPassFailure();
  }
};

struct Masks : impl::DaeMasksBase<Masks>, CountingPass {
  using DaeMasksBase::DaeMasksBase;
  void runOnOperation() override {
    counts.clear();
    if (!isStream(getOperation()))
      return;
    assignMasks(getOperation());
    getOperation().walk([&](mlir::Operation *op) {
      if (isInstruction(op))
        ++counts[op->getName().stripDialect().str()];
    });
  }
};

} // namespace
} // namespace daedalus::dae
