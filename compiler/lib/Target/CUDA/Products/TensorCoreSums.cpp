// Sums by tensor cores. A warp keeps those of several matrices of 16 rows and 8 columns (PTX ISA, "Matrix
// Fragments for mma.m16n8k16" and ".m16n8k32"), and reads both factors' fragments by ldmatrix.

#include "BlockSums.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t rowsOfMatrix = 16, columnsOfMatrix = 8, lanes = 32;

class TensorCoreSums : public BlockSums {
public:
  TensorCoreSums(const Product &product, const Tile &tile, StagedFactor &a, StagedFactor &b, Value thread)
      : type(product.a.type()), sumType(product.isInt8() ? IntegerType::get(type.getContext(), 32)
                                                         : Type(Float32Type::get(type.getContext()))),
        tile(tile), a(a), b(b), thread(thread), steps(2 * a.chunk()) {}

  SmallVector<Value> zeros(Numbers n) override {
    Value zero = n.b.create<arith::ConstantOp>(n.loc, n.b.getZeroAttr(VectorType::get({2, 2}, sumType)));
    return SmallVector<Value>(down() * across(), zero);
  }

  SmallVector<Value> add(Numbers n, Value stage, ValueRange before,
                         llvm::function_ref<void()> copy) override {
    copy();
    SmallVector<Value> sums(before);
    for (int64_t k = 0; k < tile.k; k += steps) {
      SmallVector<Value> left, right;
      for (int64_t i = 0; i < down(); ++i)
        left.push_back(fragmentOfA(n, stage, i, k));
      for (int64_t j = 0; j < across(); j += 2)
        llvm::append_range(right, fragmentsOfB(n, stage, j, k));
      for (int64_t i = 0; i < down(); ++i)
        for (int64_t j = 0; j < across(); ++j) {
          Value &sum = sums[i * across() + j];
          sum = type.isBF16()
                    ? addBfloat16(n, left[i], right[j], sum)
                    : n.b.create<nvgpu::MmaSyncOp>(n.loc, left[i], right[j], sum,
                                                   ArrayRef<int64_t>{rowsOfMatrix, columnsOfMatrix, steps});
        }
    }
    return sums;
  }

  SmallVector<Sum> all(Numbers n, ValueRange sums) override {
    SmallVector<Sum> result;
    Value group = n.div(lane(n), 4), pair = n.mul(n.rem(lane(n), 4), 2);
    for (int64_t i = 0; i < down(); ++i)
      for (int64_t j = 0; j < across(); ++j)
        for (int64_t r = 0; r < 2; ++r)
          for (int64_t c = 0; c < 2; ++c) {
            Value value =
                n.b.create<vector::ExtractOp>(n.loc, sums[i * across() + j], ArrayRef<int64_t>{r, c});
            result.push_back({value, n.add(n.add(firstRow(n), group), i * rowsOfMatrix + 8 * r),
                              n.add(n.add(firstColumn(n), pair), j * columnsOfMatrix + c)});
          }
    return result;
  }

private:
  int64_t down() const { return tile.m / tile.warpsM / rowsOfMatrix; }
  int64_t across() const { return tile.n / tile.warpsN / columnsOfMatrix; }
  Value lane(Numbers n) { return n.rem(thread, lanes); }
  /// Of the warp's part of the tile.
  Value firstRow(Numbers n) { return n.mul(n.div(n.div(thread, lanes), tile.warpsN), tile.m / tile.warpsM); }
  Value firstColumn(Numbers n) {
    return n.mul(n.rem(n.div(thread, lanes), tile.warpsN), tile.n / tile.warpsN);
  }

  /// Four matrices of 8 lines of 16 bytes, whose lines the lanes name: each lane gets a register of each.
  Value readMatrices(Numbers n, StagedFactor &factor, Value stage, Value row, Value k) {
    const auto result = VectorType::get({4, 32 / int64_t(type.getIntOrFloatBitWidth())}, type);
    return n.b.create<nvgpu::LdMatrixOp>(n.loc, result, factor.asElements(), factor.place(n, stage, row, k),
                                         n.b.getBoolAttr(factor.isAlongRows()), n.b.getI32IntegerAttr(4));
  }

  /// Rows 0 to 7 and 8 to 15 of the first half of K, then those of the second one.
  Value fragmentOfA(Numbers n, Value stage, int64_t number, int64_t k) {
    Value line = n.rem(lane(n), 8), odd = n.rem(n.div(lane(n), 8), 2), later = n.div(lane(n), 16);
    Value first = n.add(firstRow(n), number * rowsOfMatrix);
    Value row = n.add(first, n.mul(odd, 8)), half = n.add(n.mul(later, a.chunk()), k);
    return a.isAlongRows() ? readMatrices(n, a, stage, row, n.add(half, line))
                           : readMatrices(n, a, stage, n.add(row, line), half);
  }

  /// Of two neighbours of 8 columns: both halves of K of the first, then of the second one.
  SmallVector<Value> fragmentsOfB(Numbers n, Value stage, int64_t number, int64_t k) {
    Value line = n.rem(lane(n), 8), odd = n.rem(n.div(lane(n), 8), 2), later = n.div(lane(n), 16);
    Value first = n.add(firstColumn(n), number * columnsOfMatrix);
    Value column = n.add(first, n.mul(later, 8)), half = n.add(n.mul(odd, b.chunk()), k);
    Value both = b.isAlongRows() ? readMatrices(n, b, stage, column, n.add(half, line))
                                 : readMatrices(n, b, stage, n.add(column, line), half);
    return {halfOf(n, both, 0), halfOf(n, both, 2)};
  }

  Value halfOf(Numbers n, Value fragments, int64_t first) {
    auto from = cast<VectorType>(fragments.getType());
    const auto to = VectorType::get({2, from.getDimSize(1)}, type);
    Value result = n.b.create<arith::ConstantOp>(n.loc, n.b.getZeroAttr(to));
    for (int64_t i = 0; i < 2; ++i) {
      Value part = n.b.create<vector::ExtractOp>(n.loc, fragments, first + i);
      result = n.b.create<vector::InsertOp>(n.loc, part, result, i);
    }
    return result;
  }

  /// By LLVM's intrinsic: MLIR's operations take no bfloat16 to LLVM IR. It has pairs of them as words.
  Value addBfloat16(Numbers n, Value left, Value right, Value sum) {
    SmallVector<Value> operands;
    for (Value fragment : {left, right})
      for (int64_t i = 0; i < cast<VectorType>(fragment.getType()).getDimSize(0); ++i) {
        Value pair = n.b.create<vector::ExtractOp>(n.loc, fragment, i);
        Value word = n.b.create<vector::BitCastOp>(n.loc, VectorType::get({1}, n.b.getI32Type()), pair);
        operands.push_back(n.b.create<vector::ExtractOp>(n.loc, word, 0));
      }
    constexpr int64_t side = 2; // of a lane's sums
    for (int64_t i = 0; i < side * side; ++i)
      operands.push_back(n.b.create<vector::ExtractOp>(n.loc, sum, ArrayRef<int64_t>{i / side, i % side}));
    const auto result =
        LLVM::LLVMStructType::getLiteral(n.b.getContext(), SmallVector<Type>(side * side, sumType));
    auto call = n.b.create<LLVM::CallIntrinsicOp>(n.loc, result,
                                                  n.b.getStringAttr("llvm.nvvm.mma.m16n8k16.row.col.bf16"),
                                                  operands, LLVM::FastmathFlagsAttr());
    for (int64_t i = 0; i < side * side; ++i) {
      Value element = n.b.create<LLVM::ExtractValueOp>(n.loc, call.getResults(), i);
      sum = n.b.create<vector::InsertOp>(n.loc, element, sum, ArrayRef<int64_t>{i / side, i % side});
    }
    return sum;
  }

  const Type type, sumType;
  const Tile tile;
  StagedFactor &a, &b;
  const Value thread;
  const int64_t steps; ///< of K that one instruction adds up
};

} // namespace

std::unique_ptr<BlockSums> tensorCoreSums(const Product &product, const Tile &tile, StagedFactor &a,
                                          StagedFactor &b, Value thread) {
  return std::make_unique<TensorCoreSums>(product, tile, a, b, thread);
}

} // namespace daedalus::cuda
