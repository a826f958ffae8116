// Tokens: dependences between modules as SSA values, and their mapping onto wait and signal masks.
//
// Which tokens are needed is the ISA library's knowledge (tokens.h). Modules start and retire in order, so
// for each ordered pair of modules the producers that a consumer waits for only ever increase: where they do,
// this producer signals and this consumer waits.

#include "daedalus/isa/tokens.h"
#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"

#include "llvm/ADT/DenseMap.h"

namespace daedalus::dae {
namespace {

constexpr int ModuleCount = 4;
constexpr uint16_t ReadOnlyBases = 1; ///< base register 0: constants

int moduleOf(mlir::Operation *op) {
  return mlir::isa<LoadOp>(op) ? 0 : mlir::isa<GemmOp>(op) ? 1 : mlir::isa<VectorOp>(op) ? 2 : 3;
}

mlir::MutableOperandRange waitsOf(mlir::Operation *op) {
  if (auto load = mlir::dyn_cast<LoadOp>(op))
    return load.getWaitsMutable();
  if (auto gemm = mlir::dyn_cast<GemmOp>(op))
    return gemm.getWaitsMutable();
  if (auto vector = mlir::dyn_cast<VectorOp>(op))
    return vector.getWaitsMutable();
  return mlir::cast<StoreOp>(op).getWaitsMutable();
}

ModulesAttr withModule(mlir::Operation *op, const char *name, int module) {
  auto old = op->getAttrOfType<ModulesAttr>(name);
  auto bits = static_cast<uint32_t>(old ? old.getValue() : Modules::None) | (1u << module);
  return ModulesAttr::get(op->getContext(), static_cast<Modules>(bits));
}

} // namespace

mlir::LogicalResult orderByTokens(mlir::func::FuncOp stream, const isa::Machine &machine) {
  std::vector<mlir::Operation *> ops;
  std::vector<isa::Instruction> instructions;
  for (mlir::Operation &op : stream.getBody().front()) {
    if (!isInstruction(&op))
      continue;
    mlir::FailureOr<isa::Instruction> instruction = toInstruction(&op, machine);
    if (failed(instruction))
      return mlir::failure();
    ops.push_back(&op);
    instructions.push_back(*instruction);
  }
  std::vector<llvm::SmallVector<mlir::Value>> waits(ops.size());
  for (const isa::TokenEdge &edge : isa::computeTokens(instructions, machine, ReadOnlyBases))
    waits[edge.consumer].push_back(ops[edge.producer]->getResult(0));
  for (size_t i = 0; i < ops.size(); ++i)
    waitsOf(ops[i]).assign(waits[i]);
  return mlir::success();
}

void assignMasks(mlir::func::FuncOp stream) {
  llvm::DenseMap<mlir::Operation *, int64_t> position;
  int64_t seen[ModuleCount][ModuleCount];
  std::fill(&seen[0][0], &seen[0][0] + ModuleCount * ModuleCount, -1);
  for (mlir::Operation &op : stream.getBody().front()) {
    if (!isInstruction(&op))
      continue;
    position[&op] = position.size();
    for (mlir::OpOperand &operand : waitsOf(&op)) {
      mlir::Operation *producer = operand.get().getDefiningOp();
      int from = moduleOf(producer), to = moduleOf(&op);
      if (from == to || position.lookup(producer) <= seen[from][to])
        continue;
      seen[from][to] = position.lookup(producer);
      op.setAttr("wait", withModule(&op, "wait", from));
      producer->setAttr("signal", withModule(producer, "signal", to));
    }
  }
}

} // namespace daedalus::dae
