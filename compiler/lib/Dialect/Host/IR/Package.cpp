// What passes ask of host.placement and host.package.

#include "daedalus/Dialect/Host/IR/Host.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace daedalus::host {

PlacementOp placementOf(mlir::ModuleOp module) {
  module.getContext()->loadDialect<HostDialect>();
  for (auto placement : module.getOps<PlacementOp>())
    return placement;
  auto placement =
      mlir::OpBuilder::atBlockBegin(module.getBody()).create<PlacementOp>(module.getLoc(), nullptr);
  placement.getBody().emplaceBlock();
  return placement;
}

PackageOp packageOf(mlir::ModuleOp module) {
  auto packages = module.getOps<PackageOp>();
  return packages.empty() ? PackageOp() : *packages.begin();
}

bool hasStepsOf(mlir::ModuleOp module, llvm::StringRef target) {
  return module
      .walk([&](StepOp step) {
        return step.getTarget() == target ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

static mlir::DictionaryAttr recordOf(std::optional<mlir::DictionaryAttr> targets, llvm::StringRef target) {
  return targets ? targets->getAs<mlir::DictionaryAttr>(target) : nullptr;
}

mlir::DictionaryAttr recordOf(mlir::ModuleOp module, llvm::StringRef target) {
  if (PackageOp package = packageOf(module))
    return recordOf(package.getTargets(), target);
  for (auto placement : module.getOps<PlacementOp>())
    return recordOf(placement.getTargets(), target);
  return nullptr;
}

void addToRecord(PackageOp package, llvm::StringRef target, llvm::StringRef name, uint64_t number) {
  mlir::Builder builder(package.getContext());
  mlir::NamedAttrList targets(package.getTargetsAttr());
  mlir::NamedAttrList record(recordOf(package.getTargets(), target));
  record.set(name, builder.getI64IntegerAttr(static_cast<int64_t>(number)));
  targets.set(target, record.getDictionary(package.getContext()));
  package.setTargetsAttr(targets.getDictionary(package.getContext()));
}

void setConstants(PackageOp package, std::vector<uint8_t> bytes) {
  if (bytes.empty())
    return;
  mlir::Builder builder(package.getContext());
  const auto type = mlir::RankedTensorType::get({static_cast<int64_t>(bytes.size())}, builder.getI8Type());
  const llvm::ArrayRef<char> data(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  mlir::AsmResourceBlob blob(
      data, 1, [owner = std::move(bytes)](void *, size_t, size_t) {}, /*dataIsMutable=*/false);
  package.setConstantsAttr(mlir::DenseResourceElementsAttr::get(type, "constants", std::move(blob)));
}

void setConstantBytes(PackageOp package, uint64_t bytes) {
  if (!bytes)
    return;
  mlir::Builder builder(package.getContext());
  const auto type = mlir::RankedTensorType::get({static_cast<int64_t>(bytes)}, builder.getI8Type());
  package.setConstantsAttr(mlir::DenseElementsAttr::get(type, int8_t(0)));
}

uint64_t constantBytes(PackageOp package) {
  return package.getConstantsAttr() ? package.getConstantsAttr().getShapedType().getNumElements() : 0;
}

mlir::FailureOr<llvm::ArrayRef<uint8_t>> constantsOf(PackageOp package) {
  if (!package.getConstantsAttr())
    return llvm::ArrayRef<uint8_t>();
  auto resource = mlir::dyn_cast<mlir::DenseResourceElementsAttr>(package.getConstantsAttr());
  auto type = mlir::dyn_cast<mlir::RankedTensorType>(package.getConstantsAttr().getShapedType());
  if (!resource || !type || type.getRank() != 1 || !type.getElementType().isSignlessInteger(8))
    return package.emitOpError("expects its constants as a resource of one dimension of i8");
  const mlir::AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return package.emitOpError("has the constants '")
           << resource.getRawHandle().getKey() << "' without their data; print the program in full";
  const llvm::ArrayRef<char> data = blob->getData();
  if (static_cast<int64_t>(data.size()) != type.getNumElements())
    return package.emitOpError("has constants of ") << data.size() << " bytes of the type " << type;
  return llvm::ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(data.data()), data.size());
}

} // namespace daedalus::host
