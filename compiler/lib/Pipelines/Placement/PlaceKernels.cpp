// place-kernels, and Placement.h.

#include "Candidates.h"
#include "Neighbours.h"
#include "Placement.h"
#include "Prices.h"

#include "daedalus/Analysis/Locations.h"
#include "daedalus/Analysis/Work.h"
#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Dialect/Qnn/Transforms/Graph.h"
#include "daedalus/Kernels/Names.h"
#include "daedalus/Pipelines/Passes.h"
#include "daedalus/Target/DidYouMean.h"
#include "daedalus/Target/Target.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace daedalus {
#define GEN_PASS_DEF_PLACEKERNELS
#include "daedalus/Pipelines/Passes.h.inc"

namespace {

constexpr StringRef firstPolicy = "accelerator-first", cheapestPolicy = "cheapest";

/// A kernel, which is named by the first of its calls.
struct Placed {
  func::CallOp call;
  func::FuncOp kernel;
  std::optional<HostWork> host; ///< with the reason that its neighbours complete
  std::string external;         ///< why no target runs it; may be empty
  std::vector<Candidate> candidates;
  size_t chosen = 0;
};

struct PlaceKernels : impl::PlaceKernelsBase<PlaceKernels> {
  using PlaceKernelsBase::PlaceKernelsBase;

  /// A target may lower a kernel to price it.
  void getDependentDialects(DialectRegistry &registry) const override {
    const Result<TargetChoice> choice = TargetChoice::parse(target);
    for (const auto &target : targets())
      if (choice && choice->includes(*target))
        target->registerDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Result<std::shared_ptr<TargetStates>> states = statesFor(module);
    if (!states)
      return module.emitError(states.error()), signalPassFailure();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main)
      return module.emitError("has no function @main"), signalPassFailure();
    asked = *TargetChoice::parse(target);
    const bool isCheapest = policy == cheapestPolicy;
    if (isCheapest && asked.only())
      return module.emitError("policy cheapest chooses among targets; expected target auto, or several with "
                              "commas between them, not ")
                 << target,
             signalPassFailure();
    const Result<void> possible = isCheapest || prices ? canPrice(**states, asked) : Result<void>();
    if (isCheapest && !possible)
      return module.emitError(possible.error()), signalPassFailure();
    const bool isPriced = (isCheapest || prices) && possible;
    std::vector<Placed> all;
    if (failed(collect(main, **states, isPriced, all)) || failed(choose(main, **states, all)))
      return signalPassFailure();
    write(module, **states, isPriced, all);
  }

  std::shared_ptr<TargetStates> shared; ///< of all passes of one compilation; null: of this one alone

private:
  TargetChoice asked; ///< by `target`

  /// Open for the module.
  Result<std::shared_ptr<TargetStates>> statesFor(ModuleOp module) {
    if (Result<void> known = checkTargetChoice(target); !known)
      return error(known.error());
    if (Result<void> known = checkPlacementPolicy(policy); !known)
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

  /// All kernels that @main calls, with their candidates.
  LogicalResult collect(func::FuncOp main, TargetStates &states, bool isPriced, std::vector<Placed> &all) {
    llvm::DenseSet<Operation *> found;
    const SymbolTable symbols(getOperation());
    Neighbours neighbours(symbols);
    for (auto call : main.getOps<func::CallOp>()) {
      auto kernel = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!kernel)
        return call.emitError("calls '") << call.getCallee() << "', which is not a function";
      if (found.insert(kernel).second && failed(collect(call, kernel, states, isPriced, neighbours, all)))
        return failure();
    }
    return success();
  }

  LogicalResult collect(func::CallOp call, func::FuncOp kernel, TargetStates &states, bool isPriced,
                        Neighbours &neighbours, std::vector<Placed> &kernels) {
    Placed &placed = kernels.emplace_back(Placed{call, kernel, std::nullopt, "", {}});
    if (const std::optional<StringRef> name = qnn::externalName(kernel)) {
      placed.external = ("calls the external function '" + *name + "'").str();
      return success();
    }
    if (kernel.isExternal() || !kernel.getBody().hasOneBlock())
      return call.emitError("calls '") << call.getCallee() << "', which is not a kernel of one block";
    if ((placed.host = neighbours.workOf(kernel)))
      placed.host->reason = neighbours.reasonOf(call, *placed.host);
    FailureOr<std::vector<Candidate>> candidates =
        candidatesOf(kernel, placed.host, asked, policy == cheapestPolicy, states);
    if (failed(candidates))
      return failure();
    placed.candidates = std::move(*candidates);
    const MutableArrayRef<Candidate> all = placed.candidates, first = all.drop_back();
    const bool isChoice = first.size() > 1; // whoever stands behind all others
    return isPriced ? price(kernel, all, states) : isChoice ? price(kernel, first, states) : success();
  }

  /// By the policy.
  LogicalResult choose(func::FuncOp main, TargetStates &states, std::vector<Placed> &all) {
    if (policy == firstPolicy) {
      for (Placed &placed : all)
        placed.chosen = firstOf(placed.candidates);
      return success();
    }
    llvm::DenseMap<Operation *, std::vector<Candidate>> kernels;
    for (const Placed &placed : all)
      if (placed.external.empty())
        kernels[placed.kernel] = placed.candidates;
    const auto chosen = cheapestPlacement(main, kernels, states);
    if (failed(chosen))
      return failure();
    for (Placed &placed : all)
      placed.chosen = chosen->lookup(placed.kernel);
    return success();
  }

  /// The cheapest, each alone, of those in front of the fallback; the fallback where there is no other.
  static size_t firstOf(const std::vector<Candidate> &candidates) {
    size_t best = 0;
    for (size_t i = 1; i + 1 < candidates.size(); ++i)
      if (*candidates[i].price < *candidates[best].price)
        best = i;
    return best;
  }

  void write(ModuleOp module, TargetStates &states, bool isPriced, std::vector<Placed> &all) {
    host::PlacementOp placement = host::placementOf(module);
    placement.setTargetsAttr(states.record(&getContext()));
    placement.getBody().front().clear();
    auto builder = OpBuilder::atBlockEnd(&placement.getBody().front());
    for (Placed &placed : all) {
      const Candidate *chosen = placed.external.empty() ? &placed.candidates[placed.chosen] : nullptr;
      const bool isCheaper = chosen && placed.chosen > 0 && chosen->target->isFallback();
      const std::string reason = !chosen     ? placed.external
                                 : isCheaper ? "is cheaper here, by price"
                                             : chosen->reason;
      auto layer = host::LayerAttr::get(
          &getContext(), builder.getStringAttr(nodeName(placed.call.getLoc())),
          builder.getStringAttr(chosen ? chosen->target->name() : kernel::externalTarget),
          builder.getStringAttr(reason), multiplyAccumulates(placed.kernel),
          placed.host && placed.host->isBoundary, isPriced ? pricesOf(placed, builder) : nullptr, nullptr);
      builder.create<host::PlaceOp>(placed.call.getLoc(), placed.kernel.getName(), layer,
                                    chosen ? chosen->size : 0);
    }
  }

  static DictionaryAttr pricesOf(const Placed &placed, OpBuilder &builder) {
    NamedAttrList prices;
    for (const Candidate &candidate : placed.candidates)
      if (candidate.price)
        prices.append(candidate.target->name(), builder.getF64FloatAttr(*candidate.price));
    return prices.empty() ? DictionaryAttr() : prices.getDictionary(builder.getContext());
  }
};

} // namespace

std::vector<std::string> placementPolicies() {
  return {firstPolicy.str(), cheapestPolicy.str()};
}

Result<void> checkPlacementPolicy(const std::string &policy) {
  if (llvm::is_contained(placementPolicies(), policy))
    return {};
  return error("placement policy '" + policy + "' is unknown" + didYouMean(policy, placementPolicies()) +
               "; expected " + listOf(placementPolicies()));
}

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
