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

  SmallVector<Value> add(Numbers n, Value stage, ValueRange before) override {
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
        result.push_back({sums[i * ofB() + j], place(n, a, lineOfA(n), i), place(n, b, lineOfB(n), j)});
    return result;
  }

private:
  int64_t ofA() const { return tile.m / side; }
  int64_t ofB() const { return tile.n / side; }
  Value lineOfA(Numbers n) { return n.div(thread, side); }
  Value lineOfB(Numbers n) { return n.rem(thread, side); }

  /// The row in the tile of a thread's `number`-th: neighbours where neighbours are read at once.
  static Value place(Numbers n, StagedFactor &factor, Value line, int64_t number) {
    const int64_t chunk = factor.chunk();
    return factor.isAlongRows() ? n.add(n.mul(line, chunk), number / chunk * side * chunk + number % chunk)
                                : n.add(line, number * side);
  }

  static Value readChunk(Numbers n, StagedFactor &factor, Value stage, Value row, Value k) {
    return n.b.create<memref::LoadOp>(n.loc, factor.asChunks(n.b), factor.placeOfChunk(n, stage, row, k));
  }

  /// [row of the thread][along K] of a chunk along K.
  static SmallVector<SmallVector<Value>> elements(Numbers n, StagedFactor &factor, int64_t rows, Value line,
                                                  Value stage, int64_t k) {
    const int64_t chunk = factor.chunk();
    SmallVector<SmallVector<Value>> result(rows, SmallVector<Value>(chunk));
    const bool alongRows = factor.isAlongRows();
    for (int64_t slow = 0; slow < (alongRows ? chunk : rows); ++slow)
      for (int64_t fast = 0; fast < (alongRows ? rows : chunk); fast += chunk) {
        Value row = place(n, factor, line, alongRows ? fast : slow);
        Value read = readChunk(n, factor, stage, row, n.constant(alongRows ? k + slow : k));
        for (int64_t i = 0; i < chunk; ++i) {
          Value element = n.b.create<vector::ExtractOp>(n.loc, read, i);
          (alongRows ? result[fast + i][slow] : result[slow][i]) = element;
        }
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
