// See Tiling.h.

#include "Tiling.h"

#include "Passes.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

constexpr int64_t SecondCache = 256 << 10; ///< bytes of it that weights may take
constexpr double LeastParallel = 20000;    ///< nanoseconds of a kernel that several threads share
constexpr double LeastTask = 4000;         ///< nanoseconds of what a thread takes at once
constexpr int64_t LeastRows = 16;          ///< of a product for which a task reads its weights
constexpr int64_t EnoughTasks = 32;        ///< that finish together on the threads of most hosts

/// How large tiles become: elements of the output, and rows of its last dimension that they may have beyond
/// that, with so many elements.
struct Limits {
  int64_t elements = 4096, rows = 1, elementsOfRows = 0;
  int64_t least = 1;           ///< elements of the output that a tile has
  bool hasParts = true;        ///< else tiles are single rows: what they read is no range of rows
  int64_t leastColumns = 0;    ///< into which its last dimension may be cut; 0: it is not
  bool isDepthwise = false;    ///< each column reads windows of its own
  bool isProduct = false;      ///< every column reads the same rows
  bool hasWideWeights = false; ///< of a product: they do not stay in the second cache
  bool isElementwise = true;   ///< no loop is a reduction: rows may be cut too
};

int64_t bytesOf(Value value) {
  const auto type = cast<ShapedType>(value.getType());
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

/// Whether an operation reads overlapping windows along the rows of its output.
bool hasWindows(linalg::LinalgOp op) {
  return llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) { return !map.isProjectedPermutation(); });
}

/// Of the weights that all rows of a product read: of a batch of products, those of one.
int64_t bytesOfWeights(const Contraction &sum) {
  int64_t bytes = bytesOf(sum.vectors->get());
  for (auto [loop, size] : llvm::enumerate(sum.op.getStaticLoopRanges()))
    if (loop != sum.inner && !sum.isReduction(loop) && sum.vectorMap().isFunctionOfDim(loop))
      bytes /= std::max<int64_t>(size, 1);
  return bytes;
}

/// What a tile's sums are kept in is read again: small tiles stay in the first cache. Weights that do not
/// stay in the second one are read once for each tile: then tiles are large. So are those of windows, which
/// read what lies between them twice.
Limits limitsOf(func::FuncOp kernel) {
  Limits limits;
  bool isElementwise = true;
  kernel.walk([&](linalg::LinalgOp op) {
    isElementwise &= op.getNumReductionLoops() == 0 && !hasWindows(op);
    const std::optional<Contraction> sum = Contraction::of(op);
    if (!sum && hasWindows(op)) {
      limits.least = elementsOfPooledRow(op);
      limits.elements = std::max<int64_t>(limits.least, 2048);
    }
    if (!sum)
      return;
    const bool isWide = bytesOfWeights(*sum) > SecondCache;
    limits = isWide ? Limits{65536, 64, 131072} : Limits{16384, 16, 65536};
    limits.isProduct = true;
    limits.hasWideWeights = isWide;
    limits.leastColumns = 4 * PanelWidth;
    if (!sum->scalarMap().isFunctionOfDim(sum->inner) || !hasWindows(op))
      return;
    limits = Limits{8192};
    limits.leastColumns = PanelWidth;
    limits.isDepthwise = true;
  });
  limits.hasParts = !isUndivided(kernel);
  if (!limits.hasParts)
    limits.isProduct = limits.isDepthwise = false; // their columns are not cut
  limits.isElementwise = isElementwise;
  return limits;
}

/// Nanoseconds of an operation on one thread, roughly.
double timeOf(linalg::LinalgOp op) {
  double iterations = 1;
  for (int64_t size : op.getStaticLoopRanges())
    iterations *= size;
  if (const std::optional<Contraction> sum = Contraction::of(op))
    return iterations / (sum->scalarMap().isFunctionOfDim(sum->inner) ? 16 : 64);
  return iterations * (isStrided(op) ? 1 : llvm::range_size(op.getBlock()->getOperations()) / 16.0);
}

/// The largest part of `size` rows of `inner` elements that divides it and may be a tile.
int64_t rowsOfTile(int64_t size, int64_t inner, const Limits &limits) {
  for (int64_t rows = size; rows > 1; --rows)
    if (size % rows == 0 && (limits.hasParts || rows == size) &&
        (rows * inner <= limits.elements || (rows <= limits.rows && rows * inner <= limits.elementsOfRows)))
      return rows;
  return 1;
}

/// Whether a tile of so many columns fills its panels nearly.
bool fillsPanels(int64_t columns) {
  constexpr int64_t mostEmpty = 16; // of so many columns one
  const int64_t empty = (PanelWidth - columns % PanelWidth) % PanelWidth;
  return empty * mostEmpty <= columns;
}

/// The largest part of `size` columns that divides it and has at most `most` of them, or else the least one
/// from `least` on, of panels that are filled: all of them where `size` fills its own. All columns where
/// there is none.
int64_t columnsOfTile(int64_t size, int64_t most, int64_t least) {
  const bool isWhole = size % PanelWidth == 0;
  int64_t found = size;
  for (int64_t columns = size; columns >= least && found > most; --columns)
    if (size % columns == 0 && (isWhole ? columns % PanelWidth == 0 : fillsPanels(columns)))
      found = columns;
  return found;
}

class Chooser {
public:
  Chooser(func::FuncOp kernel, linalg::LinalgOp last)
      : limits(limitsOf(kernel)), loops(resultLoops(last)), shape(last.getStaticLoopRanges()) {
    kernel.walk([&](linalg::LinalgOp op) { time += timeOf(op); });
    tiling.sizes.assign(shape.size(), 0);
  }

  Tiling choose() {
    if (loops.empty())
      return tiling;
    tiling.isParallel = time >= LeastParallel;
    const int64_t tasks = tiling.isParallel ? std::min<int64_t>(EnoughTasks, time / LeastTask) : 1;
    int64_t elements = 1; // of the output
    for (unsigned loop : loops)
      elements *= shape[loop];
    if (elements == 0)
      return tiling;
    const int64_t last = shape[loops.back()];
    if (limits.isProduct && (limits.hasWideWeights || elements / last < tasks * LeastRows)) {
      cut(loops.back(), columnsOfTile(last, last / tasks, limits.leastColumns));
    }
    if (!limits.isProduct || tiling.count == 1) {
      const int64_t least = limits.isProduct ? LeastRows * last : limits.least;
      limits.elements = std::min(limits.elements, std::max(elements / tasks, least));
      limits.elementsOfRows = std::min(limits.elementsOfRows, std::max(elements / tasks, least));
      if (limits.isDepthwise)
        cut(loops.back(), columnsOfTile(last, limits.elements * last / elements, limits.leastColumns));
    }
    cutRows();
    return tiling;
  }

private:
  void cut(unsigned loop, int64_t size) {
    tiling.sizes[loop] = size == shape[loop] ? 0 : size;
    tiling.count *= shape[loop] / size;
  }

  /// Rows of the last dimension, then of the one in front of it, until a tile is full.
  void cutRows() {
    const unsigned last = loops.back();
    int64_t inner = tiling.sizes[last] ? tiling.sizes[last] : shape[last];
    if (limits.isElementwise && inner > limits.elements) {
      cut(last, rowsOfTile(inner, 1, limits));
      inner = limits.elements;
    }
    bool isFull = false;
    for (unsigned loop : llvm::reverse(ArrayRef(loops).drop_back())) {
      const int64_t rows = isFull ? 1 : rowsOfTile(shape[loop], inner, limits);
      isFull |= rows < shape[loop];
      inner *= rows;
      cut(loop, rows);
    }
  }

  Limits limits;
  const SmallVector<unsigned> loops;
  const SmallVector<int64_t> shape;
  double time = 0;
  Tiling tiling;
};

} // namespace

bool isStrided(linalg::LinalgOp op) {
  const unsigned inner = op.getNumLoops() - 1;
  return op.getNumLoops() > 0 && llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
           const AffineMap map = op.getMatchingIndexingMap(operand);
           return map.isFunctionOfDim(inner) && !map.getResults().back().isFunctionOfDim(inner);
         });
}

SmallVector<unsigned> resultLoops(linalg::LinalgOp op) {
  const AffineMap map = op.getIndexingMapsArray().back();
  SmallVector<unsigned> loops;
  if (map.isProjectedPermutation() && map.getNumResults() == op.getNumParallelLoops())
    for (unsigned i = 0; i < map.getNumResults(); ++i)
      loops.push_back(map.getDimPosition(i));
  return loops;
}

bool isUndivided(func::FuncOp kernel) {
  bool isLinear = true;
  kernel.walk([&](linalg::LinalgOp op) {
    isLinear &= llvm::all_of(op.getIndexingMapsArray(),
                             [](AffineMap map) { return coefficientsOf(map).has_value(); });
  });
  return !isLinear;
}

Tiling chooseTiling(func::FuncOp kernel, linalg::LinalgOp last) {
  return Chooser(kernel, last).choose();
}

} // namespace daedalus::cpu
