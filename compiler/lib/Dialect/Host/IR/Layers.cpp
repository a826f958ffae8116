// See Layers.h.

#include "daedalus/Dialect/Host/IR/Layers.h"

#include "llvm/ADT/STLExtras.h"
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

/// The layer becomes one with another reason and other least numbers.
static void replace(PackageOp package, int64_t layer, mlir::StringAttr reason, mlir::DictionaryAttr least) {
  auto layers = llvm::to_vector(package.getLayers());
  const auto old = mlir::cast<LayerAttr>(layers[layer]);
  layers[layer] = LayerAttr::get(package.getContext(), old.getNode(), old.getTarget(), reason, old.getMacs(),
                                 old.getBoundary(), old.getPrices(), least);
  package.setLayersAttr(mlir::ArrayAttr::get(package.getContext(), layers));
}

static LayerAttr layerOf(PackageOp package, int64_t layer) {
  return mlir::cast<LayerAttr>(package.getLayers()[layer]);
}

void addCalls(PackageOp package, int64_t layer, llvm::ArrayRef<mlir::Attribute> functions) {
  const LayerAttr old = layerOf(package, layer);
  std::string reason = old.getReason().str() + "; calls";
  for (auto [i, function] : llvm::enumerate(functions))
    reason += (i ? ", " : " ") + mlir::cast<mlir::StringAttr>(function).str();
  replace(package, layer, mlir::StringAttr::get(package.getContext(), reason), old.getLeast());
}

void setLeast(PackageOp package, int64_t layer, mlir::DictionaryAttr least) {
  replace(package, layer, layerOf(package, layer).getReason(), least);
}

} // namespace daedalus::host
