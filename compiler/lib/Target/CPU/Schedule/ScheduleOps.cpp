// Schedules: the dialect, and verifiers of all that can be said without the model.

#include "daedalus/Target/CPU/ScheduleOps.h"

#include "MicroKernels/AmxCode.h"
#include "ScheduleSearch.h"

#include "daedalus/Target/CPU/Levels.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

#include "daedalus/Target/CPU/ScheduleDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "daedalus/Target/CPU/ScheduleAttributes.cpp.inc"

namespace daedalus::cpu {
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

namespace {

constexpr int64_t MostSize = int64_t(1) << 31;

LogicalResult expectFrom(llvm::function_ref<mlir::InFlightDiagnostic()> fail, const char *what, int64_t value,
                         int64_t least) {
  if (value >= least && value <= MostSize)
    return success();
  return fail() << "has " << what << " " << value << "; expected " << least << " to " << MostSize;
}

} // namespace

void CpuDialect::initialize() {
  addScheduling(*this);
  addTileTranslation(*this);
  addAttributes<
#define GET_ATTRDEF_LIST
#include "daedalus/Target/CPU/ScheduleAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "daedalus/Target/CPU/ScheduleOps.cpp.inc"
      >();
}

LogicalResult RunOp::verifySymbolUses(mlir::SymbolTableCollection &symbols) {
  if (symbols.lookupNearestSymbolFrom(*this, getTaskAttr()))
    return success();
  return emitOpError("has the task ") << getTaskAttr() << ", which is not a function";
}

LogicalResult BlockAttr::verify(llvm::function_ref<mlir::InFlightDiagnostic()> fail, llvm::StringRef level,
                                int64_t rows, int64_t panels) {
  std::string names;
  for (const Level &known : levels())
    names += (names.empty() ? "" : ", ") + known.name;
  if (!findLevel(level.str()))
    return fail() << "has a block for the level '" << level << "'; expected one of " << names;
  return success(succeeded(expectFrom(fail, "a block of rows", rows, 1)) &&
                 succeeded(expectFrom(fail, "a block of panels", panels, 1)));
}

LogicalResult ScheduleOp::verify() {
  if (static_cast<int64_t>(getFormat()) != Format)
    return emitError("is a schedule of format ")
           << static_cast<int64_t>(getFormat()) << "; this compiler reads format " << Format;
  llvm::StringMap<mlir::Operation *> seen;
  for (mlir::Operation &inside : getBody().front()) {
    auto kernel = mlir::dyn_cast<KernelOp>(inside);
    if (!kernel)
      return inside.emitError("'") << inside.getName() << "' is in " << getOperationName() << "; expected "
                                   << KernelOp::getOperationName();
    const auto [first, isNew] = seen.try_emplace(kernel.getFingerprint(), kernel);
    if (isNew)
      continue;
    auto error = kernel.emitError("schedules kernel ") << kernel.getFingerprint() << " again";
    if (auto line = mlir::dyn_cast<mlir::FileLineColLoc>(first->second->getLoc()))
      error << "; line " << line.getLine() << " has it already";
    return error;
  }
  return success();
}

LogicalResult KernelOp::verify() {
  const auto fail = [this] { return emitError(); };
  const auto isDigit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (getFingerprint().size() != 16 || !llvm::all_of(getFingerprint(), isDigit))
    return emitError("has the fingerprint '") << getFingerprint() << "'; expected 16 digits from 0 to f";
  if (getTile().size() != getLoops().size())
    return emitError("has ") << getTile().size() << " sizes of a tile for " << getLoops().size()
                             << " loops; expected one a loop";
  for (auto [size, loop] : llvm::zip(getTile(), getLoops()))
    if (failed(expectFrom(fail, "a loop of", loop, 0)) ||
        failed(expectFrom(fail, "a tile of", size, loop > 0)))
      return failure();
  llvm::StringSet<> seen;
  for (BlockAttr block : getBlocks().value_or(mlir::ArrayAttr::get(getContext(), {})).getAsRange<BlockAttr>())
    if (!seen.insert(block.getLevel()).second)
      return emitError("has a block for the level '") << block.getLevel() << "' twice; expected it once";
  return success();
}

int64_t KernelOp::countTiles() {
  int64_t tiles = 1;
  for (auto [loop, tile] : llvm::zip(getLoops(), getTile()))
    tiles *= tile ? loop / tile : 1;
  return tiles;
}

BlockAttr KernelOp::blockOf(llvm::StringRef level) {
  if (getBlocks())
    for (BlockAttr block : getBlocks()->getAsRange<BlockAttr>())
      if (block.getLevel() == level)
        return block;
  return {};
}

} // namespace daedalus::cpu

#define GET_OP_CLASSES
#include "daedalus/Target/CPU/ScheduleOps.cpp.inc"
