// See Demand.h.

#include "Demand.h"

#include "daedalus/Analysis/Views.h"
#include "daedalus/Target/Accelerator/Settings.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace daedalus::accelerator {
namespace {

/// What a value of a stream is in @main; null of what stays inside.
Value outside(Value root, host::StepOp step, func::FuncOp stream) {
  if (auto argument = dyn_cast<BlockArgument>(root))
    return rootOf(step.getOperands()[argument.getArgNumber()]);
  for (auto [index, result] : llvm::enumerate(stream.getBody().front().getTerminator()->getOperands()))
    if (result == root)
      return step.getResult(index);
  return {};
}

} // namespace

bool Demand::isPutTogether(Value value) const {
  auto call = value.getDefiningOp<func::CallOp>();
  return call && accelerator::concatenatesInPlace(symbols.lookup<func::FuncOp>(call.getCallee()));
}

void Demand::add(host::StepOp step, func::FuncOp stream, ArrayRef<Value> unstored) {
  const llvm::DenseSet<Value> inner(unstored.begin(), unstored.end());
  llvm::DenseMap<Value, uint64_t> read;
  for (auto call : stream.getOps<func::CallOp>()) {
    auto kernel = symbols.lookup<func::FuncOp>(call.getCallee());
    const Work work = workOf(kernel, machine);
    tileCycles += work.tileCycles;
    readBytes += work.constantBytes;
    const bool isStored = !inner.count(call.getResult(0));
    for (auto [operand, bytes] : llvm::zip(call.getOperands(), work.readBytes)) {
      // A contraction's result that never leaves the scratchpads; one put together of parts is there.
      if ((inner.count(operand) && !isPutTogether(operand)) ||
          (!isStored && accelerator::concatenatesInPlace(kernel)))
        continue;
      uint64_t &most = read[rootOf(operand)];
      most = std::max(most, bytes);
    }
    if (isStored)
      writtenBytes += tensorBytes(call.getResult(0).getType());
  }
  for (auto &[root, bytes] : read) {
    const Value value = outside(root, step, stream);
    if (!value) {
      readBytes += bytes;
      continue;
    }
    uint64_t &most = readBySteps[value];
    most = std::max(most, bytes);
  }
}

void Demand::write(host::PackageOp package) const {
  uint64_t bytes = readBytes;
  for (auto &[value, most] : readBySteps)
    bytes += most;
  host::addToRecord(package, Settings::target, "tile_cycles", tileCycles);
  host::addToRecord(package, Settings::target, "read_bytes", bytes);
  host::addToRecord(package, Settings::target, "written_bytes", writtenBytes);
}

} // namespace daedalus::accelerator
