// Sums by wgmma (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions"): four warps keep those of
// matrices of 64 rows, and tensor cores read both factors from shared memory.

#include "BlockSums.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t rowsOfMatrix = 64, lanes = 32, warpsOfGroup = 4, bytesOfK = 32;
constexpr int64_t linesOfPattern = 8; ///< in which chunks change places

class WarpgroupSums : public BlockSums {
public:
  WarpgroupSums(const Product &product, const Tile &tile, StagedFactor &a, StagedFactor &b, Value thread)
      : type(product.a.type()), isInt8(product.isInt8()),
        sumType(isInt8 ? IntegerType::get(type.getContext(), 32) : Type(Float32Type::get(type.getContext()))),
        tile(tile), a(a), b(b), thread(thread), steps(bytesOfK * 8 / type.getIntOrFloatBitWidth()) {}

  SmallVector<Value> zeros(Numbers n) override {
    Value zero = n.b.create<LLVM::ZeroOp>(n.loc, sumsType());
    return SmallVector<Value>(matrices(), zero);
  }

  void beforeBarrier(Numbers n) override {
    n.b.create<NVVM::FenceProxyOp>(
        n.loc, NVVM::ProxyKindAttr::get(n.b.getContext(), NVVM::ProxyKind::async_shared),
        NVVM::SharedSpaceAttr::get(n.b.getContext(), NVVM::SharedSpace::shared_cta));
  }

  SmallVector<Value> add(Numbers n, Value stage, ValueRange before,
                         llvm::function_ref<void()> copy) override {
    SmallVector<Value> sums;
    for (Value sum : before)
      sums.push_back(pinned(n, sum));
    n.b.create<NVVM::WgmmaFenceAlignedOp>(n.loc);
    for (int64_t k = 0; k < tile.k; k += steps)
      for (int64_t i = 0; i < matrices(); ++i)
        sums[i] = multiplied(n, stage, i, k, sums[i]);
    n.b.create<NVVM::WgmmaGroupSyncAlignedOp>(n.loc);
    copy();
    n.b.create<NVVM::WgmmaWaitGroupSyncOp>(n.loc, 0);
    for (Value &sum : sums)
      sum = pinned(n, sum);
    return sums;
  }

  SmallVector<Sum> all(Numbers n, ValueRange sums) override {
    SmallVector<Sum> result;
    Value lane = n.rem(thread, lanes), warp = n.rem(n.div(thread, lanes), warpsOfGroup);
    Value row = n.add(firstRow(n), n.add(n.mul(warp, rowsOfMatrix / warpsOfGroup), n.div(lane, 4)));
    Value column = n.add(firstColumn(n), n.mul(n.rem(lane, 4), 2));
    for (int64_t i = 0; i < matrices(); ++i)
      for (int64_t number = 0; number < columns() / 2; ++number) {
        Value value = n.b.create<LLVM::ExtractValueOp>(n.loc, sums[i], number);
        result.push_back({value, n.add(row, i * rowsOfMatrix + number % 4 / 2 * 8),
                          n.add(column, number / 4 * 8 + number % 2)});
      }
    return result;
  }

private:
  /// Of a group's part of the tile.
  int64_t matrices() const { return tile.m / (tile.warpsM / warpsOfGroup) / rowsOfMatrix; }
  int64_t columns() const { return tile.n / tile.warpsN; }
  Value group(Numbers n) { return n.div(thread, lanes * warpsOfGroup); }
  Value firstRow(Numbers n) { return n.mul(n.div(group(n), tile.warpsN), matrices() * rowsOfMatrix); }
  Value firstColumn(Numbers n) { return n.mul(n.rem(group(n), tile.warpsN), columns()); }

  LLVM::LLVMStructType sumsType() const {
    return LLVM::LLVMStructType::getLiteral(type.getContext(), SmallVector<Type>(columns() / 2, sumType));
  }

  /// Values of an assembly without instructions, which LLVM moves no use of to the other side of: sums are
  /// nobody's while tensor cores add to them.
  Value pinned(Numbers n, Value sums) {
    SmallVector<Value> values;
    std::string results, operands;
    for (int64_t number = 0; number < columns() / 2; ++number) {
      values.push_back(n.b.create<LLVM::ExtractValueOp>(n.loc, sums, number));
      results += isInt8 ? "=r," : "=f,";
      operands += std::to_string(number) + (number + 1 < columns() / 2 ? "," : "");
    }
    return n.b
        .create<LLVM::InlineAsmOp>(n.loc, sumsType(), values, /*asm_string=*/"", results + operands,
                                   /*has_side_effects=*/true, /*is_align_stack=*/false,
                                   LLVM::AsmDialectAttr::get(n.b.getContext(), LLVM::AsmDialect::AD_ATT),
                                   ArrayAttr())
        .getResult(0);
  }

  /// "Matrix Descriptor Format": all in units of 16 bytes.
  Value descriptor(Numbers n, StagedFactor &factor, Value stage, Value row, Value k) {
    const int64_t line = factor.bytesOfLine(), swizzle = line == 128 ? 1 : line == 64 ? 2 : 3;
    const uint64_t constant = uint64_t(factor.bytesOfPanel() / 16) << 16 |
                              uint64_t(linesOfPattern * line / 16) << 32 | uint64_t(swizzle) << 62;
    Type wide = n.b.getI64Type();
    Value memory = n.b.create<memref::ExtractAlignedPointerAsIndexOp>(n.loc, factor.asBytes());
    Value address = n.b.create<arith::AddIOp>(
        n.loc, n.b.create<arith::IndexCastUIOp>(n.loc, wide, memory),
        n.b.create<arith::ExtUIOp>(n.loc, wide, factor.offsetInBytes(n, stage, row, k)));
    Value four = n.b.create<arith::ConstantOp>(n.loc, n.b.getI64IntegerAttr(4));
    return n.b.create<arith::OrIOp>(
        n.loc, n.b.create<arith::ShRUIOp>(n.loc, address, four),
        n.b.create<arith::ConstantOp>(n.loc, n.b.getI64IntegerAttr(static_cast<int64_t>(constant))));
  }

  Value multiplied(Numbers n, Value stage, int64_t matrix, int64_t k, Value sums) {
    MLIRContext *context = n.b.getContext();
    Value atK = n.constant(k);
    Value left = descriptor(n, a, stage, n.add(firstRow(n), matrix * rowsOfMatrix), atK),
          right = descriptor(n, b, stage, firstColumn(n), atK);
    const NVVM::WGMMATypes factor = isInt8         ? NVVM::WGMMATypes::s8
                                    : type.isF16() ? NVVM::WGMMATypes::f16
                                                   : NVVM::WGMMATypes::bf16;
    const auto layout = [&](StagedFactor &of, NVVM::MMALayout alongK, NVVM::MMALayout alongRows) {
      return NVVM::MMALayoutAttr::get(context, of.isAlongRows() ? alongRows : alongK);
    };
    const auto one = NVVM::WGMMAScaleInAttr::get(context, NVVM::WGMMAScaleIn::one);
    return n.b.create<NVVM::WgmmaMmaAsyncOp>(
        n.loc, sumsType(), sums, left, right,
        NVVM::MMAShapeAttr::get(context, rowsOfMatrix, columns(), steps),
        NVVM::WGMMATypesAttr::get(context, factor), NVVM::WGMMATypesAttr::get(context, factor),
        NVVM::WGMMATypesAttr::get(context, isInt8 ? NVVM::WGMMATypes::s32 : NVVM::WGMMATypes::f32),
        NVVM::WGMMAScaleOutAttr::get(context, NVVM::WGMMAScaleOut::one), one, one,
        layout(a, NVVM::MMALayout::row, NVVM::MMALayout::col),
        layout(b, NVVM::MMALayout::col, NVVM::MMALayout::row), NVVM::MMAIntOverflowAttr());
  }

  const Type type;
  const bool isInt8;
  const Type sumType;
  const Tile tile;
  StagedFactor &a, &b;
  const Value thread;
  const int64_t steps; ///< of K that one instruction adds up
};

} // namespace

std::unique_ptr<BlockSums> warpgroupSums(const Product &product, const Tile &tile, StagedFactor &a,
                                         StagedFactor &b, Value thread) {
  return std::make_unique<WarpgroupSums>(product, tile, a, b, thread);
}

} // namespace daedalus::cuda
