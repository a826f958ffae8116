// See Decisions.h.

#include "Decisions.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

Tile tileOf(ProductOp entry) {
  Tile tile;
  tile.way = entry.getWay();
  if (tile.way == Way::Threads)
    return tile;
  const ArrayRef<int64_t> sizes = *entry.getTile();
  tile.m = sizes[0], tile.n = sizes[1], tile.k = sizes[2];
  if (entry.getWarps())
    tile.warpsM = (*entry.getWarps())[0], tile.warpsN = (*entry.getWarps())[1];
  tile.stages = *entry.getStages();
  return tile;
}

} // namespace

Decisions::Decisions(ModuleOp module, const Architecture &architecture, DecisionListener *listener)
    : architecture(architecture), listener(listener) {
  for (ScheduleOp schedule : llvm::make_early_inc_range(module.getOps<ScheduleOp>())) {
    schedule->remove();
    given = schedule;
  }
  if (!given)
    return;
  for (ProductOp entry : given->getBody().getOps<ProductOp>())
    (entry.getWay() == Way::Warpgroups ? ofWarpgroups
                                       : entries)[keyOfProducts(entry.getElement(), entry.getSizes())] =
        entry;
  for (WindowOp entry : given->getBody().getOps<WindowOp>())
    windows[keyOfWindows(entry.getElement(), entry.getSizes(), entry.getWindow())] = entry;
}

ProductOp Decisions::entryFor(StringRef key) const {
  if (architecture.hasWarpgroups())
    if (ProductOp entry = ofWarpgroups.lookup(key))
      return entry;
  return entries.lookup(key);
}

FailureOr<Tile> Decisions::decide(const Product &product) {
  const std::array<int64_t, 4> sizes = sizesOf(product);
  const std::string key = keyOfProducts(product.a.type(), sizes);
  Tile tile;
  if (ProductOp entry = entryFor(key)) {
    tile = tileOf(entry);
    if (const std::string why = whyNot(product, tile); !why.empty())
      return entry.emitError(why);
  } else {
    tile = tileFor(product, architecture);
  }
  if (known.insert(key).second)
    decided.push_back({product.a.type(), sizes, tile});
  if (listener)
    listener->decided(product, tile);
  return tile;
}

FailureOr<WindowTile> Decisions::decide(const Window &window) {
  const SmallVector<int64_t> sizes = window.sizesOf(window.parallel),
                             extents = window.sizesOf(window.reductions);
  const std::string key = keyOfWindows(window.element(), sizes, extents);
  WindowTile tile;
  if (WindowOp entry = windows.lookup(key)) {
    tile.way = entry.getWay();
    if (entry.getTile())
      tile.sizes.assign(entry.getTile()->begin(), entry.getTile()->end());
    if (const std::string why = whyNot(window, tile); !why.empty())
      return entry.emitError(why);
  }
  if (known.insert(key).second)
    decidedWindows.push_back({window.element(), sizes, extents, tile});
  if (listener)
    listener->decided(window, tile);
  return tile;
}

void Decisions::record(ModuleOp module) const {
  if (decided.empty() && decidedWindows.empty())
    return;
  auto b = OpBuilder::atBlockBegin(module.getBody());
  auto schedule = b.create<ScheduleOp>(module.getLoc(), ScheduleOp::Format);
  b.createBlock(&schedule.getBody());
  for (const auto &[element, sizes, tile] : decided)
    createEntry(b, module.getLoc(), element, sizes, tile);
  for (const auto &[element, sizes, window, tile] : decidedWindows)
    createEntry(b, module.getLoc(), element, sizes, window, tile);
}

void addEntries(ScheduleOp schedule, OwningOpRef<ScheduleOp> &all) {
  schedule->remove();
  OwningOpRef<ScheduleOp> taken = schedule;
  if (!all) {
    all = std::move(taken);
    return;
  }
  llvm::StringSet<> known;
  for (Operation &entry : all->getBody().front())
    known.insert(keyOfEntry(entry));
  for (Operation &entry : llvm::make_early_inc_range(schedule.getBody().front()))
    if (known.insert(keyOfEntry(entry)).second)
      entry.moveBefore(&all->getBody().front(), all->getBody().front().end());
}

} // namespace daedalus::cuda
