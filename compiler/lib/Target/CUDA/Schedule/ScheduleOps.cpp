// Schedules: the dialect, and verifiers of all that can be said without the model.

#include "daedalus/Target/CUDA/ScheduleOps.h"

#include "ScheduleSearch.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include "daedalus/Target/CUDA/ScheduleDialect.cpp.inc"
#include "daedalus/Target/CUDA/ScheduleEnums.cpp.inc"

namespace daedalus::cuda {
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

std::string keyOfProducts(mlir::Type element, llvm::ArrayRef<int64_t> sizes) {
  std::string key;
  llvm::raw_string_ostream stream(key);
  stream << element;
  for (int64_t size : sizes)
    stream << ' ' << size;
  return key;
}

std::string keyOfWindows(mlir::Type element, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> window) {
  return keyOfProducts(element, sizes) + " over" +
         keyOfProducts(element, window).substr(keyOfProducts(element, {}).size());
}

std::string whatIsScheduled(mlir::Operation &op) {
  if (auto product = mlir::dyn_cast<ProductOp>(op))
    return "products of " + keyOfProducts(product.getElement(), product.getSizes());
  if (auto window = mlir::dyn_cast<WindowOp>(op))
    return "windows of " + keyOfWindows(window.getElement(), window.getSizes(), window.getWindow());
  return "";
}

bool isByWarpgroups(mlir::Operation &op) {
  auto product = mlir::dyn_cast<ProductOp>(op);
  return product && product.getWay() == Way::Warpgroups;
}

std::string keyOfEntry(mlir::Operation &op) {
  return whatIsScheduled(op) + (isByWarpgroups(op) ? " by warpgroups" : "");
}

void CudaDialect::initialize() {
  addScheduling(*this);
  addOperations<
#define GET_OP_LIST
#include "daedalus/Target/CUDA/ScheduleOps.cpp.inc"
      >();
}

LogicalResult ScheduleOp::verify() {
  if (static_cast<int64_t>(getFormat()) != Format)
    return emitError("is a schedule of format ")
           << static_cast<int64_t>(getFormat()) << "; this compiler reads format " << Format;
  llvm::StringMap<mlir::Operation *> seen;
  for (mlir::Operation &inside : getBody().front()) {
    const std::string what = keyOfEntry(inside);
    if (what.empty())
      return inside.emitError("'") << inside.getName() << "' is in " << getOperationName() << "; expected "
                                   << ProductOp::getOperationName() << " or " << WindowOp::getOperationName();
    const auto [first, isNew] = seen.try_emplace(what, &inside);
    if (isNew)
      continue;
    auto error = inside.emitError("schedules ") << what << " again";
    if (auto line = mlir::dyn_cast<mlir::FileLineColLoc>(first->second->getLoc()))
      error << "; line " << line.getLine() << " has it already";
    return error;
  }
  return success();
}

LogicalResult ProductOp::verify() {
  const auto has = [&](std::optional<llvm::ArrayRef<int64_t>> list, size_t size) {
    return list && list->size() == size && llvm::all_of(*list, [](int64_t value) { return value >= 1; });
  };
  const auto isBelow = [](int64_t value) { return value <= int64_t(1) << 31; };
  if (!has(getSizes(), 4) || !llvm::all_of(getSizes(), isBelow))
    return emitError("has sizes that are not four numbers from 1 to 2^31: of the batch, of M, N and K");
  if (getWay() == Way::Threads)
    return getTile() || getWarps() || getStages() ? emitError("is computed by threads, and has a tile")
                                                  : success();
  if (!has(getTile(), 3) || !llvm::all_of(*getTile(), [](int64_t size) { return llvm::isPowerOf2_64(size); }))
    return emitError("has a tile that is not three powers of two: rows, columns, and elements along K");
  if (!getStages() || *getStages() < 2 || *getStages() > 16)
    return emitError("has no number of stages from 2 to 16");
  if (getWay() == Way::Fma ? getWarps().has_value() : !has(getWarps(), 2))
    return emitError(getWay() != Way::Fma
                         ? "has no warps: how many share the rows, and the columns"
                         : "is computed by fma, whose blocks have 16 x 16 threads, and has warps");
  return success();
}

LogicalResult WindowOp::verify() {
  const auto isPositive = [](int64_t value) { return value >= 1 && value <= int64_t(1) << 31; };
  if (getSizes().empty() || getWindow().empty() || !llvm::all_of(getSizes(), isPositive) ||
      !llvm::all_of(getWindow(), isPositive))
    return emitError("has sizes that are not numbers from 1 to 2^31: of the result, and of the window");
  if (getWay() == WindowWay::Threads)
    return getTile() ? emitError("is computed by threads, and has a tile") : success();
  if (!getTile() || getTile()->size() != getSizes().size() || !llvm::all_of(*getTile(), isPositive))
    return emitError("has a tile that is not ")
           << getSizes().size() << " numbers from 1 on: as many as sizes";
  return success();
}

} // namespace daedalus::cuda

#define GET_OP_CLASSES
#include "daedalus/Target/CUDA/ScheduleOps.cpp.inc"
