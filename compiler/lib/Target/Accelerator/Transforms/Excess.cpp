// Excess: what int8 does not hold of weights, in tiles of its own. Few tiles have any; each is one more
// product with the tile's input, of the part that this tile of the weights reads.

#include "Transforms/Transforms.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace daedalus::accelerator {
namespace {

/// Where excess lies with a schedule.
class Order {
public:
  /// In the order of packed weights: pieces of output channels, steps, tiles.
  using Place = std::array<int64_t, 9>;

  Order(const Kernel &kernel, const Schedule &s, int64_t n)
      : r(reductionOf(kernel, s.fold, n)), slides(slideOf(kernel, s)), s(s), n(n) {}

  /// Weights are [output][kernel row][kernel column][lane] for every fold.
  WeightTile tileOf(const Excess &each) const {
    const int64_t position = each.at / r.lanes, oc = position / (r.kh * r.kw) / n;
    if (slides) // all passes over a block are one
      return {oc, 0, 0, 0, each.layer};
    return {oc, position / r.kw % r.kh, position % r.kw, each.at % r.lanes / n, each.layer};
  }

  Place placeOf(const WeightTile &t) const {
    return {t.oc / s.oc, t.kh / s.kh, t.kw / s.kw, t.ic / s.ic, t.oc, t.kh, t.kw, t.ic, t.layer};
  }

  /// Row and byte in the tile.
  int64_t byteOf(const Excess &each) const {
    return each.at / (r.kh * r.kw * r.lanes) % n * n + each.at % r.lanes % n;
  }

private:
  const Reduction r;
  const bool slides;
  const Schedule &s;
  const int64_t n;
};

/// The weights' tiles of a window that slides, of one layer of the excess.
std::vector<int8_t> packLayer(const Kernel &kernel, int8_t layer, const Schedule &s, int64_t n) {
  Kernel alone = kernel;
  std::fill(alone.weights.begin(), alone.weights.end(), int8_t(0));
  for (const Excess &each : kernel.excess)
    if (each.layer == layer)
      alone.weights[each.at] = each.rest;
  return packWeights(alone, s, n);
}

std::vector<int8_t> packSliding(const Kernel &kernel, llvm::ArrayRef<WeightTile> tiles, const Schedule &s,
                                int64_t n) {
  std::map<int8_t, std::vector<int8_t>> layers;
  for (const WeightTile &tile : tiles)
    if (const auto [layer, isNew] = layers.try_emplace(tile.layer); isNew)
      layer->second = packLayer(kernel, tile.layer, s, n);
  const int64_t size = weightTiles(kernel, s) * n * n;
  std::vector<int8_t> bytes;
  for (const WeightTile &tile : tiles) {
    const auto first = layers.at(tile.layer).begin() + tile.oc * size;
    bytes.insert(bytes.end(), first, first + size);
  }
  return bytes;
}

} // namespace

std::vector<WeightTile> excessTiles(const Kernel &kernel, const Schedule &s, int64_t n) {
  const Order order(kernel, s, n);
  std::map<Order::Place, WeightTile> tiles;
  for (const Excess &each : kernel.excess) {
    const WeightTile tile = order.tileOf(each);
    tiles.emplace(order.placeOf(tile), tile);
  }
  std::vector<WeightTile> result;
  for (const auto &[place, tile] : tiles)
    result.push_back(tile);
  return result;
}

void countExcess(Kernel &kernel, int64_t n) {
  kernel.excessCounts = {};
  std::set<std::pair<int64_t, int8_t>> blocks;
  for (const dae::Fold fold : {dae::Fold::None, dae::Fold::Width, dae::Fold::Window}) {
    Schedule s;
    s.fold = fold;
    const std::vector<WeightTile> tiles = excessTiles(kernel, s, n);
    kernel.excessCounts.tiles[size_t(fold)] = tiles.size();
    for (const WeightTile &tile : tiles)
      blocks.emplace(tile.oc, tile.layer);
  }
  kernel.excessCounts.blocks = blocks.size();
}

int64_t excessProducts(const Kernel &kernel, const Schedule &s) {
  return s.slide ? kernel.excessCounts.blocks : kernel.excessCounts.tiles[size_t(s.fold)];
}

int64_t excessTileCount(const Kernel &kernel, const Schedule &s) {
  return s.slide ? kernel.excessCounts.blocks * weightTiles(kernel, s) : excessProducts(kernel, s);
}

std::vector<int8_t> packExcess(const Kernel &kernel, const Schedule &s, int64_t n) {
  const std::vector<WeightTile> tiles = excessTiles(kernel, s, n);
  if (slideOf(kernel, s))
    return packSliding(kernel, tiles, s, n);
  const Order order(kernel, s, n);
  std::map<Order::Place, size_t> numbers;
  for (const WeightTile &tile : tiles)
    numbers.emplace(order.placeOf(tile), numbers.size());
  std::vector<int8_t> bytes(tiles.size() * n * n, 0);
  for (const Excess &each : kernel.excess)
    bytes[numbers.at(order.placeOf(order.tileOf(each))) * n * n + order.byteOf(each)] = each.rest;
  return bytes;
}

} // namespace daedalus::accelerator
