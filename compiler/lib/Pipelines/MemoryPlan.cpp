// First fit, in the order in which tensors come to life.

#include "MemoryPlan.h"

#include "Placement.h"
#include "daedalus/Target/Accelerator/Accelerator.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

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

MemoryPlan::MemoryPlan(func::FuncOp main, const std::vector<PlannedStep> &steps) {
  constexpr int64_t forever = std::numeric_limits<int64_t>::max();
  llvm::DenseMap<Value, int64_t> lastUse;
  for (const PlannedStep &step : steps)
    if (step.isStream)
      placeParts(step);
  uint64_t margin = 0;
  for (size_t step = 0; step < steps.size(); ++step)
    for (func::CallOp call : steps[step].calls) {
      for (Value operand : call.getOperands())
        lastUse[rootOf(operand)] = step;
      if (steps[step].isStream)
        for (Value operand : call.getOperands())
          margin = std::max(margin, accelerator::paddingBefore(kernelOf(call)) * widening(operand));
    }
  allocate(margin, -1, forever); // nothing lies there
  for (Value result : main.getBody().front().getTerminator()->getOperands())
    lastUse[rootOf(result)] = forever;
  auto add = [&](Value value, int64_t from) {
    auto found = lastUse.find(value);
    int64_t to = found == lastUse.end() ? from : std::max(from, found->second);
    offsets[value] = allocate(tensorBytes(value.getType()), from, to);
  };
  for (Value argument : main.getArguments())
    add(argument, -1);
  for (size_t step = 0; step < steps.size(); ++step) {
    for (func::CallOp call : steps[step].calls)
      for (Value result : call.getResults())
        if (!parts.count(result))
          add(result, step);
    scratch.push_back(allocate(steps[step].scratchBytes, step, step));
  }
}

uint64_t MemoryPlan::offset(Value value) const {
  return offsets.lookup(rootOf(value));
}

/// Results of calls of the stream that a Concat of the stream can find in their place: nobody but calls of
/// the stream reads them.
void MemoryPlan::placeParts(const PlannedStep &step) {
  for (func::CallOp call : step.calls) {
    if (!accelerator::isConcat(kernelOf(call)))
      continue;
    int64_t channel = 0;
    for (Value operand : call.getOperands()) {
      if (isPart(operand, step))
        parts[operand] = {call.getResult(0), channel};
      channel += cast<RankedTensorType>(operand.getType()).getShape().back();
    }
  }
}

bool MemoryPlan::isPart(Value value, const PlannedStep &step) const {
  auto producer = value.getDefiningOp<func::CallOp>();
  auto inStream = [&](Operation *op) { return llvm::is_contained(step.calls, op); };
  return producer && inStream(producer) && !parts.count(value) && llvm::all_of(value.getUsers(), inStream);
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

uint64_t MemoryPlan::allocate(uint64_t bytes, int64_t from, int64_t to) {
  constexpr uint64_t alignment = 64;
  uint64_t offset = 0;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  for (const Buffer &other : buffers) { // sorted by offset
    if (other.to < from || to < other.from)
      continue;
    if (offset + bytes <= other.offset)
      break;
    offset = std::max(offset, other.offset + other.bytes);
  }
  Buffer buffer{offset, bytes, from, to};
  auto position = std::upper_bound(buffers.begin(), buffers.end(), buffer,
                                   [](const Buffer &a, const Buffer &b) { return a.offset < b.offset; });
  buffers.insert(position, buffer);
  size = std::max(size, offset + bytes);
  return offset;
}

} // namespace daedalus
