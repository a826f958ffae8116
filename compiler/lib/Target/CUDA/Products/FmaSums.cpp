// Sums by FMA: 16 times 16 threads, of which each reads rows of one factor and columns of the other in chunks
// of four and adds up all their products.

#include "BlockSums.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t side = 16;

class FmaSums : public BlockSums {
public:
  FmaSums(const Tile &tile, StagedFactor &a, StagedFactor &b, Value thread)
      : tile(tile), a(a), b(b), thread(thread) {}

  SmallVector<Value> zeros(Numbers n) override {
    Value zero = n.b.create<arith::ConstantOp>(n.loc, n.b.getF32FloatAttr(0));
    return SmallVector<Value>(ofA() * ofB(), zero);
  }

  SmallVector<Value> add(Numbers n, Value stage, ValueRange before,
                         llvm::function_ref<void()> copy) override {
    copy();
    SmallVector<Value> sums(before);
    for (int64_t k = 0; k < tile.k; k += a.chunk()) {
      const auto left = elements(n, a, ofA(), lineOfA(n), stage, k);
      const auto right = elements(n, b, ofB(), lineOfB(n), stage, k);
      for (int64_t step = 0; step < a.chunk(); ++step)
        for (int64_t i = 0; i < ofA(); ++i)
          for (int64_t j = 0; j < ofB(); ++j)
            sums[i * ofB() + j] =
                n.b.create<math::FmaOp>(n.loc, left[i][step], right[j][step], sums[i * ofB() + j]);
    }
    return sums;
  }

  SmallVector<Sum> all(Numbers n, ValueRange sums) override {
    SmallVector<Sum> result;
    for (int64_t i = 0; i < ofA(); ++i)
      for (int64_t j = 0; j < ofB(); ++j)
        result.push_back(
            {sums[i * ofB() + j], place(n, a, ofA(), lineOfA(n), i), place(n, b, ofB(), lineOfB(n), j)});
    return result;
  }

private:
  int64_t ofA() const { return tile.m / side; }
  int64_t ofB() const { return tile.n / side; }
  Value lineOfA(Numbers n) { return n.div(thread, side); }
  Value lineOfB(Numbers n) { return n.rem(thread, side); }

  /// How many rows that follow each other a thread reads at once.
  static int64_t rowsAtOnce(StagedFactor &factor, int64_t rows) {
    return factor.isAlongRows() && rows % factor.chunk() == 0 ? factor.chunk() : 1;
  }

  /// The row in the tile of a thread's `number`-th: neighbours where neighbours are read at once.
  static Value place(Numbers n, StagedFactor &factor, int64_t rows, Value line, int64_t number) {
    const int64_t unit = rowsAtOnce(factor, rows);
    return n.add(n.mul(line, unit), number / unit * side * unit + number % unit);
  }

  /// As many as follow each other, of float32.
  static SmallVector<Value> read(Numbers n, StagedFactor &factor, Value stage, Value row, Value k,
                                 int64_t count) {
    SmallVector<Value> elements;
    if (count == 1) {
      elements.push_back(
          n.b.create<memref::LoadOp>(n.loc, factor.asElements(), factor.place(n, stage, row, k)));
    } else {
      Value chunk =
          n.b.create<memref::LoadOp>(n.loc, factor.asChunks(n.b), factor.placeOfChunk(n, stage, row, k));
      for (int64_t i = 0; i < count; ++i)
        elements.push_back(n.b.create<vector::ExtractOp>(n.loc, chunk, i));
    }
    for (Value &element : elements)
      if (!element.getType().isF32())
        element = n.b.create<arith::ExtFOp>(n.loc, n.b.getF32Type(), element);
    return elements;
  }

  /// [row of the thread][along K] of a chunk along K.
  static SmallVector<SmallVector<Value>> elements(Numbers n, StagedFactor &factor, int64_t rows, Value line,
                                                  Value stage, int64_t k) {
    const int64_t chunk = factor.chunk(), unit = rowsAtOnce(factor, rows);
    SmallVector<SmallVector<Value>> result(rows, SmallVector<Value>(chunk));
    if (!factor.isAlongRows()) {
      for (int64_t row = 0; row < rows; ++row)
        result[row] = read(n, factor, stage, place(n, factor, rows, line, row), n.constant(k), chunk);
      return result;
    }
    for (int64_t i = 0; i < chunk; ++i)
      for (int64_t row = 0; row < rows; row += unit) {
        const auto found = read(n, factor, stage, place(n, factor, rows, line, row), n.constant(k + i), unit);
        for (auto [number, element] : llvm::enumerate(found))
          result[row + number][i] = element;
      }
    return result;
  }

  const Tile tile;
  StagedFactor &a, &b;
  const Value thread;
};

} // namespace

std::unique_ptr<BlockSums> fmaSums(const Product &, const Tile &tile, StagedFactor &a, StagedFactor &b,
                                   Value thread) {
  return std::make_unique<FmaSums>(tile, a, b, thread);
}

} // namespace daedalus::cuda
