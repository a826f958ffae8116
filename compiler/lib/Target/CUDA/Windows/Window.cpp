// See Window.h.

#include "Window.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "llvm/Support/MathExtras.h"

#include <limits>
#include <numeric>

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t mostShared = 48 << 10; ///< bytes of a block
constexpr int64_t mostThreads = 256;     ///< of a block
constexpr int64_t mostPointsOfThread = 64;
constexpr int64_t bytesOfChunk = 16;

int64_t product(ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
}

/// The steps of each loop, where an index is a sum of them and nothing else.
std::optional<SmallVector<int64_t>> stepsOf(AffineExpr index, unsigned loops) {
  bool isLinear = true;
  index.walk([&](AffineExpr expr) {
    isLinear &= expr.getKind() == AffineExprKind::Add || expr.getKind() == AffineExprKind::Mul ||
                expr.getKind() == AffineExprKind::DimId || expr.getKind() == AffineExprKind::Constant;
  });
  if (!isLinear)
    return std::nullopt;
  const AffineMap map = AffineMap::get(loops, 0, index);
  SmallVector<int64_t> at(loops, 0), steps;
  if (map.compose(at).front() != 0)
    return std::nullopt;
  for (int64_t &loop : at) {
    loop = 1;
    steps.push_back(map.compose(at).front());
    loop = 0;
  }
  return llvm::all_of(steps, [](int64_t step) { return step >= 0; }) ? std::optional(steps) : std::nullopt;
}

bool hasElements(Type type) {
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() >= 8 && type.getIntOrFloatBitWidth() <= 64;
}

/// Takes the steps of an operand; false where it is no image with windows.
bool takeImage(Window &window, OpOperand &operand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  const AffineMap map = window.op.getMatchingIndexingMap(&operand);
  if (!type || !type.getLayout().isIdentity() || !type.hasStaticShape() || map.getNumSymbols() != 0 ||
      !hasElements(type.getElementType()) || type.getNumElements() > std::numeric_limits<int32_t>::max())
    return false;
  window.image = &operand;
  window.steps.clear(), window.dimensions.clear(), window.extents.clear();
  for (auto [dimension, index] : llvm::enumerate(map.getResults())) {
    const auto steps = stepsOf(index, window.sizes.size());
    if (!steps)
      return false;
    if (type.getDimSize(dimension) == 1)
      continue;
    window.dimensions.push_back(dimension);
    window.extents.push_back(type.getDimSize(dimension));
    window.steps.push_back(*steps);
  }
  return true;
}

/// Whether neighbouring results have windows that reach into each other.
bool overlaps(const Window &window) {
  return llvm::any_of(window.steps, [&](ArrayRef<int64_t> steps) {
    int64_t reach = 0;
    for (unsigned loop : window.reductions)
      reach += steps[loop] * (window.sizes[loop] - 1);
    return llvm::any_of(window.parallel, [&](unsigned loop) {
      return window.sizes[loop] > 1 && steps[loop] > 0 && steps[loop] <= reach;
    });
  });
}

bool movesAlongAll(const Window &window) {
  return llvm::all_of(window.parallel, [&](unsigned loop) {
    return window.sizes[loop] == 1 ||
           llvm::any_of(window.steps, [&](ArrayRef<int64_t> steps) { return steps[loop] != 0; });
  });
}

} // namespace

SmallVector<int64_t> Window::sizesOf(ArrayRef<unsigned> loops) const {
  return llvm::map_to_vector(loops, [&](unsigned loop) { return sizes[loop]; });
}

std::optional<Window> Window::of(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.hasDynamicShape() || op.getNumDpsInits() != 1)
    return std::nullopt;
  Window window{op, nullptr, {}, {}, op.getStaticLoopRanges(), {}, {}, {}};
  for (AffineExpr result : op.getIndexingMapsArray().back().getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(result);
    if (!loop)
      return std::nullopt;
    window.parallel.push_back(loop.getPosition());
  }
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == utils::IteratorType::reduction)
      window.reductions.push_back(loop);
  if (product(window.sizes) <= 0 || window.parallel.size() + window.reductions.size() != window.sizes.size())
    return std::nullopt;
  for (OpOperand *input : op.getDpsInputOperands())
    if (takeImage(window, *input) && overlaps(window) && movesAlongAll(window))
      return window;
  return std::nullopt;
}

int64_t WindowTile::points() const {
  return product(sizes);
}

int64_t WindowTile::threads() const {
  return std::min<int64_t>(mostThreads, llvm::alignTo(points(), 32));
}

SmallVector<int64_t> WindowTile::patch(const Window &window) const {
  SmallVector<int64_t> extents;
  for (ArrayRef<int64_t> steps : window.steps) {
    int64_t extent = 1;
    for (auto [loop, size] : llvm::zip(window.parallel, sizes))
      extent += steps[loop] * (size - 1);
    for (unsigned loop : window.reductions)
      extent += steps[loop] * (window.sizes[loop] - 1);
    extents.push_back(extent);
  }
  return extents;
}

/// Chunks lie inside of a line of the image or outside, whole ones.
int64_t WindowTile::chunk(const Window &window) const {
  const int64_t elements = bytesOfChunk * 8 / window.element().getIntOrFloatBitWidth();
  bool isAligned = window.extents.back() % elements == 0;
  for (auto [loop, size] : llvm::zip(window.parallel, sizes))
    isAligned &= size >= window.sizes[loop] || window.steps.back()[loop] * size % elements == 0;
  return isAligned ? elements : 1;
}

int64_t WindowTile::pitch(const Window &window) const {
  return llvm::alignTo(patch(window).back(), bytesOfChunk * 8 / window.element().getIntOrFloatBitWidth());
}

int64_t WindowTile::bytesOfShared(const Window &window) const {
  const SmallVector<int64_t> extents = patch(window);
  return product(ArrayRef(extents).drop_back()) * pitch(window) * window.element().getIntOrFloatBitWidth() /
         8;
}

std::string whyNot(const Window &window, const WindowTile &tile) {
  if (tile.way == WindowWay::Threads)
    return "";
  if (tile.points() > mostThreads * mostPointsOfThread)
    return "has a tile of " + std::to_string(tile.points()) + " results; expected " +
           std::to_string(mostThreads * mostPointsOfThread) + " at most";
  if (tile.bytesOfShared(window) > mostShared)
    return "needs " + std::to_string(tile.bytesOfShared(window)) + " bytes of shared memory; expected " +
           std::to_string(mostShared) + " at most";
  return "";
}

} // namespace daedalus::cuda
