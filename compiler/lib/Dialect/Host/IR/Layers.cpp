// See Layers.h.

#include "daedalus/Dialect/Host/IR/Layers.h"

#include "daedalus/Dialect/Host/IR/Host.h"

#include "llvm/ADT/SetVector.h"

#include <map>

namespace daedalus::host {

llvm::StringMap<std::vector<uint32_t>> layersOf(mlir::ModuleOp module) {
  std::map<uint32_t, llvm::SetVector<llvm::StringRef>> functions;
  module.walk([&](StepOp step) {
    if (!step.getLayers().empty() && step.getLayers().front() >= 0)
      functions[uint32_t(step.getLayers().front())].insert(step.getCallee());
  });
  llvm::StringMap<std::vector<uint32_t>> layers;
  for (const auto &[layer, names] : functions)
    if (names.size() == 1)
      layers[names.front()].push_back(layer);
  return layers;
}

} // namespace daedalus::host
