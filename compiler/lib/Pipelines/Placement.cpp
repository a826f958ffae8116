// place-kernels, and Placement.h.

#include "Placement.h"

#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"
#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"
#include "daedalus/Dialect/Dae/Transforms/Machine.h"
#include "daedalus/Pipelines/Passes.h"
#include "daedalus/Target/Accelerator/Accelerator.h"
#include "daedalus/Target/Accelerator/Planning.h"

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
  std::string target, reason;
  uint64_t instructions = 0; ///< of the accelerator
};

FailureOr<Choice> choose(func::FuncOp kernel, StringRef target, const isa::Machine &machine,
                         accelerator::Planning &planning) {
  StringRef cpuOnly = kernelAttribute(kernel, kernel::cpuOnly);
  if (target == "cpu")
    return Choice{"cpu", "asked for with target cpu"};
  std::string why = cpuOnly.str();
  if (cpuOnly.empty())
    if (auto instructions = accelerator::acceleratorSupports(kernel, machine, why, &planning))
      return Choice{"accelerator", "fits machine '" + machine.name + "'", *instructions};
  if (target == "accelerator" && !kernel->hasAttr(kernel::boundary))
    return emitError(kernel.getLoc()) << "cannot run on the accelerator of machine '" << machine.name
                                      << (StringRef(why).starts_with("it") ? "': " : "': it ") << why
                                      << "; use target auto to run it on the CPU";
  return Choice{"cpu", why};
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
    if (target != "auto" && target != "accelerator" && target != "cpu")
      return module.emitError("target '") << target << "' is unknown; expected auto, accelerator or cpu",
             signalPassFailure();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main)
      return module.emitError("has no function @main"), signalPassFailure();
    module->setAttr(dae::machineName, dae::toAttribute(&getContext(), *loaded));
    const auto planning = shared ? shared : std::make_shared<accelerator::Planning>();
    const SymbolTable symbols(module);
    for (auto call : main.getOps<func::CallOp>())
      if (failed(place(call, symbols.lookup<func::FuncOp>(call.getCallee()), *loaded, *planning)))
        return signalPassFailure();
  }

  std::shared_ptr<accelerator::Planning> shared; ///< of all passes of one compilation; null: of this one alone

private:
  LogicalResult place(func::CallOp call, func::FuncOp kernel, const isa::Machine &machine,
                      accelerator::Planning &planning) {
    if (!kernel)
      return call.emitError("calls '") << call.getCallee() << "', which is no function";
    if (kernelAttribute(kernel, kernel::target) == "external")
      return success();
    if (kernel.isExternal() || !kernel.getBody().hasOneBlock())
      return call.emitError("calls '") << call.getCallee() << "', which is no kernel of one block";
    Builder builder(&getContext());
    FailureOr<Choice> choice = choose(kernel, target, machine, planning);
    if (failed(choice))
      return failure();
    kernel->setAttr(kernel::target, builder.getStringAttr(choice->target));
    kernel->setAttr(kernel::reason, builder.getStringAttr(choice->reason));
    kernel->removeAttr(kernel::instructions);
    if (choice->instructions)
      kernel->setAttr(kernel::instructions, builder.getI64IntegerAttr(choice->instructions));
    return success();
  }
};

} // namespace

std::unique_ptr<Pass> createPlaceKernels(const PlaceKernelsOptions &options,
                                         std::shared_ptr<accelerator::Planning> planning) {
  auto pass = std::make_unique<PlaceKernels>(options);
  pass->shared = std::move(planning);
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
