// dae-schedule and dae-blockize.

#include "daedalus/Target/Accelerator/Passes.h"

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

namespace daedalus::accelerator {
#define GEN_PASS_DEF_DAESCHEDULE
#define GEN_PASS_DEF_DAEBLOCKIZE
#include "daedalus/Target/Accelerator/Passes.h.inc"

namespace {

struct SchedulePass : impl::DaeScheduleBase<SchedulePass> {
  using DaeScheduleBase::DaeScheduleBase;

  void runOnOperation() override {
    Result<isa::Machine> target = isa::loadMachine(machine);
    if (!target)
      return getOperation().emitError(target.error()), signalPassFailure();
    for (auto func : getOperation().getOps<mlir::func::FuncOp>()) {
      if (func.getName() == "main" || func.isExternal())
        continue;
      std::string reason;
      std::optional<Kernel> kernel = readSimplified(func, *target, reason);
      std::vector<RankedSchedule> schedules;
      if (kernel)
        schedules = schedulesOf(func, *kernel, *target, reason);
      if (schedules.empty())
        return func.emitError("cannot run on the accelerator: ") << reason, signalPassFailure();
      func->setAttr("dae.schedule", toAttribute(&getContext(), schedules.front().schedule));
    }
  }
};

/// Tensors one after the other, views where their source is.
class Sequential {
public:
  int64_t offsetOf(mlir::Value value) {
    while (mlir::Operation *op = value.getDefiningOp()) {
      if (!mlir::isa<mlir::tensor::ExpandShapeOp, mlir::tensor::CollapseShapeOp>(op))
        break;
      value = op->getOperand(0);
    }
    auto [it, isNew] = offsets.try_emplace(value, next);
    if (isNew)
      next = llvm::alignTo(next + bytesOf(mlir::cast<mlir::ShapedType>(value.getType())), 64);
    return it->second;
  }

private:
  static int64_t bytesOf(mlir::ShapedType type) {
    return type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  }

  llvm::DenseMap<mlir::Value, int64_t> offsets;
  int64_t next = 0;
};

struct BlockizePass : impl::DaeBlockizeBase<BlockizePass> {
  using DaeBlockizeBase::DaeBlockizeBase;

  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    Result<isa::Machine> target = isa::loadMachine(machine);
    if (!target)
      return module.emitError(target.error()), signalPassFailure();
    auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
    if (!main)
      return module.emitError("has no function main"), signalPassFailure();
    auto calls = llvm::to_vector(main.getOps<mlir::func::CallOp>());
    std::vector<uint32_t> layers;
    for (size_t k = 0; k < calls.size(); ++k)
      layers.push_back(k);
    for (mlir::func::CallOp call : calls)
      for (mlir::Type type : llvm::concat<const mlir::Type>(llvm::to_vector(call.getOperandTypes()),
                                                            llvm::to_vector(call.getResultTypes())))
        if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type); !tensor || !tensor.hasStaticShape())
          return call.emitError("has the operand or result ")
                     << type << "; expected tensors of a static shape",
                 signalPassFailure();
    Sequential arena;
    std::vector<uint8_t> constants;
    AcceleratorStream result;
    const DramPlacement placement{[&](mlir::Value v) { return Slot{arena.offsetOf(v)}; }};
    Planning planning;
    if (failed(blockizeCalls(module, calls, layers, *target, placement, planning, constants, result)))
      return signalPassFailure();
    module.getBody()->clear();
    module.getBody()->getOperations().splice(module.getBody()->end(), result.dae->getBody()->getOperations());
  }
};

} // namespace
} // namespace daedalus::accelerator
