// What the accelerator's compiler says of a kernel: whether it takes it, and what it asks of memory.

#include "daedalus/Target/Accelerator/Accelerator.h"

#include "Plan/Candidates.h"
#include "Transforms/Transforms.h"
#include "daedalus/Dialect/Dae/Transforms/Machine.h"
#include "daedalus/Target/Accelerator/Planning.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace daedalus::accelerator {

/// What makes a kernel expensive that another order of its dimensions or other groups would not: runs of one
/// byte take a beat of the bus each, and zeros are multiplied between groups.
static std::string dearnessOf(const Kernel &kernel) {
  if (kernel.denseGroups > 1)
    return "computes its " + std::to_string(kernel.denseGroups) +
           " groups as one dense product, so GEMM multiplies " + std::to_string(kernel.denseGroups) +
           " times as much";
  for (auto [argument, layout] : llvm::zip(kernel.inputs, kernel.layouts))
    if (layout && layout->channel != 1 && kernel.window.c > 1)
      return "loads its argument " + std::to_string(argument) + " by single bytes";
  return "";
}

Result<Supported> acceleratorSupports(mlir::func::FuncOp kernel, const isa::Machine &machine,
                                      Planning *planning) {
  Planning alone;
  const Result<Kernel> read = readSimplified(kernel, machine);
  if (!read)
    return error(read.error());
  const Result<RankedSchedules> &schedules = (planning ? planning : &alone)->candidates().of(*read, machine);
  if (!schedules)
    return error(schedules.error());
  if (read->parts.empty())
    return Supported{uint64_t(estimateInstructions(*read, schedules->front(), machine)), dearnessOf(*read)};
  double instructions = 0;
  for (size_t part = 0; part < read->parts.size(); ++part)
    instructions += estimateInstructions(partOf(*read, part), schedules->front(), machine);
  if (const Result<void> good = fitStream(instructions); !good)
    return error(good.error());
  return Supported{uint64_t(instructions), dearnessOf(*read)};
}

double estimatedCycles(mlir::func::FuncOp function, const isa::Machine &machine, Planning &planning) {
  const Result<Kernel> kernel = readSimplified(function, machine);
  if (!kernel)
    return 0;
  const Result<RankedSchedules> &schedules = planning.candidates().of(*kernel, machine);
  if (!schedules)
    return 0;
  if (kernel->parts.empty())
    return estimateCycles(*kernel, schedules->front(), machine);
  double cycles = 0;
  for (size_t part = 0; part < kernel->parts.size(); ++part)
    cycles += estimateCycles(partOf(*kernel, part), schedules->front(), machine);
  return cycles;
}

/// Bytes from pixel to pixel of a tensor of so many channels that moves faster in whole rows of N lanes,
/// which follow each other in DRAM and in the scratchpads, than by a run for each pixel; 0: none.
static int64_t paddedPitch(int64_t channels, const isa::Machine &machine) {
  const int64_t padded = llvm::alignTo(channels, machine.n);
  const int64_t cyclesOfRun = (machine.readLatency + machine.receiveLatency) / machine.outstandingReads;
  return padded != channels && padded <= cyclesOfRun * machine.busBytes ? padded : 0;
}

/// Sets the pitches of what a kernel reads through its window, and of its result, where it reads a pixel's
/// channels by themselves: a window over neighbouring pixels is one run where they are dense.
static void padPixels(mlir::func::FuncOp func, const Kernel &kernel, MemoryNeeds &needs) {
  const Window &w = kernel.window;
  const bool hasOwnChannels = kernel.groups == w.c && w.oc == w.c;
  needs.pitches.resize(func.getNumArguments());
  if (!kernel.combiner || kernel.layouts[0] || kernel.weightsInput || !kernel.parts.empty() ||
      (kernel.isWeighted() && !hasOwnChannels && w.kh * w.kw > 1))
    return;
  const Result<isa::Machine> machine = dae::machineOf(func, "");
  if (!machine)
    return;
  if (w.b * w.h * w.w > 1 && llvm::count(kernel.inputs, kernel.inputs[0]) == 1)
    needs.pitches[kernel.inputs[0]] = paddedPitch(w.c, *machine);
  if (w.b * w.oh * w.ow > 1 && kernel.resultBytes() == 1 && kernel.repeatH * kernel.repeatW == 1)
    needs.resultPitch = paddedPitch(w.oc, *machine);
}

MemoryNeeds memoryNeeds(mlir::func::FuncOp func) {
  MemoryNeeds needs;
  needs.paddingBefore = paddingBefore(func);
  needs.concatenatesInPlace = concatenatesInPlace(func);
  needs.slicesFrom = slicesFrom(func);
  needs.channels.resize(func.getNumArguments());
  needs.firsts.resize(func.getNumArguments());
  const Result<Kernel> kernel = readKernel(func, /*n=*/1);
  if (!kernel)
    return needs;
  needs.resultChannels = kernel->window.oc;
  padPixels(func, *kernel, needs);
  int64_t first = 0;
  for (auto [k, argument] : llvm::enumerate(kernel->inputs)) {
    if (kernel->layouts[k]) { // runs of its own
      needs.channels[argument] = 0;
      continue;
    }
    if (kernel->parts.empty()) {
      needs.channels[argument] = isWindowed(*kernel, k) ? kernel->window.c : kernel->window.oc;
      continue;
    }
    needs.channels[argument] = kernel->parts[k];
    if (!needs.firsts[argument])
      needs.firsts[argument] = first;
    first += kernel->parts[k];
  }
  return needs;
}

bool concatenatesInPlace(mlir::func::FuncOp kernel) {
  return kernel.getBody()
             .front()
             .getTerminator()
             ->getOperand(0)
             .getDefiningOp<mlir::tensor::InsertSliceOp>() != nullptr;
}

/// Whether all that the kernel computes are elements of its one input.
static bool onlyMoves(const Kernel &kernel) {
  const Expr &result = kernel.tail.all[kernel.tail.result];
  return !kernel.combiner && kernel.parts.empty() && kernel.repeatH == 1 && kernel.repeatW == 1 &&
         kernel.inputs.size() == 1 && result.kind == ExprKind::Argument && result.value == 0;
}

std::optional<int64_t> slicesFrom(mlir::func::FuncOp func) {
  if (func.isExternal() || func.getNumArguments() != 1 || func.getOps<mlir::tensor::ExtractSliceOp>().empty())
    return std::nullopt;
  const Result<Kernel> kernel = readKernel(func, /*n=*/1);
  if (!kernel || !onlyMoves(*kernel) || !kernel->layouts[0])
    return std::nullopt;
  const Layout &layout = *kernel->layouts[0];
  const Window &w = kernel->window;
  const auto from = mlir::cast<mlir::RankedTensorType>(func.getArgumentTypes()[0]).getShape(),
             to = mlir::cast<mlir::RankedTensorType>(func.getResultTypes()[0]).getShape();
  const bool areChannels = from.size() == to.size() && from.drop_back() == to.drop_back() && to.back() == w.c;
  const bool areInOrder = layout.channel == 1 && w.b * w.h == 1 && (w.w == 1 || layout.column == from.back());
  if (!areChannels || !areInOrder || layout.first + w.c > from.back())
    return std::nullopt;
  return layout.first;
}

uint64_t paddingBefore(mlir::func::FuncOp kernel) {
  uint64_t most = 0;
  kernel.walk([&](mlir::tensor::PadOp pad) {
    uint64_t bytes = 0, stride = 1; // row-major int8, innermost dimension first
    llvm::ArrayRef<int64_t> shape = pad.getSourceType().getShape(), low = pad.getStaticLow();
    for (size_t d = shape.size(); d-- > 0; stride *= shape[d])
      bytes += low[d] * stride;
    most = std::max(most, bytes);
  });
  return most;
}

} // namespace daedalus::accelerator
