// place-kernels, and Placement.h.

#include "Placement.h"
#include "Neighbours.h"

#include "daedalus/Analysis/Locations.h"
#include "daedalus/Analysis/Work.h"
#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Dialect/Qnn/Transforms/Graph.h"
#include "daedalus/Kernels/Names.h"
#include "daedalus/Pipelines/Passes.h"
#include "daedalus/Target/Target.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace daedalus {
#define GEN_PASS_DEF_PLACEKERNELS
#include "daedalus/Pipelines/Passes.h.inc"

namespace {

struct Choice {
  const Target *target;
  std::string reason;
  uint64_t size = 0; ///< as of Support
};

/// The cheapest of the targets that take the kernel; where none does, all their reasons.
Choice cheapest(func::FuncOp kernel, TargetStates &states) {
  Choice best{nullptr, "", 0}, none{&fallbackTarget(), "", 0};
  double least = 0;
  const auto count = llvm::count_if(targets(), [](const auto &target) { return !target->isFallback(); });
  for (const auto &target : targets()) {
    if (target->isFallback())
      continue;
    const Support support = target->supports(kernel, *states.of(*target));
    if (!support.isTaken) {
      none.reason +=
          (none.reason.empty() ? "" : "; ") + (count > 1 ? target->name() + ": " : "") + support.reason;
      continue;
    }
    const double cost = count > 1 ? target->cost(kernel, *states.of(*target)).microseconds : 0;
    if (!best.target || cost < least)
      best = {target.get(), support.reason, support.size}, least = cost;
  }
  return best.target ? best : none;
}

/// The target, or the fallback with its reason.
Choice onTarget(func::FuncOp kernel, const Target &target, TargetStates &states) {
  const Support support = target.supports(kernel, *states.of(target));
  return {support.isTaken ? &target : &fallbackTarget(), support.reason, support.size};
}

/// `host` is hostWork() of the kernel, with the reason that its neighbours complete.
FailureOr<Choice> choose(func::FuncOp kernel, const std::optional<HostWork> &host, StringRef asked,
                         TargetStates &states) {
  const Target &fallback = fallbackTarget();
  if (asked == fallback.name())
    return Choice{&fallback, "asked for with target " + fallback.name(), 0};
  if (host && host->isBoundary)
    return Choice{&fallback, host->reason, 0};
  const Target *target = findTarget(asked);
  if (!target && movesSingleElements(kernel))
    return Choice{&fallback, "moves elements", 0};
  Choice choice = target ? onTarget(kernel, *target, states) : cheapest(kernel, states);
  if (choice.target->isFallback() && host)
    choice.reason = host->reason;
  if (target && choice.target != target)
    return emitError(kernel.getLoc())
           << "cannot run on " << target->title(*states.of(*target))
           << (StringRef(choice.reason).starts_with("it") ? ": " : ": it ") << choice.reason
           << "; use target auto to run it on " << fallback.title(*states.of(fallback));
  return choice;
}

struct PlaceKernels : impl::PlaceKernelsBase<PlaceKernels> {
  using PlaceKernelsBase::PlaceKernelsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Result<std::shared_ptr<TargetStates>> states = statesFor(module);
    if (!states)
      return module.emitError(states.error()), signalPassFailure();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main)
      return module.emitError("has no function @main"), signalPassFailure();
    host::PlacementOp placement = host::placementOf(module);
    placement.setTargetsAttr((*states)->record(&getContext()));
    placement.getBody().front().clear();
    auto builder = OpBuilder::atBlockEnd(&placement.getBody().front());
    llvm::DenseSet<Operation *> placed;
    const SymbolTable symbols(module);
    Neighbours neighbours(symbols);
    for (auto call : main.getOps<func::CallOp>())
      if (auto kernel = symbols.lookup<func::FuncOp>(call.getCallee());
          !kernel || placed.insert(kernel).second)
        if (failed(place(call, kernel, **states, neighbours, builder)))
          return signalPassFailure();
  }

  std::shared_ptr<TargetStates> shared; ///< of all passes of one compilation; null: of this one alone

private:
  /// Open for the module.
  Result<std::shared_ptr<TargetStates>> statesFor(ModuleOp module) {
    if (Result<void> known = checkTargetChoice(target); !known)
      return error(known.error());
    auto states = shared;
    if (!states) {
      TargetSettings settings;
      if (Result<void> known = settings.give({given.begin(), given.end()}); !known)
        return error(known.error());
      states = std::make_shared<TargetStates>(std::move(settings));
    }
    if (Result<void> possible = states->check(); !possible)
      return error(possible.error());
    if (Result<void> opened = states->open(module); !opened)
      return error(opened.error());
    return states;
  }

  /// A kernel, which is named by the first of its calls.
  LogicalResult place(func::CallOp call, func::FuncOp kernel, TargetStates &states, Neighbours &neighbours,
                      OpBuilder &builder) {
    if (!kernel)
      return call.emitError("calls '") << call.getCallee() << "', which is no function";
    std::optional<HostWork> host;
    const auto say = [&](StringRef target, const Twine &reason, uint64_t size) {
      auto layer = host::LayerAttr::get(&getContext(), builder.getStringAttr(nodeName(call.getLoc())),
                                        builder.getStringAttr(target), builder.getStringAttr(reason),
                                        multiplyAccumulates(kernel), host && host->isBoundary);
      builder.create<host::PlaceOp>(call.getLoc(), kernel.getName(), layer, size);
    };
    if (const std::optional<StringRef> name = qnn::externalName(kernel)) {
      say(kernel::externalTarget, "calls the external function '" + *name + "'", 0);
      return success();
    }
    if (kernel.isExternal() || !kernel.getBody().hasOneBlock())
      return call.emitError("calls '") << call.getCallee() << "', which is no kernel of one block";
    if ((host = neighbours.workOf(kernel)))
      host->reason = neighbours.reasonOf(call, *host);
    const FailureOr<Choice> choice = choose(kernel, host, target, states);
    if (failed(choice))
      return failure();
    say(choice->target->name(), choice->reason, choice->size);
    return success();
  }
};

} // namespace

std::unique_ptr<Pass> createPlaceKernels(const PlaceKernelsOptions &options,
                                         std::shared_ptr<TargetStates> states) {
  auto pass = std::make_unique<PlaceKernels>(options);
  pass->shared = std::move(states);
  return pass;
}

Placement::Placement(ModuleOp module) {
  for (auto placement : module.getOps<host::PlacementOp>())
    for (auto place : placement.getOps<host::PlaceOp>())
      places.try_emplace(place.getKernel(), place);
}

} // namespace daedalus
