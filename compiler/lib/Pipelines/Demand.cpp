// See Demand.h.

#include "Demand.h"

#include "MemoryPlan.h"
#include "Placement.h"

#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace daedalus {

Demand demandOf(ModuleOp module, const isa::Machine &machine,
                ArrayRef<accelerator::AcceleratorStream> streams) {
  Demand demand;
  const Kernels kernels(module);
  llvm::DenseSet<Value> unstored;
  for (const accelerator::AcceleratorStream &stream : streams)
    unstored.insert(stream.unstored.begin(), stream.unstored.end());
  /// A contraction's result that never leaves the scratchpads; a Concat's is there, part by part.
  auto isInner = [&](Value value) {
    return unstored.count(value) && !accelerator::isConcat(kernels.of(value.getDefiningOp<func::CallOp>()));
  };
  llvm::DenseMap<Value, uint64_t> read; // a tensor that several layers read counts once
  for (auto call : module.lookupSymbol<func::FuncOp>("main").getOps<func::CallOp>()) {
    func::FuncOp kernel = kernels.of(call);
    if (kernelAttribute(kernel, kernel::target) != "accelerator") {
      demand.cpuLayers += !kernel->hasAttr(kernel::boundary);
      continue;
    }
    const accelerator::Work work = accelerator::workOf(kernel, machine);
    demand.macs += kernel->getAttrOfType<IntegerAttr>(kernel::macs).getInt();
    demand.tileCycles += work.tileCycles;
    demand.readBytes += work.constantBytes;
    const bool isStored = !unstored.count(call.getResult(0));
    for (auto [operand, bytes] : llvm::zip(call.getOperands(), work.readBytes)) {
      if (isInner(operand) || (!isStored && accelerator::isConcat(kernel)))
        continue;
      uint64_t &most = read[rootOf(operand)];
      most = std::max(most, bytes);
    }
    if (isStored)
      demand.writtenBytes += tensorBytes(call.getResult(0).getType());
  }
  for (auto &[tensor, bytes] : read)
    demand.readBytes += bytes;
  return demand;
}

} // namespace daedalus
