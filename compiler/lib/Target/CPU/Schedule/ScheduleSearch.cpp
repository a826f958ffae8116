// See ScheduleSearch.h. Near a schedule are tiles of the next divisors along each loop, one tile, threads or
// none, and the blocks that should take the least time.

#include "ScheduleSearch.h"

#include "MicroKernels/MicroKernels.h"
#include "Passes.h"
#include "Schedule.h"

#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Dialect/Host/IR/Layers.h"
#include "daedalus/Target/CPU/Calibration.h"
#include "daedalus/Target/CPU/Settings.h"
#include "daedalus/Target/Schedule.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

constexpr size_t MostBlocks = 4; ///< that are tried

std::string textOf(KernelOp kernel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  kernel->print(stream, OpPrintingFlags().useLocalScope().assumeVerified()); // it has no parent
  return text;
}

/// Entries near one.
class Near {
public:
  Near(KernelOp entry, ModuleOp kernels, const Level &level, unsigned threads)
      : entry(entry), level(level), threads(threads), sums(needs(kernels)) {}

  std::vector<ScheduleEntry> run() {
    own = textOf(entry);
    tryThreads();
    for (size_t loop = 0; loop < entry.getLoops().size(); ++loop) {
      tryTile(loop, next(loop, /*isLarger=*/false));
      tryTile(loop, next(loop, /*isLarger=*/true));
    }
    tryWhole();
    tryBlocks();
    return std::move(all);
  }

private:
  void add(OwningOpRef<KernelOp> changed) {
    std::string text = textOf(*changed);
    if (text != own && seen.insert(text).second)
      all.push_back({entry.getFingerprint().str(), std::move(text)});
  }

  void tryThreads() {
    if (entry.countTiles() <= 1 || (threads <= 1 && !entry.getThreads()))
      return;
    OwningOpRef<KernelOp> changed = entry.clone();
    changed->setThreads(!entry.getThreads());
    add(std::move(changed));
  }

  /// The divisor of a loop next to half the tile's size, or to twice it; the tile's own where there is none.
  int64_t next(size_t loop, bool isLarger) {
    const int64_t size = entry.getLoops()[loop], tile = entry.getTile()[loop];
    const bool isOfPanels = loop + 1 == entry.getLoops().size() && !sums.empty() && size % PanelWidth == 0;
    if (entry.getUndivided())
      return size ? (isLarger ? size : 1) : tile;
    const auto isGood = [&](int64_t divisor) {
      return size % divisor == 0 && (!isOfPanels || divisor % PanelWidth == 0);
    };
    int64_t best = tile;
    if (isLarger)
      for (int64_t divisor = tile + 1;
           divisor <= std::min(size, 2 * tile) || (best == tile && divisor <= size); ++divisor)
        best = isGood(divisor) ? divisor : best;
    else
      for (int64_t divisor = tile - 1;
           divisor >= std::max<int64_t>(tile / 2, 1) || (best == tile && divisor >= 1); --divisor)
        best = isGood(divisor) ? divisor : best;
    return best;
  }

  void tryTile(size_t loop, int64_t size) {
    OwningOpRef<KernelOp> changed = entry.clone();
    SmallVector<int64_t> tile(entry.getTile());
    tile[loop] = size;
    changed->setTile(tile);
    changed->setThreads(changed->countTiles() > 1 && threads > 1);
    add(std::move(changed));
  }

  void tryWhole() {
    OwningOpRef<KernelOp> changed = entry.clone();
    changed->setTile(entry.getLoops());
    changed->setThreads(false);
    add(std::move(changed));
  }

  SmallVector<BlockNeeds> needs(ModuleOp kernels) {
    SmallVector<BlockNeeds> all;
    if (auto functions = entry.getFunctions(); functions && !functions->empty()) {
      const auto name = cast<FlatSymbolRefAttr>((*functions)[0]);
      if (auto kernel = kernels.lookupSymbol<func::FuncOp>(name.getAttr()))
        all = blockNeedsOf(kernel, featuresOf(level));
    }
    return all;
  }

  void tryBlocks() {
    if (sums.empty())
      return;
    const SmallVector<Block> best = blocksByTime(sums.front(), featuresOf(level));
    for (const Block &block : ArrayRef(best).take_front(MostBlocks)) {
      SmallVector<Attribute> blocks;
      for (BlockAttr other :
           entry.getBlocks().value_or(ArrayAttr::get(entry.getContext(), {})).getAsRange<BlockAttr>())
        if (other.getLevel() != level.name)
          blocks.push_back(other);
      blocks.push_back(BlockAttr::get(entry.getContext(), level.name, block.rows, block.panels));
      OwningOpRef<KernelOp> changed = entry.clone();
      changed->setBlocksAttr(ArrayAttr::get(entry.getContext(), blocks));
      add(std::move(changed));
    }
  }

  KernelOp entry;
  const Level &level;
  const unsigned threads;
  const SmallVector<BlockNeeds> sums; ///< that have blocks
  std::string own;
  llvm::StringSet<> seen;
  std::vector<ScheduleEntry> all;
};

/// The first of some levels that this host has.
const Level &levelOfHost(const std::vector<Level> &asked) {
  bool isHosts = false;
  for (const Level &known : llvm::reverse(levels())) {
    isHosts |= known == nativeLevel();
    if (isHosts && llvm::is_contained(asked, known))
      return known;
  }
  return nativeLevel();
}

class Scheduling : public SchedulingInterface {
public:
  using SchedulingInterface::SchedulingInterface;

  StringRef section() const override { return ScheduleOp::getOperationName(); }
  bool isSearched() const override { return true; }

  std::vector<daedalus::ScheduleEntry> entriesOf(Operation *schedule) const override {
    std::vector<ScheduleEntry> entries;
    for (KernelOp kernel : llvm::cast<ScheduleOp>(schedule).getBody().getOps<KernelOp>())
      entries.push_back({kernel.getFingerprint().str(), textOf(kernel)});
    return entries;
  }

  std::string sectionOf(ArrayRef<ScheduleEntry> entries) const override {
    std::string text = "cpu.schedule format " + std::to_string(ScheduleOp::Format) + " {\n";
    for (const ScheduleEntry &entry : entries)
      text += "  " + entry.text + "\n";
    return text + "}\n";
  }

  std::string deviceOf(const TargetSettings &settings, unsigned threads) const override {
    std::string names;
    if (const Result<std::vector<Level>> levels = parseLevels(settings.of<Settings>().levels))
      for (const Level &level : *levels)
        names += (names.empty() ? "" : ",") + level.name;
    return "processor=" + processorName() + "\nlevels=" + names + "\nthreads=" + std::to_string(threads) +
           "\n";
  }

  std::vector<ScheduledKernel> kernelsOf(ModuleOp module, const TargetSettings &settings,
                                         unsigned threads) const override {
    const Result<std::vector<Level>> levels = parseLevels(settings.of<Settings>().levels);
    const Level level = levels ? levelOfHost(*levels) : nativeLevel();
    const OwningOpRef<ModuleOp> kernels = cpu::kernelsOf(module, "cpu");
    const llvm::StringMap<std::vector<uint32_t>> layers = host::layersOf(module);
    std::vector<ScheduledKernel> all;
    for (ScheduleOp schedule : module.getOps<ScheduleOp>())
      for (KernelOp entry : schedule.getBody().getOps<KernelOp>()) {
        ScheduledKernel kernel{{entry.getFingerprint().str(), textOf(entry)}, {}, {}};
        for (auto function : entry.getFunctions()->getAsRange<FlatSymbolRefAttr>())
          llvm::append_range(kernel.layers, layers.lookup(function.getValue()));
        kernel.near = Near(entry, *kernels, level, threads).run();
        all.push_back(std::move(kernel));
      }
    return all;
  }
};

} // namespace

void addScheduling(Dialect &dialect) {
  dialect.addInterface(std::make_unique<Scheduling>(&dialect));
}

OwningOpRef<ModuleOp> kernelsOf(ModuleOp module, StringRef target) {
  llvm::StringSet<> others; // functions of other targets
  llvm::DenseSet<StringAttr> globals;
  module.walk([&](host::StepOp step) {
    if (step.getTarget() != target)
      others.insert(step.getCallee());
  });
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(module.getLoc());
  for (Operation &op : module.getOps()) {
    auto function = dyn_cast<func::FuncOp>(op);
    const bool isKernel = function && !function.isExternal() && !others.contains(function.getName()) &&
                          function.getBody().getOps<host::StepOp>().empty();
    if (isKernel) {
      kernels->push_back(op.clone());
      function.walk([&](memref::GetGlobalOp get) { globals.insert(get.getNameAttr().getAttr()); });
    }
  }
  for (auto global : module.getOps<memref::GlobalOp>())
    if (globals.contains(global.getSymNameAttr()))
      kernels->push_back(global->clone());
  return kernels;
}

} // namespace daedalus::cpu
