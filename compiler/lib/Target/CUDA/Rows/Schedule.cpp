// See Schedule.h. What counts is memory: neighbouring threads load neighbouring bytes, of which enough are on
// their way at a time, and what was loaded stays in registers where they suffice.

#include "Schedule.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t vectorBytes = 16;
constexpr int64_t vectorsPerThread = 4;  ///< of a row, before more threads share it
constexpr int64_t elementsOfWarp = 1024; ///< of a row that one warp still computes
constexpr int64_t fewRows = 1 << 14;     ///< threads that a GPU has to have to be busy
constexpr int64_t registersOfBlock = 1 << 16, mostRegisters = 64; ///< for elements that are kept
constexpr int64_t mostThreads = 1024;

int64_t bytesOf(OpOperand &operand) {
  return llvm::divideCeil(getElementTypeOrSelf(operand.get().getType()).getIntOrFloatBitWidth(), 8);
}

/// Whether elements of an operand that are neighbours in a row lie behind each other, at multiples of so
/// many.
bool isVector(const Chain &chain, AffineMap map, MemRefType type, int64_t elements) {
  const unsigned inner = chain.columnLoops.back();
  if (!map.isFunctionOfDim(inner))
    return true; // one element for all
  unsigned last = map.getNumResults() - 1;
  while (last > 0 && type.getDimSize(last) == 1)
    --last;
  return map.isProjectedPermutation() && type.getLayout().isIdentity() &&
         map.getResult(last) == getAffineDimExpr(inner, map.getContext()) &&
         type.getDimSize(last) % elements == 0;
}

} // namespace

int64_t vectorOf(const Chain &chain) {
  int64_t largest = 1;
  bool hasBits = false;
  SmallVector<std::pair<AffineMap, MemRefType>> accesses;
  for (const Step &step : chain.steps)
    for (OpOperand &operand : step.op->getOpOperands()) {
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      const AffineMap map = step.mapOf(operand, chain.sizes.size());
      if (!type || !chain.hasColumns(map))
        continue;
      hasBits |= type.getElementTypeBitWidth() < 8;
      largest = std::max(largest, bytesOf(operand));
      accesses.push_back({map, type});
    }
  for (int64_t elements = vectorBytes / largest; elements > 1 && !hasBits; elements /= 2)
    if (llvm::all_of(accesses,
                     [&](auto &access) { return isVector(chain, access.first, access.second, elements); }))
      return elements;
  return 1;
}

namespace {

/// Whether a row's elements are needed more than once.
bool hasSeveralPasses(const Chain &chain) {
  return llvm::any_of(chain.steps, [](const Step &step) { return step.kind == Step::Kind::Elements; });
}

/// Registers of a thread that keeps all that it loads and computes of a row.
int64_t registersOf(const Chain &chain, const RowSchedule &schedule) {
  return llvm::divideCeil(chain.columns, schedule.step()) * schedule.vector;
}

/// Rows lie behind each other: a warp computes a short one, a block a longer one; of shorter ones a warp
/// computes several.
std::optional<RowSchedule> alongColumns(const Chain &chain) {
  RowSchedule schedule;
  schedule.vector = vectorOf(chain);
  const int64_t vectors = chain.columns / schedule.vector;
  schedule.group = llvm::PowerOf2Ceil(vectors);
  if (schedule.group > warpSize)
    schedule.group =
        chain.columns <= elementsOfWarp
            ? warpSize
            : std::clamp<int64_t>(llvm::PowerOf2Ceil(vectors / vectorsPerThread), warpSize, mostThreads);
  if (schedule.group < warpSize && chain.rows % (warpSize / schedule.group) != 0)
    schedule.group = warpSize;
  if (schedule.group == 1)
    return std::nullopt;
  constexpr int64_t threadsOfWarps = 128;
  schedule.threads =
      schedule.group > warpSize
          ? schedule.group
          : std::clamp<int64_t>(llvm::PowerOf2Ceil(chain.rows * schedule.group), warpSize, threadsOfWarps);
  return schedule;
}

/// Neighbours in memory are of different rows: a thread computes a row, or, where that would be few threads,
/// several threads that are no neighbours.
std::optional<RowSchedule> alongRows(const Chain &chain) {
  RowSchedule schedule;
  schedule.isAcross = true;
  const int64_t neighbours =
      std::min<int64_t>(warpSize, int64_t(1) << llvm::countr_zero(uint64_t(chain.rows)));
  constexpr int64_t leastNeighbours = 8, mostGroup = 32, elementsOfThread = 8;
  if (chain.rows < fewRows && neighbours >= leastNeighbours)
    schedule.group = std::clamp<int64_t>(llvm::PowerOf2Ceil(chain.columns / elementsOfThread), 1, mostGroup);
  if (schedule.group == 1 && !hasSeveralPasses(chain))
    return std::nullopt;
  constexpr int64_t threadsOfRows = 128;
  schedule.threads = schedule.group > 1
                         ? schedule.group * neighbours
                         : std::min<int64_t>(threadsOfRows, llvm::alignTo(chain.rows, warpSize));
  return schedule;
}

} // namespace

std::optional<RowSchedule> scheduleOf(const Chain &chain) {
  if (chain.rows == 0 || chain.columns == 0)
    return std::nullopt;
  std::optional<RowSchedule> schedule = chain.isAlongColumns ? alongColumns(chain) : alongRows(chain);
  if (!schedule)
    return std::nullopt;
  const int64_t registers = registersOf(chain, *schedule);
  schedule->keeps = hasSeveralPasses(chain) && registers <= mostRegisters / 2 &&
                    2 * registers * schedule->threads <= registersOfBlock;
  return schedule;
}

} // namespace daedalus::cuda
