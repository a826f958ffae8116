// See Demand.h.

#include "Demand.h"

#include "MemoryPlan.h"
#include "Placement.h"

#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"

using namespace mlir;

namespace daedalus {

Demand demandOf(ModuleOp module, const isa::Machine &machine) {
  Demand demand;
  llvm::DenseMap<Value, uint64_t> read; // a tensor that several layers read counts once
  for (auto call : module.lookupSymbol<func::FuncOp>("main").getOps<func::CallOp>()) {
    func::FuncOp kernel = kernelOf(call);
    if (kernelAttribute(kernel, kernel::target) != "accelerator") {
      demand.cpuLayers += !kernel->hasAttr(kernel::boundary);
      continue;
    }
    const accelerator::Work work = accelerator::workOf(kernel, machine);
    demand.macs += kernel->getAttrOfType<IntegerAttr>(kernel::macs).getInt();
    demand.tileCycles += work.tileCycles;
    demand.readBytes += work.constantBytes;
    for (auto [operand, bytes] : llvm::zip(call.getOperands(), work.readBytes)) {
      uint64_t &most = read[rootOf(operand)];
      most = std::max(most, bytes);
    }
    for (Value result : call.getResults())
      demand.writtenBytes += tensorBytes(result.getType());
  }
  for (auto &[tensor, bytes] : read)
    demand.readBytes += bytes;
  return demand;
}

} // namespace daedalus
