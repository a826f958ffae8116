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

/// The plan that a module holds; null where it has none.
dae::PlanOp planOf(mlir::ModuleOp module) {
  auto plans = module.getOps<dae::PlanOp>();
  return plans.empty() ? dae::PlanOp() : *plans.begin();
}

/// All calls of @main as one stream, obeying the module's plan.
class WholeModule {
public:
  explicit WholeModule(mlir::ModuleOp module) : module(module) {}

  mlir::LogicalResult plan(const isa::Machine &machine, Planning &planning) {
    if (failed(begin(machine, planning)) ||
        failed(planCalls(module, calls, layers, machine, placement, planning)))
      return mlir::failure();
    return planning.allFound();
  }

  mlir::LogicalResult blockize(const isa::Machine &machine, AcceleratorStream &result) {
    Planning planning;
    std::vector<uint8_t> constants;
    if (failed(begin(machine, planning)) ||
        failed(blockizeCalls(module, calls, layers, machine, placement, planning, constants, result)))
      return mlir::failure();
    return planning.allFound();
  }

private:
  mlir::LogicalResult begin(const isa::Machine &machine, Planning &planning) {
    auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
    if (!main)
      return module.emitError("has no function main");
    calls = llvm::to_vector(main.getOps<mlir::func::CallOp>());
    for (auto [k, call] : llvm::enumerate(calls)) {
      layers.push_back(k);
      if (failed(checkTensors(call)))
        return mlir::failure();
    }
    if (llvm::range_size(module.getOps<dae::PlanOp>()) > 1)
      return module.emitError("has several dae.plan; expected one at most");
    dae::PlanOp plan = planOf(module);
    return plan ? planning.give(plan, machine) : mlir::success();
  }

  static mlir::LogicalResult checkTensors(mlir::func::CallOp call) {
    for (mlir::Type type : llvm::concat<const mlir::Type>(llvm::to_vector(call.getOperandTypes()),
                                                          llvm::to_vector(call.getResultTypes())))
      if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type); !tensor || !tensor.hasStaticShape())
        return call.emitError("has the operand or result ") << type << "; expected tensors of a static shape";
    return mlir::success();
  }

  mlir::ModuleOp module;
  llvm::SmallVector<mlir::func::CallOp> calls;
  std::vector<uint32_t> layers;
  Sequential arena;
  const DramPlacement placement{[this](mlir::Value v) { return Slot{arena.offsetOf(v)}; }};
};

struct SchedulePass : impl::DaeScheduleBase<SchedulePass> {
  using DaeScheduleBase::DaeScheduleBase;

  void runOnOperation() override {
    Result<isa::Machine> target = isa::loadMachine(machine);
    if (!target)
      return getOperation().emitError(target.error()), signalPassFailure();
    Planning planning;
    planning.record(getOperation().getLoc(), *target);
    for (auto func : getOperation().getOps<mlir::func::FuncOp>()) {
      std::string reason;
      if (func.getName() != "main" && !func.isExternal() &&
          !acceleratorSupports(func, *target, reason, &planning))
        return func.emitError("cannot run on the accelerator: ") << reason, signalPassFailure();
    }
    if (failed(WholeModule(getOperation()).plan(*target, planning)))
      return signalPassFailure();
    if (dae::PlanOp before = planOf(getOperation()))
      before.erase();
    getOperation().getBody()->push_front(planning.decided.release());
  }
};

struct BlockizePass : impl::DaeBlockizeBase<BlockizePass> {
  using DaeBlockizeBase::DaeBlockizeBase;

  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    Result<isa::Machine> target = isa::loadMachine(machine);
    if (!target)
      return module.emitError(target.error()), signalPassFailure();
    AcceleratorStream result;
    if (failed(WholeModule(module).blockize(*target, result)))
      return signalPassFailure();
    module.getBody()->clear();
    module.getBody()->getOperations().splice(module.getBody()->end(), result.dae->getBody()->getOperations());
  }
};

} // namespace
} // namespace daedalus::accelerator
