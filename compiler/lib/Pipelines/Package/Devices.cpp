// See Devices.h. A tensor lies in a device's memory from the step that makes or needs it first to the last
// one there that reads it; first fit (Arena.h), as in the arena.

#include "Devices.h"

#include "daedalus/Target/TensorTypes.h"

using namespace mlir;

namespace daedalus {
namespace {

/// Whether anything but the target's steps reads a value or a view of it.
bool isReadElsewhere(Value value, StringRef target) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (isView(user))
      return isReadElsewhere(user->getResult(0), target);
    auto step = dyn_cast<host::StepOp>(user);
    return !step || step.getTarget() != target;
  });
}

package::Step copy(const package::Ref &from, const package::Ref &to) {
  package::Step step;
  step.kind = package::Step::Kind::Copy;
  step.inputs = {from}, step.outputs = {to};
  return step;
}

package::Ref onDevice(package::Ref ref, size_t device, uint64_t offset) {
  ref.space = package::memoryOf(device);
  ref.offset = offset;
  return ref;
}

} // namespace

Devices::Memory &Devices::memoryOf(const Target &target, PackageBuilder &builder) {
  auto found = llvm::find_if(memories, [&](const Memory &memory) { return memory.target == &target; });
  if (found != memories.end())
    return *found;
  Memory &memory = memories.emplace_back(Memory{&target, builder.package.devices.size()});
  builder.package.devices.emplace_back().name = target.name();
  for (auto [index, step] : llvm::enumerate(steps.steps()))
    if (step.getTarget() == target.name())
      for (Value operand : step.getOperands())
        memory.lastUse[rootOf(operand)] = index;
  return memory;
}

uint64_t Devices::place(Memory &memory, Value root, int64_t now) {
  const auto last = memory.lastUse.find(root);
  const int64_t to = last == memory.lastUse.end() ? now : std::max(now, last->second);
  return memory.resident[root] = memory.arena.allocate(tensorBytes(root.getType()), now, to);
}

uint32_t Devices::kernelIndex(Memory &memory, host::StepOp step, func::FuncOp kernel,
                              package::Device &device) {
  const auto found = llvm::find(memory.kernels, kernel);
  const uint32_t index = found - memory.kernels.begin();
  if (found != memory.kernels.end())
    return index;
  memory.kernels.push_back(kernel);
  package::Kernel signature{kernel.getName().str(), {}};
  const auto add = [&](ValueRange values, package::KernelArgument::Access access) {
    for (Value value : values) {
      const package::TensorType type = tensorType(value.getType());
      signature.arguments.push_back({access, type, static_cast<uint32_t>(package::byteSize(type.dtype))});
    }
  };
  add(step.getOperands(), package::KernelArgument::Access::Read);
  add(step.getResults(), package::KernelArgument::Access::Write);
  device.kernels.push_back(std::move(signature));
  return index;
}

LogicalResult Devices::addStep(host::StepOp step, const Target &target, PackageBuilder &builder) {
  Memory &memory = memoryOf(target, builder);
  const SmallVector<host::StepOp> all = steps.steps();
  const int64_t now = llvm::find(all, step) - all.begin();
  const uint32_t layer = step.getLayers().front();
  const auto emit = [&](package::Step made) {
    made.layer = layer;
    builder.steps().push_back(std::move(made));
  };
  package::Step call;
  call.kind = package::Step::Kind::CallDevice;
  call.index = kernelIndex(memory, step, builder.callee(step), builder.package.devices[memory.number]);
  for (Value operand : step.getOperands()) {
    const package::Ref source = builder.ref(operand);
    const auto resident = memory.resident.find(rootOf(operand));
    const bool isThere = resident != memory.resident.end();
    const uint64_t offset = isThere ? resident->second : place(memory, rootOf(operand), now);
    call.inputs.push_back(onDevice(source, memory.number, offset));
    if (!isThere)
      emit(copy(source, call.inputs.back()));
  }
  for (Value result : step.getResults())
    call.outputs.push_back(onDevice(builder.ref(result), memory.number, place(memory, result, now)));
  emit(call);
  for (auto [result, there] : llvm::zip(step.getResults(), call.outputs))
    if (isReadElsewhere(result, target.name()))
      emit(copy(there, builder.ref(result)));
  return success();
}

LogicalResult Devices::finish(PackageBuilder &builder) {
  for (Memory &memory : memories) {
    package::Device &device = builder.package.devices[memory.number];
    device.memoryBytes = memory.arena.bytes();
    builder.enter("code for " + device.name);
    if (failed(memory.target->compileDevice(memory.kernels, device, *states.of(*memory.target))))
      return failure();
  }
  return success();
}

} // namespace daedalus
