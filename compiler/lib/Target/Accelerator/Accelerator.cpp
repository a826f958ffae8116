// The accelerator path from kernels to a stream: schedule, blockize, tensorize, allocate, tokens, words.

#include "daedalus/Target/Accelerator/Accelerator.h"

#include "Blockize.h"
#include "Fusion.h"
#include "Lowering.h"
#include "Plan/Candidates.h"
#include "Plan/Decisions.h"
#include "Plan/Order.h"
#include "Planner.h"
#include "Transforms/Transforms.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace daedalus::accelerator {
namespace {

using mlir::failure;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::success;

LogicalResult refuse(mlir::func::CallOp call, const std::string &reason) {
  return call.emitError("kernel ") << call.getCallee() << " cannot run on the accelerator: " << reason;
}

KernelUse useOf(mlir::func::CallOp call, mlir::func::FuncOp func, Kernel kernel, uint32_t layer, Slot output,
                const DramPlacement &placement) {
  KernelCall prepared{std::move(kernel), {}, {}, output, layer, layer, call.getLoc()};
  for (int64_t input : prepared.kernel.inputs)
    prepared.inputs.push_back(placement.slot(call.getOperand(input)));
  return KernelUse{call, func, std::move(prepared), {}, {func.getName().str()}};
}

/// The inputs that a kernel puts one behind the other and that do not lie in its result already, one by one.
void prepareParts(const KernelUse &whole, const DramPlacement &placement, std::vector<KernelUse> &uses) {
  const Kernel &joined = whole.prepared.kernel;
  Slot place = whole.prepared.output;
  if (!place.pitch)
    place.pitch = joined.window.c;
  for (size_t part = 0; part < joined.parts.size(); ++part) {
    const Slot from = whole.prepared.inputs[part];
    Kernel move = partOf(joined, part);
    if (from.offset != place.offset) {
      uses.push_back(useOf(whole.call, whole.func, std::move(move), whole.prepared.layer, place, placement));
      uses.back().name.part = part;
    }
    place.offset += joined.parts[part];
    place.channel += joined.parts[part];
  }
}

LogicalResult prepareCall(const mlir::SymbolTable &symbols, mlir::func::CallOp call, uint32_t layer,
                          const isa::Machine &machine, const DramPlacement &placement,
                          std::vector<KernelUse> &uses) {
  auto func = symbols.lookup<mlir::func::FuncOp>(call.getCalleeAttr().getAttr());
  if (!func)
    return call.emitError("calls the unknown kernel ") << call.getCallee();
  if (call.getNumResults() != 1)
    return refuse(call, "it is no kernel function of one result");
  auto isDense = [&](mlir::Value value) { return placement.slot(value).pitch == 0; };
  std::string reason;
  std::optional<Kernel> kernel = readSimplified(
      func, machine, reason, isDense(call.getResult(0)) && llvm::all_of(call.getOperands(), isDense));
  if (!kernel)
    return refuse(call, reason);
  for (auto [input, layout] : llvm::zip(kernel->inputs, kernel->layouts))
    if (layout && !isDense(call.getOperand(input)))
      return refuse(call, "it reads a part of a wider tensor otherwise than it lies");
  KernelUse use = useOf(call, func, std::move(*kernel), layer, placement.slot(call.getResult(0)), placement);
  if (!use.prepared.kernel.parts.empty())
    prepareParts(use, placement, uses);
  else
    uses.push_back(std::move(use));
  return success();
}

/// Numbers the calls of each function as they stand in @main: a stream of its own says which they are.
void nameCalls(std::vector<KernelUse> &uses) {
  llvm::StringMap<int64_t> next;
  llvm::DenseMap<mlir::Operation *, int64_t> numbers;
  if (!uses.empty())
    for (auto call : uses.front().call->getBlock()->getOps<mlir::func::CallOp>())
      numbers[call] = next[call.getCallee()]++;
  for (KernelUse &use : uses) {
    const auto said = use.call->getAttrOfType<mlir::IntegerAttr>(dae::callName);
    const auto function = use.call->getParentOfType<mlir::func::FuncOp>();
    use.name.call = function->hasAttr(dae::streamName) ? (said ? said.getInt() : 0) : numbers[use.call];
  }
}

/// What a given plan says of the uses; a failure is a diagnostic at a kernel of it that is another.
LogicalResult findDecisions(std::vector<KernelUse> &uses, Planning &planning) {
  for (KernelUse &use : uses) {
    use.decided = planning.kernel(use.name);
    use.fusion = planning.fusion(use.name);
    if ((use.decided && failed(checkFingerprint(use.decided, use.decided.getFingerprint(), use.func))) ||
        (use.fusion && failed(checkFingerprint(use.fusion, use.fusion.getFingerprint(), use.func))))
      return failure();
  }
  for (KernelUse &use : uses) {
    const auto isThere = [&](const KernelUse &other) {
      return other.decided && other.decided == use.fusion->getParentOp();
    };
    if (use.fusion && llvm::none_of(uses, isThere))
      return use.fusion->getParentOp()->emitError("has '")
             << use.name.symbol << "' in the tiles of kernel " << use.fusion->getParentOp()->getAttr("callee")
             << ", which is not in its stream";
  }
  return success();
}

/// The schedules of calls that a given plan decides about. All of them together are bounded as those of a
/// stream that the planner makes are.
LogicalResult takeSchedules(std::vector<KernelUse> &uses, const isa::Machine &machine) {
  double instructions = 0;
  for (KernelUse &use : uses) {
    if (!use.decided)
      continue;
    const FailureOr<Schedule> schedule = decidedSchedule(use.decided, use.prepared.kernel, machine);
    if (failed(schedule))
      return failure();
    use.schedules = RankedSchedules(*schedule);
    std::string reason;
    instructions += estimateInstructions(use.prepared.kernel, *schedule, machine);
    if (tooManyInstructions(instructions / 2, reason))
      return use.decided.emitError("with kernel '") << use.name.symbol << "' the stream " << reason;
  }
  return success();
}

LogicalResult refuseForRoom(KernelUse &use) {
  const char *const why = "its tiles find no room beside what stays in the scratchpads; choose smaller ones";
  if (!use.decided)
    return refuse(use.call, why);
  if (auto group = mlir::dyn_cast<dae::GroupOp>(use.decided->getParentOp()))
    return group.emitError("cannot interleave kernel '")
           << use.name.symbol << "' and its neighbours: their tiles find no room beside each other";
  return use.decided.emitError("cannot run kernel '") << use.name.symbol << "' so: " << why;
}

/// Plans the uses, whose calls `planned` receives.
FailureOr<Plan> planUses(std::vector<KernelUse> &uses, llvm::ArrayRef<GivenGroup> given,
                         const isa::Machine &machine, Planning &planning, std::vector<KernelCall> &planned) {
  std::vector<RankedSchedules> schedules;
  for (KernelUse &use : uses) {
    std::string reason;
    if (!use.schedules)
      use.schedules = schedulesOf(use.prepared.kernel, machine, planning, reason);
    if (!use.schedules)
      return refuse(use.call, reason);
    schedules.push_back(use.schedules);
    planned.push_back(std::move(use.prepared));
  }
  Plan plan = planTiles(planned, schedules, given, machine);
  if (plan.withoutRoom)
    return refuseForRoom(uses[*plan.withoutRoom]);
  planning.effort.kernels += uses.size();
  planning.effort.enumerated = planning.candidates().enumerated();
  planning.effort.tried += plan.tried, planning.effort.tiles += plan.tiles;
  planning.candidates().forget();
  for (KernelUse &use : uses)
    use.schedules = {};
  return plan;
}

} // namespace

std::optional<Kernel> readSimplified(mlir::func::FuncOp func, const isa::Machine &machine,
                                     std::string &reason, bool dense) {
  std::optional<Kernel> kernel = readKernel(func, reason);
  if (kernel && kernel->parts.empty()) {
    flatten(*kernel, dense);
    diagonalWeights(*kernel, machine.n);
  }
  return kernel;
}

RankedSchedules schedulesOf(const Kernel &kernel, const isa::Machine &machine, Planning &planning,
                            std::string &reason) {
  if (kernel.parts.empty())
    return planning.candidates().of(kernel, machine, reason);
  return planning.candidates().of(partOf(kernel, 0), machine, reason); // parts differ in channels alone
}

FailureOr<PlannedCalls> planCalls(mlir::ModuleOp module, llvm::ArrayRef<mlir::func::CallOp> calls,
                                  llvm::ArrayRef<uint32_t> layerIds, const isa::Machine &machine,
                                  const DramPlacement &placement, Planning &planning) {
  module.getContext()->loadDialect<dae::DaeDialect, mlir::arith::ArithDialect, mlir::linalg::LinalgDialect>();
  const mlir::SymbolTable symbols(module);
  std::vector<KernelUse> uses;
  for (auto [call, layer] : llvm::zip_equal(calls, layerIds))
    if (failed(prepareCall(symbols, call, layer, machine, placement, uses)))
      return failure();
  nameCalls(uses);
  if (failed(findDecisions(uses, planning)) || failed(fuse(uses, machine, planning)))
    return failure();
  PlannedCalls result;
  llvm::DenseSet<mlir::Operation *> stored;
  for (const KernelUse &use : uses)
    stored.insert(use.call);
  for (mlir::func::CallOp call : calls)
    if (!stored.contains(call))
      result.unstored.push_back(call.getResult(0));
  const FailureOr<std::vector<GivenGroup>> given = orderAsDecided(uses);
  if (failed(given) || failed(takeSchedules(uses, machine)))
    return failure();
  FailureOr<Plan> plan = planUses(uses, *given, machine, planning, result.calls);
  if (failed(plan))
    return failure();
  if (planning.decided)
    writeGroups(*planning.decided, plan->groups, uses);
  result.program = std::move(plan->program);
  result.expectedCycles = plan->expectedCycles;
  return result;
}

LogicalResult blockizeCalls(mlir::ModuleOp module, llvm::ArrayRef<mlir::func::CallOp> calls,
                            llvm::ArrayRef<uint32_t> layerIds, const isa::Machine &machine,
                            const DramPlacement &placement, Planning &planning,
                            std::vector<uint8_t> &constants, AcceleratorStream &result) {
  FailureOr<PlannedCalls> planned = planCalls(module, calls, layerIds, machine, placement, planning);
  if (failed(planned))
    return failure();
  result.expectedCycles = planned->expectedCycles;
  result.unstored = std::move(planned->unstored);
  result.dae = mlir::ModuleOp::create(module.getLoc());
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(result.dae->getBody());
  auto stream =
      builder.create<mlir::func::FuncOp>(module.getLoc(), "stream", builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(stream.addEntryBlock());
  blockize(builder, planned->program, planned->calls, machine, constants);
  builder.create<mlir::func::ReturnOp>(module.getLoc());
  return success();
}

FailureOr<AcceleratorStream> compileStream(mlir::ModuleOp module, llvm::ArrayRef<mlir::func::CallOp> calls,
                                           llvm::ArrayRef<uint32_t> layerIds, const isa::Machine &machine,
                                           const DramPlacement &placement, std::vector<uint8_t> &constants,
                                           Planning *planning) {
  Planning alone;
  AcceleratorStream result;
  if (failed(blockizeCalls(module, calls, layerIds, machine, placement, planning ? *planning : alone,
                           constants, result)))
    return failure();
  auto stream = *result.dae->getOps<mlir::func::FuncOp>().begin();
  auto step = [&](LogicalResult outcome) {
    return succeeded(outcome) && succeeded(mlir::verify(*result.dae));
  };
  if (!step(success()) || !step(dae::tensorize(stream, machine)) || !step(dae::allocate(stream, machine)) ||
      !step(dae::orderByTokens(stream, machine)))
    return failure();
  dae::assignMasks(stream);
  FailureOr<dae::Instructions> instructions = dae::toInstructions(stream, machine);
  if (failed(instructions))
    return failure();
  result.instructions = std::move(instructions->all);
  result.layerOfInstruction = std::move(instructions->layers);
  return result;
}

std::optional<uint64_t> acceleratorSupports(mlir::func::FuncOp kernel, const isa::Machine &machine,
                                            std::string &reason, Planning *planning) {
  Planning alone;
  reason.clear();
  std::optional<Kernel> read = readSimplified(kernel, machine, reason);
  if (!read)
    return std::nullopt;
  const RankedSchedules schedules = schedulesOf(*read, machine, planning ? *planning : alone, reason);
  if (!schedules)
    return std::nullopt;
  if (read->parts.empty())
    return estimateInstructions(*read, schedules.front(), machine);
  double instructions = 0;
  for (size_t part = 0; part < read->parts.size(); ++part)
    instructions += estimateInstructions(partOf(*read, part), schedules.front(), machine);
  return tooManyInstructions(instructions, reason) ? std::nullopt : std::optional<uint64_t>(instructions);
}

MemoryNeeds memoryNeeds(mlir::func::FuncOp func) {
  MemoryNeeds needs;
  needs.paddingBefore = paddingBefore(func);
  needs.putsInPlace = putsInPlace(func);
  needs.channels.resize(func.getNumArguments());
  needs.firsts.resize(func.getNumArguments());
  std::string reason;
  const std::optional<Kernel> kernel = readKernel(func, reason);
  if (!kernel)
    return needs;
  needs.resultChannels = kernel->window.oc;
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

bool putsInPlace(mlir::func::FuncOp kernel) {
  return kernel.getBody()
             .front()
             .getTerminator()
             ->getOperand(0)
             .getDefiningOp<mlir::tensor::InsertSliceOp>() != nullptr;
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
