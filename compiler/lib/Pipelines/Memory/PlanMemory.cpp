// The memory plan, written into the module.

#include "MemoryPlan.h"

#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Pipelines/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

#include <limits>

using namespace mlir;

namespace daedalus {
#define GEN_PASS_DEF_PLANMEMORY
#include "daedalus/Pipelines/Passes.h.inc"

namespace {

class Writer {
public:
  Writer(const Steps &steps, const MemoryPlan &plan)
      : steps(steps), plan(plan), builder(steps.package().getContext()) {}

  void run() {
    host::PackageOp package = steps.package();
    package.setArena(plan.bytes());
    func::FuncOp main = steps.main();
    package.setInputsAttr(placed(package.getInputs(), main.getArguments()));
    package.setOutputsAttr(
        placed(package.getOutputs(), main.getBody().front().getTerminator()->getOperands()));
    for (auto [index, step] : llvm::enumerate(steps.steps())) {
      SmallVector<int64_t> offsets;
      for (Value result : step.getResults())
        offsets.push_back(plan.offset(result));
      step.setOffsets(offsets);
      if (plan.scratchBytes(index))
        step.setScratch(plan.scratchOffset(index));
      if (func::FuncOp stream = steps.stream(step))
        step.setSlotsAttr(slotsOf(stream));
    }
  }

private:
  ArrayAttr placed(ArrayAttr values, ValueRange tensors) {
    SmallVector<Attribute> all;
    for (auto [value, tensor] : llvm::zip(values.getAsRange<host::ValueAttr>(), tensors))
      all.push_back(
          host::ValueAttr::get(builder.getContext(), value.getName(), value.getDtype(), plan.offset(tensor)));
    return builder.getArrayAttr(all);
  }

  ArrayAttr slotsOf(func::FuncOp stream) {
    SmallVector<Attribute> slots;
    for (BlockArgument argument : stream.getArguments())
      slots.push_back(slotOf(argument));
    for (auto call : stream.getOps<func::CallOp>())
      slots.push_back(slotOf(call.getResult(0)));
    return builder.getArrayAttr(slots);
  }

  host::SlotAttr slotOf(Value value) {
    const Slot slot = plan.slot(value);
    return host::SlotAttr::get(builder.getContext(), slot.offset, slot.pitch, slot.channel, slot.isPadded);
  }

  const Steps &steps;
  const MemoryPlan &plan;
  Builder builder;
};

struct PlanMemory : impl::PlanMemoryBase<PlanMemory> {
  using PlanMemoryBase::PlanMemoryBase;

  void runOnOperation() override {
    FailureOr<Steps> steps = Steps::of(getOperation());
    if (failed(steps))
      return signalPassFailure();
    const MemoryPlan plan(*steps);
    if (plan.bytes() > std::numeric_limits<uint32_t>::max())
      return steps->main().emitError("needs ")
                 << plan.bytes() << " bytes for its tensors; expected less than 2^32",
             signalPassFailure();
    Writer(*steps, plan).run();
  }
};

} // namespace
} // namespace daedalus
