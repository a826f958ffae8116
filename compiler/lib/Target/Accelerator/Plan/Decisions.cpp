// See Decisions.h.

#include "Plan/Decisions.h"

#include "Lowering/Handover.h"
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
  s.handsOver = bool(find<dae::HandOverOp>(decided));
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
  if (s.handsOver)
    b.create<dae::HandOverOp>(loc);
}

std::string decisionsText(mlir::Location loc, const Schedule &schedule) {
  mlir::Block block;
  mlir::OpBuilder builder(loc.getContext());
  builder.setInsertionPointToEnd(&block);
  writeDecisions(builder, loc, schedule);
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (mlir::Operation &decision : block) // which has no kernel around it
    decision.print(stream << ' ', mlir::OpPrintingFlags().assumeVerified());
  return text;
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

LogicalResult shapeHandovers(std::vector<KernelUse> &uses, llvm::ArrayRef<GivenGroup> given) {
  for (const GivenGroup &group : given)
    for (size_t place = group.first; place < group.first + group.size; ++place) {
      auto handOver = uses[place].decided ? find<dae::HandOverOp>(uses[place].decided) : dae::HandOverOp();
      if (!handOver)
        continue;
      if (group.size != 2 || place != group.first)
        return handOver.emitError("hands over the result of kernel '")
               << uses[place].name.symbol << "', which is kernel " << place - group.first + 1 << " of "
               << group.size << " in its group; expected the first of two";
      if (!shapeForHandover(uses[place].prepared, uses[place + 1].prepared))
        return handOver.emitError("hands over the result of kernel '")
               << uses[place].name.symbol << "' to '" << uses[place + 1].name.symbol
               << "'; expected two products with weights, the second of which alone reads the first one's "
                  "int8 result, through its window and as it lies";
    }
  return success();
}

LogicalResult checkHandovers(llvm::ArrayRef<KernelUse> uses, const isa::Machine &machine) {
  for (size_t place = 0; place + 1 < uses.size(); ++place) {
    auto handOver = uses[place].decided ? find<dae::HandOverOp>(uses[place].decided) : dae::HandOverOp();
    if (!handOver)
      continue;
    const Schedule made = uses[place].schedules.front();
    const Result<Schedule> expected =
        handoverSchedule(uses[place].prepared.kernel, uses[place + 1].prepared.kernel,
                         uses[place + 1].schedules.front(), machine);
    if (!expected)
      return handOver.emitError("cannot hand over kernel '")
             << uses[place].name.symbol << "' so: " << expected.error();
    if (*expected == made)
      continue;
    return handOver.emitError("hands over the tiles of kernel '")
           << uses[place].name.symbol << "', which are not what '" << uses[place + 1].name.symbol
           << "' reads; expected" << decisionsText(handOver.getLoc(), *expected);
  }
  return success();
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
