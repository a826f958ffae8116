// A schedule as a file: entries with what a reader wants to know beside them.

#include "Schedule.h"

#include "MicroKernels/MicroKernels.h"
#include "Passes.h"

#include "daedalus/Dialect/Host/IR/Host.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

/// The nodes of each kernel function, in the order of the steps.
llvm::StringMap<SmallVector<std::string>> nodesOf(ModuleOp module) {
  llvm::StringMap<SmallVector<std::string>> nodes;
  for (auto package : module.getOps<host::PackageOp>()) {
    const auto layers = llvm::to_vector(package.getLayers().getAsRange<host::LayerAttr>());
    module.walk([&](host::StepOp step) {
      for (int64_t layer : step.getLayers())
        if (layer >= 0 && layer < int64_t(layers.size()))
          nodes[step.getCallee()].push_back(layers[layer].getNode().str());
    });
  }
  return nodes;
}

/// "conv1, conv2 and 3 more: 14 tiles".
std::string comment(KernelOp kernel, const llvm::StringMap<SmallVector<std::string>> &nodes) {
  constexpr size_t most = 3;
  SmallVector<std::string> names;
  if (kernel.getFunctions())
    for (auto function : kernel.getFunctions()->getAsRange<FlatSymbolRefAttr>())
      llvm::append_range(names, nodes.lookup(function.getValue()));
  std::string text = llvm::join(ArrayRef(names).take_front(most), ", ");
  if (names.size() > most)
    text += " and " + std::to_string(names.size() - most) + " more";
  const int64_t tiles = kernel.countTiles();
  text += ": " + std::to_string(tiles) + (tiles == 1 ? " tile" : " tiles");
  for (char &c : text)
    c = c == '\n' || c == '\r' ? ' ' : c; // of what a node may be called
  return text;
}

/// The block that all sums of products of a kernel have, if they have one.
std::optional<Block> blockOf(func::FuncOp kernel, ModuleOp kernels, const Features &features) {
  std::optional<Block> block;
  bool isOne = true;
  const auto add = [&](func::FuncOp function) {
    for (const BlockNeeds &needs : blockNeedsOf(function, features)) {
      const Block best = needs.best(features);
      isOne &= !block || (block->rows == best.rows && block->panels == best.panels);
      block = best;
    }
  };
  add(kernel);
  kernel.walk([&](func::CallOp call) { add(kernels.lookupSymbol<func::FuncOp>(call.getCallee())); });
  return isOne ? block : std::nullopt;
}

/// What is given, and the compiler's choice for the other levels.
void completeBlocks(KernelOp entry, ModuleOp kernels, ArrayRef<Level> levels) {
  SmallVector<Attribute> blocks;
  if (entry.getBlocks())
    llvm::append_range(blocks, *entry.getBlocks());
  func::FuncOp kernel;
  if (entry.getFunctions() && !entry.getFunctions()->empty())
    kernel =
        kernels.lookupSymbol<func::FuncOp>(cast<FlatSymbolRefAttr>((*entry.getFunctions())[0]).getAttr());
  for (const Level &level : levels)
    if (kernel && !entry.blockOf(level.name))
      if (const std::optional<Block> block = blockOf(kernel, kernels, featuresOf(level)))
        blocks.push_back(BlockAttr::get(entry.getContext(), level.name, block->rows, block->panels));
  if (!blocks.empty())
    entry.setBlocksAttr(ArrayAttr::get(entry.getContext(), blocks));
}

} // namespace

FailureOr<std::string> printSchedule(ModuleOp module, ModuleOp kernels, ArrayRef<Level> levels) {
  for (const Level &level : levels)
    if (failed(placeBlocks(module, kernels, level)))
      return failure();
  const llvm::StringMap<SmallVector<std::string>> nodes = nodesOf(module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "cpu.schedule format " << ScheduleOp::Format << " {\n";
  for (ScheduleOp schedule : module.getOps<ScheduleOp>())
    for (KernelOp kernel : schedule.getBody().getOps<KernelOp>()) {
      OwningOpRef<KernelOp> entry = kernel.clone();
      completeBlocks(*entry, kernels, levels);
      stream << "  // " << comment(*entry, nodes) << "\n  ";
      (*entry)->print(stream, OpPrintingFlags().useLocalScope().assumeVerified()); // it has no parent
      stream << "\n";
    }
  stream << "}\n";
  return text;
}

} // namespace daedalus::cpu
