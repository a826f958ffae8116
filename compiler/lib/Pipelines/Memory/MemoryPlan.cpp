// First fit (Arena.h), in the order in which tensors come to life.

#include "MemoryPlan.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace mlir;

namespace daedalus {
namespace {

/// The scratch memory of a kernel in the form of the CPU: its argument behind all others.
uint64_t scratchOf(const Steps &steps, host::StepOp step) {
  ArrayRef<Type> arguments = steps.callee(step).getArgumentTypes();
  auto scratch = arguments.size() > step.numBuffers() ? dyn_cast<MemRefType>(arguments.back()) : nullptr;
  return scratch ? scratch.getNumElements() : 0;
}

} // namespace

MemoryPlan::MemoryPlan(const Steps &steps) : steps(steps) {
  constexpr int64_t forever = std::numeric_limits<int64_t>::max();
  llvm::DenseMap<Value, int64_t> lastUse;
  for (host::StepOp step : steps.steps())
    if (func::FuncOp stream = steps.stream(step)) {
      placeParts(stream);
      padPixels(stream);
    }
  uint64_t margin = 0;
  for (auto [index, step] : llvm::enumerate(steps.steps())) {
    for (Value operand : step.getOperands())
      lastUse[steps.owner(operand)] = index;
    if (func::FuncOp stream = steps.stream(step))
      for (auto call : stream.getOps<func::CallOp>()) {
        const uint64_t padding = needsOf(call).paddingBefore;
        for (Value operand : call.getOperands()) {
          lastUse[steps.owner(operand)] = index;
          margin = std::max(margin, padding ? padding * widening(operand) : 0);
        }
      }
  }
  arena.allocate(margin, -1, forever); // nothing lies there
  for (Value result : steps.main().getBody().front().getTerminator()->getOperands())
    lastUse[steps.owner(result)] = forever;
  auto add = [&](Value value, int64_t from) {
    auto found = lastUse.find(value);
    int64_t to = found == lastUse.end() ? from : std::max(from, found->second);
    offsets[value] = arena.allocate(bytesOf(value), from, to);
  };
  for (Value argument : steps.main().getArguments())
    add(argument, -1);
  for (auto [index, step] : llvm::enumerate(steps.steps())) {
    if (func::FuncOp stream = steps.stream(step)) {
      for (auto call : stream.getOps<func::CallOp>())
        if (!parts.count(call.getResult(0)))
          add(call.getResult(0), index);
    } else {
      for (Value result : step.getResults())
        add(result, index);
    }
    const uint64_t bytes = scratchOf(steps, step);
    scratch.emplace_back(arena.allocate(bytes, index, index), bytes);
  }
}

uint64_t MemoryPlan::offset(Value value) const {
  return offsets.lookup(steps.owner(value));
}

/// What the target of a call's kernel asks; kernels that are called again are not read again.
const MemoryNeeds &MemoryPlan::needsOf(func::CallOp call) {
  func::FuncOp kernel = steps.kernel(call);
  const auto [found, isNew] = needs.try_emplace(kernel);
  if (isNew)
    if (const Target *target = findTarget(steps.target(call)))
      found->second = target->memoryNeeds(kernel);
  return found->second;
}

/// Whether none but calls in the stream read it, and its last dimension is the channels of a pixel for all of
/// them.
bool MemoryPlan::isReadByPixels(Value value) {
  const int64_t last = cast<RankedTensorType>(value.getType()).getShape().back();
  const auto readsPixels = [&](OpOperand &use) {
    auto call = dyn_cast<func::CallOp>(use.getOwner());
    if (!call || needsOf(call).channels.empty())
      return false;
    return needsOf(call).channels[use.getOperandNumber()].value_or(last) == last;
  };
  return llvm::all_of(value.getUses(), readsPixels);
}

/// Whether a call in the stream makes it, and writes and reads it by pixels alone.
bool MemoryPlan::mayBePart(Value value) {
  auto maker = value.getDefiningOp<func::CallOp>();
  return maker &&
         needsOf(maker).resultChannels == cast<RankedTensorType>(value.getType()).getShape().back() &&
         isReadByPixels(value);
}

/// Results of calls in the stream that a call of the stream can find in their place: channels of a tensor,
/// and tensors that are put one behind the other.
void MemoryPlan::placeParts(func::FuncOp stream) {
  for (auto call : stream.getOps<func::CallOp>()) {
    if (const auto first = needsOf(call).slicesFrom; first && isReadByPixels(call.getResult(0)))
      parts.try_emplace(call.getResult(0), Part{call.getOperand(0), *first});
    if (!needsOf(call).concatenatesInPlace)
      continue;
    const auto firsts = needsOf(call).firsts; // a copy: mayBePart asks for more
    for (auto [operand, first] : llvm::zip(call.getOperands(), firsts))
      if (first && !parts.count(operand) && mayBePart(operand))
        parts.try_emplace(operand, Part{call.getResult(0), *first});
  }
}

/// Bytes from pixel to pixel of a tensor at which what makes it and all that read it, in its stream, move it
/// faster than dense; 0: there are none.
int64_t MemoryPlan::paddedPitch(Value value) {
  const int64_t pitch = needsOf(value.getDefiningOp<func::CallOp>()).resultPitch;
  const auto suits = [&](OpOperand &use) {
    auto call = dyn_cast<func::CallOp>(use.getOwner());
    return call && !needsOf(call).pitches.empty() && needsOf(call).pitches[use.getOperandNumber()] == pitch;
  };
  return pitch && !parts.count(value) && llvm::all_of(value.getUses(), suits) ? pitch : 0;
}

void MemoryPlan::padPixels(func::FuncOp stream) {
  for (auto call : stream.getOps<func::CallOp>())
    if (const int64_t pitch = paddedPitch(call.getResult(0)))
      pitches[call.getResult(0)] = pitch;
}

uint64_t MemoryPlan::bytesOf(Value value) const {
  const int64_t pitch = pitches.lookup(value);
  const auto type = cast<RankedTensorType>(value.getType());
  return pitch ? type.getNumElements() / type.getShape().back() * pitch : tensorBytes(type);
}

/// How many times wider a tensor's rows may lie than they are.
uint64_t MemoryPlan::widening(Value value) const {
  Slot place = slot(value);
  return place.pitch
             ? llvm::divideCeil(place.pitch, cast<RankedTensorType>(value.getType()).getShape().back())
             : 1;
}

Slot MemoryPlan::slot(Value value) const {
  Slot slot;
  for (auto part = parts.find(value); part != parts.end(); part = parts.find(value)) {
    value = part->second.whole;
    slot.channel += part->second.channel;
    slot.pitch = cast<RankedTensorType>(value.getType()).getShape().back();
  }
  if (const int64_t pitch = pitches.lookup(value))
    slot.pitch = pitch, slot.isPadded = true;
  slot.offset = offset(value) + slot.channel;
  return slot;
}

} // namespace daedalus
