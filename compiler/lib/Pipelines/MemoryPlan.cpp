// First fit, in the order in which tensors come to life.

#include "MemoryPlan.h"

#include "daedalus/Target/Accelerator/Accelerator.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <algorithm>
#include <limits>

using namespace mlir;

namespace daedalus {
namespace {

/// What a view is a view of.
Value rootOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!llvm::isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

func::FuncOp kernelOf(func::CallOp call) {
  return call->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(call.getCallee());
}

} // namespace

uint64_t tensorBytes(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() * tensor.getElementTypeBitWidth() / 8;
}

MemoryPlan::MemoryPlan(func::FuncOp main, const std::vector<PlannedStep> &steps) {
  constexpr int64_t forever = std::numeric_limits<int64_t>::max();
  llvm::DenseMap<Value, int64_t> lastUse;
  uint64_t margin = 0;
  for (size_t step = 0; step < steps.size(); ++step)
    for (func::CallOp call : steps[step].calls) {
      for (Value operand : call.getOperands())
        lastUse[rootOf(operand)] = step;
      if (steps[step].isStream)
        margin = std::max(margin, accelerator::paddingBefore(kernelOf(call)));
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
        add(result, step);
    scratch.push_back(allocate(steps[step].scratchBytes, step, step));
  }
}

uint64_t MemoryPlan::offset(Value value) const {
  return offsets.lookup(rootOf(value));
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
