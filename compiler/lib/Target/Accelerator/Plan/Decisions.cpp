// See Decisions.h.

#include "Plan/Decisions.h"

#include "daedalus/Analysis/Fingerprint.h"

#include "mlir/IR/Builders.h"

namespace daedalus::accelerator {
namespace {

using mlir::failure;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::success;

template <class Decision> Decision find(dae::KernelOp decided) {
  auto decisions = decided.getBody().getOps<Decision>();
  return decisions.empty() ? Decision() : *decisions.begin();
}

Schedule readSchedule(dae::KernelOp decided) {
  Schedule s;
  auto tile = find<dae::TileOp>(decided);
  s.oh = tile.getRows(), s.ow = tile.getColumns(), s.oc = tile.getChannels();
  s.kh = tile.getWindowRows(), s.kw = tile.getWindowColumns(), s.ic = tile.getLanes();
  if (auto fold = find<dae::FoldOp>(decided))
    s.fold = fold.getFold();
  if (auto reorder = find<dae::ReorderOp>(decided))
    s.order = reorder.getOrder();
  if (auto split = find<dae::SplitOp>(decided))
    s.vector = split.getVector();
  s.ramp = bool(find<dae::RampOp>(decided));
  if (auto slide = find<dae::SlideOp>(decided))
    s.slide = slide.getRows();
  return s;
}

LogicalResult checkSplit(dae::KernelOp decided, const Kernel &kernel) {
  auto split = find<dae::SplitOp>(decided);
  if (!split || !split.getVector() || kernel.diagonal)
    return success();
  return split.emitError("gives VECTOR ")
         << split.getVector() << " of 16 tiles of kernel '" << decided.getCallee()
         << "'; expected 0, as its channels do not stay apart";
}

void writeDecisions(mlir::OpBuilder &b, mlir::Location loc, const Schedule &s) {
  if (s.fold != dae::Fold::None)
    b.create<dae::FoldOp>(loc, s.fold);
  b.create<dae::TileOp>(loc, s.oh, s.ow, s.oc, s.kh, s.kw, s.ic);
  if (s.order != dae::Order::Pixels)
    b.create<dae::ReorderOp>(loc, s.order);
  if (s.vector)
    b.create<dae::SplitOp>(loc, s.vector);
  if (s.slide)
    b.create<dae::SlideOp>(loc, s.slide);
  if (s.ramp)
    b.create<dae::RampOp>(loc);
}

void writeKernel(mlir::OpBuilder &b, mlir::Location loc, const KernelUse &use, const Schedule &schedule) {
  auto symbol = [&](const KernelName &name) {
    return mlir::FlatSymbolRefAttr::get(b.getContext(), name.symbol);
  };
  auto fingerprint = [&](mlir::func::FuncOp func) { return b.getStringAttr(hashText(fingerprintOf(func))); };
  auto number = [&](int64_t value) { return b.getI64IntegerAttr(value); };
  auto kernel = b.create<dae::KernelOp>(loc, symbol(use.name), number(use.name.call), number(use.name.part),
                                        fingerprint(use.func));
  mlir::OpBuilder inside = mlir::OpBuilder::atBlockEnd(&kernel.getBody().emplaceBlock());
  if (use.taken)
    inside.create<dae::FuseOp>(loc, symbol(use.taken->name), number(use.taken->name.call),
                               fingerprint(use.taken->func), number(use.taken->operand));
  writeDecisions(inside, loc, schedule);
}

} // namespace

LogicalResult checkFingerprint(mlir::Operation *part, std::optional<llvm::StringRef> fingerprint,
                               mlir::func::FuncOp func) {
  if (!fingerprint)
    return success();
  const std::string actual = hashText(fingerprintOf(func));
  if (*fingerprint == actual)
    return success();
  return part->emitError("has fingerprint ")
         << *fingerprint << " for kernel '" << func.getName() << "', whose blocks have " << actual
         << "; the plan was made for another kernel";
}

FailureOr<Schedule> decidedSchedule(dae::KernelOp decided, const Kernel &kernel,
                                    const isa::Machine &machine) {
  Schedule s = readSchedule(decided);
  if (failed(checkSplit(decided, kernel)))
    return failure();
  const Reduction r = reductionOf(kernel, s.fold, machine.n);
  const auto atMost = [](int64_t &size, int64_t most) { size = std::min(size, most); };
  atMost(s.oh, kernel.window.oh), atMost(s.ow, kernel.window.ow);
  atMost(s.oc, blocksOf(kernel.window.oc, machine.n));
  atMost(s.kh, r.kh), atMost(s.kw, r.kw), atMost(s.ic, r.blocks);
  Result<void> good = fits(kernel, s, machine);
  if (good)
    good = fitStream(estimateInstructions(kernel, s, machine));
  if (good)
    return s;
  return find<dae::TileOp>(decided).emitError("cannot tile kernel '")
         << decided.getCallee() << "' so: " << good.error();
}

void writeGroups(dae::PlanOp plan, llvm::ArrayRef<Group> groups, llvm::ArrayRef<KernelUse> uses) {
  const mlir::Location loc = plan.getLoc();
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(&plan.getBody().front());
  for (const Group &group : groups) {
    mlir::OpBuilder inside = builder;
    if (group.schedules.size() > 1) {
      auto together = builder.create<dae::GroupOp>(loc, group.lag);
      inside = mlir::OpBuilder::atBlockEnd(&together.getBody().emplaceBlock());
    }
    for (auto [k, schedule] : llvm::enumerate(group.schedules))
      writeKernel(inside, loc, uses[group.first + k], schedule);
  }
}

} // namespace daedalus::accelerator
