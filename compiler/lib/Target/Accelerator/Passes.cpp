// dae-schedule and dae-blockize: of every stream, or of a module of kernels alone.

#include "daedalus/Target/Accelerator/Passes.h"

#include "Demand.h"
#include "Lowering/Stream.h"
#include "Plan/Calls.h"
#include "StreamCalls.h"

#include "daedalus/Dialect/Counting.h"
#include "daedalus/Dialect/Dae/Transforms/Machine.h"
#include "daedalus/Dialect/Host/IR/Layers.h"
#include "daedalus/Target/Accelerator/Settings.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/SetVector.h"

namespace daedalus::accelerator {
#define GEN_PASS_DEF_DAESCHEDULE
#define GEN_PASS_DEF_DAEBLOCKIZE
#include "daedalus/Target/Accelerator/Passes.h.inc"

namespace {

/// The machine and the streams of a module, and what its dae.plan says.
struct Streams {
  mlir::ModuleOp module;
  isa::Machine machine;
  std::vector<StreamCalls> all;

  static mlir::FailureOr<Streams> of(mlir::ModuleOp module, const std::string &machine, Planning &planning) {
    Result<isa::Machine> target = dae::machineOf(module, machine);
    if (!target)
      return module.emitError(target.error());
    mlir::FailureOr<std::vector<StreamCalls>> calls = streamCallsOf(module);
    if (failed(calls))
      return mlir::failure();
    if (llvm::range_size(module.getOps<dae::PlanOp>()) > 1)
      return module.emitError("has several dae.plan; expected one at most");
    for (auto plan : module.getOps<dae::PlanOp>())
      if (failed(planning.give(plan, *target)))
        return mlir::failure();
    return Streams{module, std::move(*target), std::move(*calls)};
  }

  /// What was decided takes the place of what was given.
  mlir::LogicalResult finish(Planning &planning) const {
    if (failed(planning.allFound()))
      return mlir::failure();
    for (auto plan : llvm::make_early_inc_range(mlir::ModuleOp(module).getOps<dae::PlanOp>()))
      plan.erase();
    if (planning.decided)
      mlir::ModuleOp(module).getBody()->push_front(planning.decided.release());
    return mlir::success();
  }
};

struct SchedulePass : impl::DaeScheduleBase<SchedulePass> {
  using DaeScheduleBase::DaeScheduleBase;

  void runOnOperation() override {
    Planning planning;
    if (failed(checkKernels(planning)))
      return signalPassFailure();
    mlir::FailureOr<Streams> streams = Streams::of(getOperation(), machine, planning);
    if (failed(streams))
      return signalPassFailure();
    planning.record(getOperation().getLoc(), streams->machine);
    for (const StreamCalls &stream : streams->all)
      if (failed(planCalls(getOperation(), stream.calls, stream.layers, streams->machine, stream.placement,
                           planning)))
        return signalPassFailure();
    if (failed(streams->finish(planning)))
      return signalPassFailure();
  }

private:
  /// Of a module of kernels alone, those that nobody calls too.
  mlir::LogicalResult checkKernels(Planning &planning) {
    mlir::ModuleOp module = getOperation();
    Result<isa::Machine> target = dae::machineOf(module, machine);
    if (!target)
      return module.emitError(target.error());
    if (host::packageOf(module))
      return mlir::success();
    for (auto func : module.getOps<mlir::func::FuncOp>()) {
      if (func.getName() == "main" || func.isExternal())
        continue;
      if (const Result<Supported> taken = acceleratorSupports(func, *target, &planning); !taken)
        return func.emitError("cannot run on the accelerator: ") << taken.error();
    }
    return mlir::success();
  }
};

struct BlockizePass : impl::DaeBlockizeBase<BlockizePass>, CountingPass {
  using DaeBlockizeBase::DaeBlockizeBase;

  void runOnOperation() override {
    counts.clear();
    packed = PackedConstants(bool(constants));
    const std::shared_ptr<Planning> planning = shared ? shared : std::make_shared<Planning>();
    mlir::FailureOr<Streams> streams = Streams::of(getOperation(), machine, *planning);
    if (failed(streams))
      return signalPassFailure();
    if (record)
      planning->record(getOperation().getLoc(), streams->machine);
    host::PackageOp package = host::packageOf(getOperation());
    const mlir::LogicalResult done =
        package ? blockizeStreams(package, *streams, *planning) : blockizeMain(*streams, *planning);
    if (failed(done) || failed(streams->finish(*planning)))
      return signalPassFailure();
  }

  std::shared_ptr<Planning> shared; ///< of all passes of one compilation; null: of this one alone

private:
  mlir::LogicalResult blockizeCalls(const StreamCalls &stream, const Streams &streams, Planning &planning,
                                    AcceleratorStream &result) {
    return accelerator::blockizeCalls(getOperation(), stream.calls, stream.layers, streams.machine,
                                      stream.placement, planning, packed, result);
  }

  /// Only the stream stays.
  mlir::LogicalResult blockizeMain(const Streams &streams, Planning &planning) {
    mlir::ModuleOp module = getOperation();
    AcceleratorStream result;
    if (failed(blockizeCalls(streams.all.front(), streams, planning, result)))
      return mlir::failure();
    for (auto func : llvm::make_early_inc_range(module.getOps<mlir::func::FuncOp>()))
      func.erase();
    module.getBody()->getOperations().splice(module.getBody()->end(), result.dae->getBody()->getOperations());
    return mlir::success();
  }

  mlir::LogicalResult blockizeStreams(host::PackageOp package, const Streams &streams, Planning &planning) {
    const mlir::SymbolTable symbols(getOperation());
    llvm::SetVector<mlir::func::FuncOp> used;
    Demand demand(symbols, streams.machine);
    uint64_t expectedCycles = 0;
    for (const StreamCalls &stream : streams.all) {
      for (mlir::func::CallOp call : stream.calls)
        used.insert(symbols.lookup<mlir::func::FuncOp>(call.getCallee()));
      AcceleratorStream result;
      if (failed(blockizeCalls(stream, streams, planning, result)))
        return mlir::failure();
      demand.add(stream.step, stream.function, result.unstored);
      expectedCycles += result.expectedCycles;
      for (const auto &[layer, bound] : result.bounds)
        host::setLeast(package, layer, leastOf(bound));
      replaceBody(stream.function, *result.dae->getOps<mlir::func::FuncOp>().begin());
      host::StepOp(stream.step).removeSlotsAttr();
    }
    host::addToRecord(package, Settings::target, "expected_cycles", expectedCycles);
    demand.write(package);
    for (auto step : symbols.lookup<mlir::func::FuncOp>(package.getEntry()).getOps<host::StepOp>())
      used.remove(symbols.lookup<mlir::func::FuncOp>(step.getCallee()));
    for (mlir::func::FuncOp kernel : used)
      kernel.erase();
    counts = {{"constant bytes", packed.size()}, {"expected cycles", expectedCycles}};
    if (constants)
      host::setConstants(package, packed.take());
    else
      host::setConstantBytes(package, packed.size());
    return mlir::success();
  }

  /// By the names that packages have for it.
  mlir::DictionaryAttr leastOf(const LayerBound &bound) {
    mlir::Builder builder(&getContext());
    mlir::NamedAttrList least;
    for (const auto &[name, member] : package::LeastWork::fields())
      least.set(name, builder.getI64IntegerAttr(int64_t(bound.work.*member)));
    least.set(package::leastCycles, builder.getI64IntegerAttr(int64_t(bound.cycles)));
    return least.getDictionary(&getContext());
  }

  /// The stream's function becomes what `from` is.
  static void replaceBody(mlir::func::FuncOp stream, mlir::func::FuncOp from) {
    stream.getBody().front().erase();
    stream.getBody().takeBody(from.getBody());
    stream.setFunctionType(from.getFunctionType());
  }

  PackedConstants packed;
};

} // namespace

std::unique_ptr<mlir::Pass> createDaeBlockize(const DaeBlockizeOptions &options,
                                              std::shared_ptr<Planning> planning) {
  auto pass = std::make_unique<BlockizePass>(options);
  pass->shared = std::move(planning);
  return pass;
}

} // namespace daedalus::accelerator
