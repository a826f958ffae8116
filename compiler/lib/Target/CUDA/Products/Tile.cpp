// See Tile.h.

#include "Tile.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t multiprocessors = 108; ///< of the smallest GPU of sm_80 for servers, the A100

int64_t blocksOf(const Product &product, const Tile &tile) {
  return product.batch.size * llvm::divideCeil(product.m.size, tile.m) *
         llvm::divideCeil(product.n.size, tile.n);
}

/// From large to small. Two stages and more: 16 KiB of both factors a stage of the large ones.
llvm::SmallVector<Tile> tilesOf(const Product &product) {
  if (product.isInt8())
    return {{128, 128, 64, 2, 4, 3}, {64, 64, 64, 2, 2, 4}, {32, 32, 64, 1, 2, 4}};
  if (product.isHalf())
    return {{128, 128, 32, 2, 4, 3}, {64, 64, 32, 2, 2, 4}, {32, 32, 32, 1, 2, 4}};
  return {{128, 128, 16, 2, 4, 3}, {64, 64, 16, 2, 4, 4}};
}

} // namespace

Tile tileFor(const Product &product) {
  const llvm::SmallVector<Tile> tiles = tilesOf(product);
  for (const Tile &tile : tiles)
    if (blocksOf(product, tile) >= multiprocessors)
      return tile;
  return tiles.back();
}

} // namespace daedalus::cuda
