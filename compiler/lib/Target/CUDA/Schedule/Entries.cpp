// See Entries.h.

#include "Entries.h"

using namespace mlir;

namespace daedalus::cuda {

std::array<int64_t, 4> sizesOf(const Product &product) {
  return {product.batch.size, product.m.size, product.n.size, product.k.size};
}

ProductOp createEntry(OpBuilder &b, Location loc, Type element, ArrayRef<int64_t> sizes, const Tile &tile) {
  const bool isTiled = tile.way != Way::Threads, hasWarps = isTiled && tile.way != Way::Fma;
  return b.create<ProductOp>(
      loc, TypeAttr::get(element), b.getDenseI64ArrayAttr(sizes), WayAttr::get(b.getContext(), tile.way),
      isTiled ? b.getDenseI64ArrayAttr({tile.m, tile.n, tile.k}) : DenseI64ArrayAttr(),
      hasWarps ? b.getDenseI64ArrayAttr({tile.warpsM, tile.warpsN}) : DenseI64ArrayAttr(),
      isTiled ? b.getI64IntegerAttr(tile.stages) : IntegerAttr());
}

WindowOp createEntry(OpBuilder &b, Location loc, Type element, ArrayRef<int64_t> sizes,
                     ArrayRef<int64_t> window, const WindowTile &tile) {
  return b.create<WindowOp>(loc, TypeAttr::get(element), b.getDenseI64ArrayAttr(sizes),
                            b.getDenseI64ArrayAttr(window), WindowWayAttr::get(b.getContext(), tile.way),
                            tile.way == WindowWay::Threads ? DenseI64ArrayAttr()
                                                           : b.getDenseI64ArrayAttr(tile.sizes));
}

} // namespace daedalus::cuda
