// See Schedule.h.

#include "Schedule.h"

#include "MicroKernels/MicroKernels.h"
#include "Passes.h"

#include "daedalus/Analysis/Fingerprint.h"
#include "daedalus/Analysis/Locations.h"
#include "daedalus/support/hash.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

/// What a kernel is, as text in which values are numbers, and constants have no values.
class Structure {
public:
  explicit Structure(func::FuncOp kernel) : stream(text) {
    stream << kernel.getFunctionType();
    add(kernel.getBody());
  }

  const std::string &run() { return stream.str(), text; }

private:
  void add(Region &region) {
    stream << "{";
    for (mlir::Block &block : region) {
      stream << "^";
      for (BlockArgument argument : block.getArguments())
        add(argument);
      for (Operation &op : block)
        add(op);
    }
    stream << "}";
  }

  void add(Operation &op) {
    stream << op.getName() << "(";
    for (Value operand : op.getOperands())
      stream << numbers.lookup(operand) << ",";
    stream << ")";
    if (!op.hasTrait<OpTrait::ConstantLike>())
      stream << op.getAttrDictionary();
    for (Region &region : op.getRegions())
      add(region);
    for (Value result : op.getResults())
      add(result);
    stream << ";";
  }

  void add(Value value) {
    numbers.try_emplace(value, numbers.size() + 1);
    stream << value.getType() << ",";
  }

  std::string text;
  llvm::raw_string_ostream stream;
  llvm::DenseMap<Value, size_t> numbers;
};

std::string text(ArrayRef<int64_t> numbers) {
  std::string all;
  llvm::raw_string_ostream stream(all);
  stream << "[";
  llvm::interleaveComma(numbers, stream);
  stream << "]";
  return all;
}

/// "8", "5 or 7": divisors of a size around what was said.
std::string divisorsNear(int64_t size, int64_t said) {
  int64_t below = 1, above = size;
  for (int64_t divisor = 1; divisor <= size; ++divisor)
    if (size % divisor == 0) {
      below = divisor <= said ? divisor : below;
      above = divisor >= said ? std::min(above, divisor) : above;
    }
  return below == above ? std::to_string(below) : std::to_string(below) + " or " + std::to_string(above);
}

LogicalResult checkTile(KernelOp given, func::FuncOp kernel, unsigned place, int64_t size, bool isUndivided) {
  const int64_t loop = given.getLoops()[place], tile = given.getTile()[place];
  const auto fail = [&] {
    return given.emitError("gives node '") << nodeName(kernel.getLoc()) << "' tiles of " << tile
                                           << " along loop " << place << ", which has " << loop;
  };
  if (isUndivided && tile != 1 && tile != size)
    return fail() << " and cannot be divided; expected 1 or " << size;
  if (tile > size || (size && size % tile))
    return fail() << "; expected a divisor, such as " << divisorsNear(size, tile);
  return success();
}

/// The functions of a kernel: itself, and those that it calls.
SmallVector<func::FuncOp> functionsOf(func::FuncOp kernel, ModuleOp module) {
  SmallVector<func::FuncOp> all{kernel};
  kernel.walk([&](func::CallOp call) {
    if (auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee()))
      all.push_back(callee);
  });
  return all;
}

LogicalResult placeBlock(BlockAttr given, KernelOp entry, func::FuncOp kernel, ModuleOp module,
                         const Features &features) {
  const Block block{given.getRows(), given.getPanels()};
  const auto fail = [&] {
    return entry.emitError("gives node '") << nodeName(kernel.getLoc()) << "' blocks at " << given.getLevel();
  };
  bool isAny = false;
  for (func::FuncOp function : functionsOf(kernel, module)) {
    for (const BlockNeeds &needs : blockNeedsOf(function, features)) {
      isAny = true;
      const int64_t registers = needs.registersOf(needs.within(block));
      const Block best = needs.best(features);
      if (registers > needs.mostRegisters(features))
        return fail() << " of " << block.rows << " x " << block.panels << ", which take " << registers
                      << (needs.tiles ? " tile" : "") << " registers of " << needs.mostRegisters(features)
                      << "; expected fewer, such as " << best.rows << " x " << best.panels;
    }
    for (BlocksOp old : llvm::make_early_inc_range(function.getOps<BlocksOp>()))
      old.erase();
    OpBuilder::atBlockBegin(&function.getBody().front())
        .create<BlocksOp>(function.getLoc(), block.rows, block.panels);
  }
  if (!isAny)
    return fail()
           << ", but so tiled it has no sum of products that is computed in blocks; expected none, or a tile "
              "of all columns or a multiple of "
           << PanelWidth;
  return success();
}

} // namespace

GivenSchedule::GivenSchedule(ModuleOp module) {
  for (ScheduleOp op : llvm::make_early_inc_range(module.getOps<ScheduleOp>())) {
    op->remove();
    schedule = op;
  }
  if (schedule)
    for (KernelOp kernel : schedule->getBody().getOps<KernelOp>())
      kernels[kernel.getFingerprint()] = kernel;
}

std::string fingerprintOf(func::FuncOp kernel) {
  return hashText(fnv1a(Structure(kernel).run()));
}

FailureOr<Tiling> tilingOf(KernelOp given, func::FuncOp kernel, linalg::LinalgOp last) {
  const SmallVector<unsigned> loops = resultLoops(last);
  const SmallVector<int64_t> sizes = last.getStaticLoopRanges();
  SmallVector<int64_t> expected;
  for (unsigned loop : loops)
    expected.push_back(sizes[loop]);
  if (given.getLoops() != ArrayRef(expected))
    return given.emitError("is for loops ") << text(given.getLoops()) << ", but node '"
                                            << nodeName(kernel.getLoc()) << "' has " << text(expected);
  Tiling tiling;
  tiling.sizes.assign(sizes.size(), 0);
  for (auto [place, loop] : llvm::enumerate(loops)) {
    const int64_t size = sizes[loop], tile = given.getTile()[place];
    if (failed(checkTile(given, kernel, place, size, isUndivided(kernel))))
      return failure();
    if (tile == size)
      continue;
    tiling.sizes[loop] = tile;
    tiling.count *= size / tile;
  }
  tiling.isParallel = given.getThreads() && tiling.count > 1;
  return tiling;
}

void recordSchedule(ArrayRef<std::pair<StringAttr, KernelSchedule>> kernels, ModuleOp module) {
  llvm::MapVector<StringRef, std::pair<const KernelSchedule *, llvm::SetVector<Attribute>>> entries;
  for (auto &[name, schedule] : kernels) {
    auto &[first, functions] = entries[schedule.fingerprint];
    first = &schedule;
    functions.insert(FlatSymbolRefAttr::get(name));
  }
  if (entries.empty())
    return;
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto all = b.create<ScheduleOp>(module.getLoc(), ScheduleOp::Format);
  b.createBlock(&all.getBody());
  for (auto &[fingerprint, entry] : entries) {
    const auto &[schedule, functions] = entry;
    const auto unit = [&](bool is) { return is ? b.getUnitAttr() : UnitAttr(); };
    KernelOp given = schedule->given;
    b.create<KernelOp>(given ? given.getLoc() : b.getUnknownLoc(), b.getStringAttr(fingerprint),
                       b.getArrayAttr(functions.getArrayRef()), b.getDenseI64ArrayAttr(schedule->loops),
                       unit(schedule->isUndivided), b.getDenseI64ArrayAttr(schedule->tile),
                       unit(schedule->isParallel), given ? given.getBlocksAttr() : ArrayAttr());
  }
}

LogicalResult placeBlocks(ModuleOp module, ModuleOp kernels, const Level &level) {
  const Features features = featuresOf(level);
  for (ScheduleOp schedule : module.getOps<ScheduleOp>())
    for (KernelOp entry : schedule.getBody().getOps<KernelOp>()) {
      const BlockAttr block = entry.blockOf(level.name);
      if (!block || !entry.getFunctions())
        continue;
      for (auto name : entry.getFunctions()->getAsRange<FlatSymbolRefAttr>())
        if (auto kernel = kernels.lookupSymbol<func::FuncOp>(name.getAttr());
            kernel && failed(placeBlock(block, entry, kernel, kernels, features)))
          return failure();
    }
  return success();
}

} // namespace daedalus::cpu
