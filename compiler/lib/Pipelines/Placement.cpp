// See Placement.h. A region is a run of consecutive accelerator kernels: it becomes one stream.

#include "Placement.h"

#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"
#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Target/Accelerator/Accelerator.h"

#include "mlir/IR/Builders.h"

#include <array>

using namespace mlir;

namespace daedalus {
namespace {

struct Choice {
  std::string target, reason;
  uint64_t instructions = 0; ///< of the accelerator
};

FailureOr<Choice> choose(func::FuncOp kernel, const CompileOptions &options,
                         accelerator::Planning &planning) {
  StringRef cpuOnly = kernelAttribute(kernel, kernel::cpuOnly);
  if (options.target == "cpu")
    return Choice{"cpu", "asked for with target cpu"};
  std::string why = cpuOnly.str();
  if (cpuOnly.empty())
    if (auto instructions = accelerator::acceleratorSupports(kernel, options.machine, why, &planning))
      return Choice{"accelerator", "fits machine '" + options.machine.name + "'", *instructions};
  if (options.target == "accelerator" && !kernel->hasAttr(kernel::boundary))
    return emitError(kernel.getLoc()) << "cannot run on the accelerator of machine '" << options.machine.name
                                      << (StringRef(why).starts_with("it") ? "': " : "': it ") << why
                                      << "; use target auto to run it on the CPU";
  return Choice{"cpu", why};
}

} // namespace

StringRef kernelAttribute(func::FuncOp kernel, StringRef name) {
  auto attribute = kernel->getAttrOfType<StringAttr>(name);
  return attribute ? attribute.getValue() : StringRef();
}

LogicalResult place(ModuleOp module, const CompileOptions &options, accelerator::Planning &planning) {
  Builder builder(module.getContext());
  const Kernels kernels(module);
  for (auto call : module.lookupSymbol<func::FuncOp>("main").getOps<func::CallOp>()) {
    func::FuncOp kernel = kernels.of(call);
    if (kernelAttribute(kernel, kernel::target) == "external")
      continue;
    FailureOr<Choice> choice = choose(kernel, options, planning);
    if (failed(choice))
      return failure();
    kernel->setAttr(kernel::target, builder.getStringAttr(choice->target));
    kernel->setAttr(kernel::reason, builder.getStringAttr(choice->reason));
    if (choice->instructions)
      kernel->setAttr(kernel::instructions, builder.getI64IntegerAttr(choice->instructions));
  }
  return success();
}

std::string placementTable(ModuleOp module) {
  const Kernels kernels(module);
  std::vector<std::array<std::string, 3>> rows = {{"node", "target", "reason"}};
  for (auto call : module.lookupSymbol<func::FuncOp>("main").getOps<func::CallOp>()) {
    func::FuncOp kernel = kernels.of(call);
    rows.push_back({kernelAttribute(kernel, kernel::node).str(),
                    kernelAttribute(kernel, kernel::target).str(),
                    kernelAttribute(kernel, kernel::reason).str()});
  }
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
