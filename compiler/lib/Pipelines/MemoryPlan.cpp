// First fit (Arena.h), in the order in which tensors come to life.

#include "MemoryPlan.h"

#include "Placement.h"
#include "daedalus/Target/Accelerator/Accelerator.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace mlir;

namespace daedalus {
Value rootOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!llvm::isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

uint64_t tensorBytes(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() * tensor.getElementTypeBitWidth() / 8;
}

MemoryPlan::MemoryPlan(func::FuncOp main, const std::vector<PlannedStep> &steps, const Kernels &kernels) {
  constexpr int64_t forever = std::numeric_limits<int64_t>::max();
  llvm::DenseMap<Value, int64_t> lastUse;
  for (const PlannedStep &step : steps)
    if (step.isStream)
      placeParts(step, kernels);
  uint64_t margin = 0;
  for (size_t step = 0; step < steps.size(); ++step)
    for (func::CallOp call : steps[step].calls) {
      for (Value operand : call.getOperands())
        lastUse[rootOf(operand)] = step;
      const uint64_t padding = steps[step].isStream ? accelerator::paddingBefore(kernels.of(call)) : 0;
      for (Value operand : call.getOperands())
        margin = std::max(margin, padding ? padding * widening(operand) : 0);
    }
  arena.allocate(margin, -1, forever); // nothing lies there
  for (Value result : main.getBody().front().getTerminator()->getOperands())
    lastUse[rootOf(result)] = forever;
  auto add = [&](Value value, int64_t from) {
    auto found = lastUse.find(value);
    int64_t to = found == lastUse.end() ? from : std::max(from, found->second);
    offsets[value] = arena.allocate(tensorBytes(value.getType()), from, to);
  };
  for (Value argument : main.getArguments())
    add(argument, -1);
  for (size_t step = 0; step < steps.size(); ++step) {
    for (func::CallOp call : steps[step].calls)
      for (Value result : call.getResults())
        if (!parts.count(result))
          add(result, step);
    scratch.push_back(arena.allocate(steps[step].scratchBytes, step, step));
  }
}

uint64_t MemoryPlan::offset(Value value) const {
  return offsets.lookup(rootOf(value));
}

/// Whether it is a result of the stream that none but calls of the stream read, and its last dimension is the
/// channels of a pixel for all of them.
static bool mayBePart(Value value, const llvm::DenseSet<Operation *> &stream, const Kernels &kernels) {
  auto maker = value.getDefiningOp<func::CallOp>();
  if (!maker || !stream.contains(maker))
    return false;
  const int64_t last = cast<RankedTensorType>(value.getType()).getShape().back();
  const auto readsPixels = [&](OpOperand &use) {
    auto call = dyn_cast<func::CallOp>(use.getOwner());
    return call && stream.contains(call) &&
           accelerator::channelsOf(kernels.of(call)).arguments[use.getOperandNumber()].value_or(last) == last;
  };
  return accelerator::channelsOf(kernels.of(maker)).result == last &&
         llvm::all_of(value.getUses(), readsPixels);
}

/// Results of calls of the stream that a Concat of the stream can find in their place.
void MemoryPlan::placeParts(const PlannedStep &step, const Kernels &kernels) {
  const llvm::DenseSet<Operation *> stream(step.calls.begin(), step.calls.end());
  for (func::CallOp call : step.calls) {
    if (!accelerator::isConcat(kernels.of(call)))
      continue;
    const auto firsts = accelerator::channelsOf(kernels.of(call)).firsts;
    for (auto [operand, first] : llvm::zip(call.getOperands(), firsts))
      if (first && !parts.count(operand) && mayBePart(operand, stream, kernels))
        parts.try_emplace(operand, Part{call.getResult(0), *first});
  }
}

/// How many times wider a tensor's rows may lie than they are.
uint64_t MemoryPlan::widening(Value value) const {
  accelerator::Slot place = slot(value);
  return place.pitch
             ? llvm::divideCeil(place.pitch, cast<RankedTensorType>(value.getType()).getShape().back())
             : 1;
}

accelerator::Slot MemoryPlan::slot(Value value) const {
  accelerator::Slot slot;
  for (auto part = parts.find(value); part != parts.end(); part = parts.find(value)) {
    value = part->second.whole;
    slot.channel += part->second.channel;
    slot.pitch = cast<RankedTensorType>(value.getType()).getShape().back();
  }
  slot.offset = offset(value) + slot.channel;
  return slot;
}

} // namespace daedalus
