// See Near.h. Near to a product's tile are half and twice each of its sizes, a stage more or less, and other
// warps; near to a window's are half and twice its results along each dimension.

#include "Near.h"

#include "daedalus/Target/CUDA/ScheduleOps.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t leastStages = 2, mostStages = 16; ///< as cuda.product can have
constexpr int64_t mostOfThreads = 1 << 20; ///< multiplications of a product that threads are tried for
constexpr int64_t pointsOfBlock[] = {128, 512, 2048}; ///< results of a window's tile to begin with
constexpr int64_t alongLast = 32;                     ///< of these, along the last dimension

bool isSame(const WindowTile &a, const WindowTile &b) {
  return a.way == b.way && a.sizes == b.sizes;
}

class NearProduct {
public:
  NearProduct(const Product &product, const Tile &own, const Architecture &architecture)
      : product(product), own(own), architecture(architecture) {}

  SmallVector<Tile> run() {
    for (const Tile &tile : candidatesFor(product, architecture))
      add(tile);
    if (product.batch.size * product.m.size * product.n.size * product.k.size <= mostOfThreads)
      add(Tile());
    if (own.way != Way::Threads) {
      trySizes();
      tryStages();
      tryWarps();
    }
    all.truncate(std::min(all.size(), MostNear));
    return std::move(all);
  }

private:
  void add(const Tile &tile) {
    if (!(tile == own) && !llvm::is_contained(all, tile) && whyNot(product, tile).empty())
      all.push_back(tile);
  }

  void trySizes() {
    for (int64_t Tile::*size : {&Tile::m, &Tile::n, &Tile::k}) {
      Tile half = own, twice = own;
      half.*size /= 2;
      twice.*size *= 2;
      add(half);
      add(twice);
    }
  }

  void tryStages() {
    for (int64_t stages : {own.stages - 1, own.stages + 1})
      if (stages >= leastStages && stages <= mostStages) {
        Tile tile = own;
        tile.stages = stages;
        add(tile);
      }
  }

  void tryWarps() {
    if (own.way == Way::Fma)
      return;
    const std::pair<int64_t, int64_t> others[] = {
        {own.warpsM * 2, own.warpsN},     {own.warpsM, own.warpsN * 2}, {own.warpsM * 2, own.warpsN / 2},
        {own.warpsM / 2, own.warpsN * 2}, {own.warpsM / 2, own.warpsN}, {own.warpsM, own.warpsN / 2}};
    for (const auto &[down, across] : others)
      if (down >= 1 && across >= 1) {
        Tile tile = own;
        tile.warpsM = down, tile.warpsN = across;
        add(tile);
      }
  }

  const Product &product;
  const Tile &own;
  const Architecture &architecture;
  SmallVector<Tile> all;
};

class NearWindow {
public:
  NearWindow(const Window &window, const WindowTile &own)
      : window(window), own(own), sizes(window.sizesOf(window.parallel)) {}

  SmallVector<WindowTile> run() {
    add({WindowWay::Threads, {}});
    for (int64_t points : pointsOfBlock)
      add({WindowWay::Shared, block(points)});
    for (size_t dimension = 0; dimension < own.sizes.size(); ++dimension) {
      tryAlong(dimension, own.sizes[dimension] / 2);
      tryAlong(dimension, own.sizes[dimension] * 2);
    }
    all.truncate(std::min(all.size(), MostNear));
    return std::move(all);
  }

private:
  void add(const WindowTile &tile) {
    const auto isKnown = [&](const WindowTile &other) { return isSame(tile, other); };
    if (!isKnown(own) && llvm::none_of(all, isKnown) && whyNot(window, tile).empty())
      all.push_back(tile);
  }

  void tryAlong(size_t dimension, int64_t size) {
    WindowTile tile = own;
    tile.sizes[dimension] = std::min(size, sizes[dimension]);
    if (size >= 1)
      add(tile);
  }

  /// So many results or fewer: the last dimension up to a warp's, then all that there are in turns.
  SmallVector<int64_t> block(int64_t points) const {
    SmallVector<int64_t> tile(sizes.size(), 1);
    int64_t left = points;
    const auto grow = [&](size_t dimension) {
      const int64_t more = std::min(sizes[dimension], tile[dimension] * 2);
      if (left < 2 || more == tile[dimension])
        return false;
      tile[dimension] = more, left /= 2;
      return true;
    };
    while (!tile.empty() && tile.back() < alongLast && grow(tile.size() - 1)) {
    }
    for (bool isGrowing = true; isGrowing;) {
      isGrowing = false;
      for (size_t dimension = sizes.size(); dimension-- > 0;)
        isGrowing |= grow(dimension);
    }
    return tile;
  }

  const Window &window;
  const WindowTile &own;
  const SmallVector<int64_t> sizes;
  SmallVector<WindowTile> all;
};

} // namespace

SmallVector<Tile> tilesNear(const Product &product, const Tile &own, const Architecture &architecture) {
  return NearProduct(product, own, architecture).run();
}

SmallVector<WindowTile> tilesNear(const Window &window, const WindowTile &own) {
  return NearWindow(window, own).run();
}

} // namespace daedalus::cuda
