// Tiles in vectors of each row, and their products in loops over memory of the function: slow, and short
// enough for tests.

#include "AmxCode.h"

#include "Transforms/FlatBuffers.h"

#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

class Emulator {
public:
  explicit Emulator(func::FuncOp kernel) : kernel(kernel), b(kernel), loc(kernel.getLoc()) {}

  void run() {
    SmallVector<Operation *> all;
    kernel.walk([&](Operation *op) {
      if (isa_and_nonnull<amx::AMXDialect>(op->getDialect()))
        all.push_back(op);
    });
    for (Operation *op : all) {
      b.setInsertionPoint(op);
      loc = op->getLoc();
      replace(op);
      op->erase();
    }
  }

private:
  void replace(Operation *op) {
    if (auto zero = dyn_cast<amx::TileZeroOp>(op))
      zero.replaceAllUsesWith(zeros(zero.getVectorType()));
    else if (auto load = dyn_cast<amx::TileLoadOp>(op))
      load.replaceAllUsesWith(loaded(load.getBase(), load.getIndices(), load.getVectorType()));
    else if (auto store = dyn_cast<amx::TileStoreOp>(op))
      this->store(store.getVal(), store.getBase(), store.getIndices());
    else if (auto product = dyn_cast<amx::TileMulIOp>(op))
      product.replaceAllUsesWith(sums(product));
  }

  Value index(int64_t value) { return b.create<arith::ConstantIndexOp>(loc, value); }

  Value zeros(VectorType type) { return b.create<arith::ConstantOp>(loc, b.getZeroAttr(type)); }

  Value added(Value x, Value y) { return b.create<arith::AddIOp>(loc, x, y); }

  Value loaded(Value base, ValueRange at, VectorType type) {
    Value tile = zeros(type);
    const auto rowType = VectorType::get({type.getDimSize(1)}, type.getElementType());
    for (int64_t i = 0; i < type.getDimSize(0); ++i) {
      Value row = b.create<vector::LoadOp>(loc, rowType, base, ValueRange{added(at[0], index(i)), at[1]});
      tile = b.create<vector::InsertOp>(loc, row, tile, i);
    }
    return tile;
  }

  void store(Value tile, Value base, ValueRange at) {
    for (int64_t i = 0; i < cast<VectorType>(tile.getType()).getDimSize(0); ++i) {
      Value row = b.create<vector::ExtractOp>(loc, tile, i);
      b.create<vector::StoreOp>(loc, row, base, ValueRange{added(at[0], index(i)), at[1]});
    }
  }

  /// A tile in memory of the function; `place`: which of several tiles of one type.
  Value inMemory(Value tile, unsigned place) {
    const auto type = cast<VectorType>(tile.getType());
    const auto memory = MemRefType::get(type.getShape(), type.getElementType());
    Value &buffer = buffers[{memory, place}];
    if (!buffer) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&kernel.getBody().front());
      buffer = b.create<memref::AllocaOp>(loc, memory);
    }
    store(tile, buffer, ValueRange{index(0), index(0)});
    return buffer;
  }

  Value sums(amx::TileMulIOp op) {
    Value sums = inMemory(op.getAcc(), 0), bytes = inMemory(op.getLhs(), 1),
          weights = inMemory(op.getRhs(), 2);
    emitLoop(b, loc, op.getVectorType().getDimSize(0), [&](Value row) {
      emitLoop(b, loc, op.getRhsVectorType().getDimSize(0),
               [&](Value quad) { addQuad(sums, bytes, weights, row, quad); });
    });
    return loaded(sums, ValueRange{index(0), index(0)}, op.getVectorType());
  }

  /// Of a row, DotWidth bytes times those of each column.
  void addQuad(Value sums, Value bytes, Value weights, Value row, Value quad) {
    const auto sumType = VectorType::get({PanelWidth}, b.getI32Type());
    const auto wide = VectorType::get({PanelWidth * DotWidth}, b.getI32Type());
    const auto bytesOf = [&](Value buffer, ValueRange at, int64_t size) {
      return b.create<vector::LoadOp>(loc, VectorType::get({size}, b.getI8Type()), buffer, at).getResult();
    };
    Value four = bytesOf(bytes, {row, b.create<arith::MulIOp>(loc, quad, index(DotWidth))}, DotWidth);
    Value word = b.create<vector::BitCastOp>(loc, VectorType::get({1}, b.getI32Type()), four);
    word = b.create<vector::BroadcastOp>(loc, sumType, b.create<vector::ExtractOp>(loc, word, 0).getResult());
    Value all = b.create<vector::BitCastOp>(loc, VectorType::get(wide.getShape(), b.getI8Type()), word);
    Value products = b.create<arith::MulIOp>(
        loc, b.create<arith::ExtSIOp>(loc, wide, all),
        b.create<arith::ExtSIOp>(loc, wide, bytesOf(weights, {quad, index(0)}, wide.getNumElements())));
    Value sum = b.create<vector::LoadOp>(loc, sumType, sums, ValueRange{row, index(0)});
    for (int64_t i = 0; i < DotWidth; ++i)
      sum = added(sum, everyFourth(products, i));
    b.create<vector::StoreOp>(loc, sum, sums, ValueRange{row, index(0)});
  }

  Value everyFourth(Value values, int64_t first) {
    SmallVector<int64_t> places;
    for (int64_t column = 0; column < PanelWidth; ++column)
      places.push_back(column * DotWidth + first);
    return b.create<vector::ShuffleOp>(loc, values, values, places);
  }

  func::FuncOp kernel;
  OpBuilder b;
  Location loc;
  llvm::DenseMap<std::pair<Type, unsigned>, Value> buffers;
};

} // namespace

void emulateTiles(func::FuncOp kernel) {
  Emulator(kernel).run();
}

} // namespace daedalus::cpu
