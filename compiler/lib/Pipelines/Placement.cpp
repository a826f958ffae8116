// place-kernels, and Placement.h.

#include "Placement.h"

#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"
#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"
#include "daedalus/Dialect/Dae/Transforms/Machine.h"
#include "daedalus/Pipelines/Passes.h"
#include "daedalus/Target/Target.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

#include <array>

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
Choice cheapest(func::FuncOp kernel, const isa::Machine &machine, TargetStates &states) {
  Choice best{nullptr, "", 0}, none{&fallbackTarget(), "", 0};
  double least = 0;
  const auto count = llvm::count_if(targets(), [](const auto &target) { return !target->isFallback(); });
  for (const auto &target : targets()) {
    if (target->isFallback())
      continue;
    const Support support = target->supports(kernel, machine, states.of(*target).get());
    if (!support.isTaken) {
      none.reason +=
          (none.reason.empty() ? "" : "; ") + (count > 1 ? target->name() + ": " : "") + support.reason;
      continue;
    }
    const double cost = count > 1 ? target->cost(kernel, machine).microseconds : 0;
    if (!best.target || cost < least)
      best = {target.get(), support.reason, support.size}, least = cost;
  }
  return best.target ? best : none;
}

FailureOr<Choice> choose(func::FuncOp kernel, StringRef asked, const isa::Machine &machine,
                         TargetStates &states) {
  const Target &fallback = fallbackTarget();
  if (asked == fallback.name())
    return Choice{&fallback, "asked for with target " + fallback.name(), 0};
  const StringRef only = kernelAttribute(kernel, kernel::cpuOnly);
  const Target *target = findTarget(asked);
  if (!target)
    return only.empty() ? cheapest(kernel, machine, states) : Choice{&fallback, only.str(), 0};
  const Support support = only.empty() ? target->supports(kernel, machine, states.of(*target).get())
                                       : Support{false, only.str(), 0};
  if (support.isTaken)
    return Choice{target, support.reason, support.size};
  if (!kernel->hasAttr(kernel::boundary))
    return emitError(kernel.getLoc())
           << "cannot run on " << target->title(machine)
           << (StringRef(support.reason).starts_with("it") ? ": " : ": it ") << support.reason
           << "; use target auto to run it on " << fallback.title(machine);
  return Choice{&fallback, support.reason, 0};
}

struct PlaceKernels : impl::PlaceKernelsBase<PlaceKernels> {
  using PlaceKernelsBase::PlaceKernelsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Result<isa::Machine> loaded = dae::machineOf(module, machine);
    if (!loaded)
      return module.emitError(loaded.error()), signalPassFailure();
    if (Result<void> known = dae::useIntrinsics(intrinsics); !known)
      return module.emitError(known.error()), signalPassFailure();
    if (Result<void> known = checkTargetChoice(target); !known)
      return module.emitError(known.error()), signalPassFailure();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main)
      return module.emitError("has no function @main"), signalPassFailure();
    module->setAttr(dae::machineName, dae::toAttribute(&getContext(), *loaded));
    const auto states = shared ? shared : std::make_shared<TargetStates>();
    const SymbolTable symbols(module);
    for (auto call : main.getOps<func::CallOp>())
      if (failed(place(call, symbols.lookup<func::FuncOp>(call.getCallee()), *loaded, *states)))
        return signalPassFailure();
  }

  std::shared_ptr<TargetStates> shared; ///< of all passes of one compilation; null: of this one alone

private:
  LogicalResult place(func::CallOp call, func::FuncOp kernel, const isa::Machine &machine,
                      TargetStates &states) {
    if (!kernel)
      return call.emitError("calls '") << call.getCallee() << "', which is no function";
    if (kernelAttribute(kernel, kernel::target) == kernel::externalTarget)
      return success();
    if (kernel.isExternal() || !kernel.getBody().hasOneBlock())
      return call.emitError("calls '") << call.getCallee() << "', which is no kernel of one block";
    Builder builder(&getContext());
    FailureOr<Choice> choice = choose(kernel, target, machine, states);
    if (failed(choice))
      return failure();
    kernel->setAttr(kernel::target, builder.getStringAttr(choice->target->name()));
    kernel->setAttr(kernel::reason, builder.getStringAttr(choice->reason));
    kernel->removeAttr(kernel::instructions);
    if (choice->size)
      kernel->setAttr(kernel::instructions, builder.getI64IntegerAttr(choice->size));
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

StringRef kernelAttribute(func::FuncOp kernel, StringRef name) {
  auto attribute = kernel->getAttrOfType<StringAttr>(name);
  return attribute ? attribute.getValue() : StringRef();
}

std::string placementTable(ArrayRef<package::Layer> layers) {
  std::vector<std::array<std::string, 3>> rows = {{"node", "target", "reason"}};
  for (const package::Layer &layer : layers)
    rows.push_back({layer.node, layer.target, layer.reason});
  size_t widths[2] = {0, 0};
  for (const auto &row : rows)
    for (int i = 0; i < 2; ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const auto &row : rows) {
    for (int i = 0; i < 2; ++i)
      text += row[i] + std::string(widths[i] - row[i].size(), ' ') + " | ";
    text += row[2] + "\n";
  }
  return text;
}

} // namespace daedalus
