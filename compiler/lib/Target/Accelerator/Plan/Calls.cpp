// See Calls.h: a call becomes a kernel on slots of the arena, a given plan is looked up, and the planner
// decides the rest.

#include "Plan/Calls.h"

#include "Lowering/Handover.h"
#include "Plan/Candidates.h"
#include "Plan/Decisions.h"
#include "Plan/Fusion.h"
#include "Plan/Order.h"
#include "Plan/Planner.h"
#include "Plan/TunedPlans.h"
#include "Transforms/Transforms.h"

#include "daedalus/Dialect/Dae/IR/Dae.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/SymbolTable.h"

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
      uses.back().readsAlone = llvm::count(joined.inputs, joined.inputs[part]) == 1;
    }
    place.offset += joined.parts[part];
    place.channel += joined.parts[part];
  }
}

/// Whether a call's result lies in its operand from the start.
bool liesInOperand(mlir::func::CallOp call, mlir::func::FuncOp func, const DramPlacement &placement) {
  const std::optional<int64_t> first = slicesFrom(func);
  if (!first)
    return false;
  const Slot from = placement.slot(call.getOperand(0)), to = placement.slot(call.getResult(0));
  return to.pitch && to.offset == from.offset + *first;
}

LogicalResult prepareCall(const mlir::SymbolTable &symbols, mlir::func::CallOp call, uint32_t layer,
                          const isa::Machine &machine, const DramPlacement &placement,
                          std::vector<KernelUse> &uses) {
  auto func = symbols.lookup<mlir::func::FuncOp>(call.getCalleeAttr().getAttr());
  if (!func)
    return call.emitError("calls the unknown kernel ") << call.getCallee();
  if (call.getNumResults() != 1)
    return refuse(call, "it is not a kernel function of one result");
  if (liesInOperand(call, func, placement))
    return success();
  auto isDense = [&](mlir::Value value) { return placement.slot(value).pitch == 0; };
  Result<Kernel> kernel =
      readSimplified(func, machine, isDense(call.getResult(0)) && llvm::all_of(call.getOperands(), isDense));
  if (!kernel)
    return refuse(call, kernel.error());
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

/// Numbers the calls of each kernel.
void nameCalls(std::vector<KernelUse> &uses, const DramPlacement &placement) {
  llvm::StringMap<int64_t> next;
  llvm::DenseMap<mlir::Operation *, int64_t> numbers;
  if (!uses.empty())
    for (auto call : uses.front().call->getBlock()->getOps<mlir::func::CallOp>())
      numbers[call] = next[call.getCallee()]++;
  for (KernelUse &use : uses)
    use.name.call = placement.number ? placement.number(use.call) : numbers[use.call];
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
    instructions += estimateInstructions(use.prepared.kernel, *schedule, machine);
    if (const Result<void> good = fitStream(instructions / 2); !good)
      return use.decided.emitError("with kernel '") << use.name.symbol << "' the stream " << good.error();
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
    if (!use.schedules) {
      const Result<RankedSchedules> &found = planning.candidates().of(use.prepared.kernel, machine);
      if (!found)
        return refuse(use.call, found.error());
      use.schedules = *found;
    }
    schedules.push_back(use.schedules);
    planned.push_back(std::move(use.prepared));
  }
  Plan plan = planTiles(planned, schedules, given, planning.candidates(), machine);
  if (plan.withoutRoom)
    return refuseForRoom(uses[*plan.withoutRoom]);
  planning.effort.kernels += uses.size();
  planning.effort.enumerated = planning.candidates().enumerated();
  planning.effort.tried += plan.tried, planning.effort.tiles += plan.tiles;
  if (planning.keepsSpaces) {
    exchangeWindows(planned); // kernels are known by what they are before
    planning.spaces.push_back(spaceOf(uses, planned, plan.groups, planning, machine));
    exchangeWindows(planned);
  }
  planning.candidates().forget();
  for (KernelUse &use : uses)
    use.schedules = {};
  return plan;
}

} // namespace

FailureOr<PlannedCalls> planCalls(mlir::ModuleOp module, llvm::ArrayRef<mlir::func::CallOp> calls,
                                  llvm::ArrayRef<uint32_t> layerIds, const isa::Machine &machine,
                                  const DramPlacement &placement, Planning &planning) {
  module.getContext()->loadDialect<dae::DaeDialect, mlir::arith::ArithDialect, mlir::linalg::LinalgDialect>();
  const mlir::SymbolTable symbols(module);
  std::vector<KernelUse> uses;
  for (auto [call, layer] : llvm::zip_equal(calls, layerIds))
    if (failed(prepareCall(symbols, call, layer, machine, placement, uses)))
      return failure();
  nameCalls(uses, placement);
  if (failed(findDecisions(uses, planning)) || failed(fuse(uses, machine, planning)))
    return failure();
  PlannedCalls result;
  llvm::DenseSet<mlir::Operation *> stored;
  for (KernelUse &use : uses) {
    stored.insert(use.call);
    use.prepared.hasOneReader = use.call.getResult(0).hasOneUse();
  }
  for (mlir::func::CallOp call : calls)
    if (!stored.contains(call))
      result.unstored.push_back(call.getResult(0));
  FailureOr<std::vector<GivenGroup>> given = orderAsDecided(uses);
  if (failed(given) || failed(shapeHandovers(uses, *given)) || failed(takeSchedules(uses, machine)) ||
      failed(checkHandovers(uses, machine)))
    return failure();
  if (planning.tuned)
    planning.tunedKernels += takeTuned(uses, *given, *planning.tuned, machine);
  FailureOr<Plan> plan = planUses(uses, *given, machine, planning, result.calls);
  if (failed(plan))
    return failure();
  for (const Group &group : plan->groups)
    for (auto [place, schedule] : llvm::enumerate(group.schedules))
      if (schedule.handsOver)
        result.unstored.push_back(mlir::func::CallOp(uses[group.first + place].call).getResult(0));
  if (planning.decided)
    writeGroups(*planning.decided, plan->groups, uses);
  result.program = std::move(plan->program);
  result.expectedCycles = plan->expectedCycles;
  return result;
}

} // namespace daedalus::accelerator
