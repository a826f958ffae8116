// See FlatBuffers.h.

#include "FlatBuffers.h"

#include "MicroKernels/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace daedalus::cpu {

std::optional<SmallVector<int64_t>> stepsOf(Value buffer, AffineMap map) {
  SmallVector<int64_t> strides;
  int64_t offset;
  const auto type = dyn_cast<MemRefType>(buffer.getType());
  const auto coefficients = coefficientsOf(map);
  if (!type || !coefficients || failed(getStridesAndOffset(type, strides, offset)) ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return std::nullopt;
  SmallVector<int64_t> steps(map.getNumDims(), 0);
  for (auto [stride, row] : llvm::zip(strides, *coefficients))
    for (auto [step, coefficient] : llvm::zip(steps, row))
      step += stride * coefficient;
  return steps;
}

Value flatten(OpBuilder &b, Location loc, Value buffer) {
  const auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> strides;
  int64_t offset, span = 1;
  (void)getStridesAndOffset(type, strides, offset);
  for (auto [size, stride] : llvm::zip(type.getShape(), strides))
    span += (size - 1) * stride;
  auto parts = b.create<memref::ExtractStridedMetadataOp>(loc, buffer);
  const OpFoldResult at =
      offset == ShapedType::kDynamic ? OpFoldResult(parts.getOffset()) : b.getIndexAttr(offset);
  const auto flat =
      MemRefType::get({span}, type.getElementType(), StridedLayoutAttr::get(b.getContext(), offset, {1}));
  return b.create<memref::ReinterpretCastOp>(loc, flat, parts.getBaseBuffer(), at,
                                             ArrayRef<OpFoldResult>{b.getIndexAttr(span)},
                                             ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
}

Value moved(OpBuilder &b, Location loc, Value at, Value by, int64_t step) {
  if (step == 0)
    return at;
  Value distance = by;
  if (step != 1)
    distance = b.create<arith::MulIOp>(loc, by, b.create<arith::ConstantIndexOp>(loc, step));
  return b.create<arith::AddIOp>(loc, at, distance);
}

void emitLoop(OpBuilder &b, Location loc, int64_t size, llvm::function_ref<void(Value)> body) {
  emitLoop(b, loc, size, {}, [&](Value i, SmallVector<Value> none) {
    body(i);
    return none;
  });
}

SmallVector<Value> emitLoop(OpBuilder &b, Location loc, int64_t size, SmallVector<Value> carried,
                            llvm::function_ref<SmallVector<Value>(Value, SmallVector<Value>)> body,
                            int64_t unrolled) {
  const auto index = [&](int64_t value) { return b.create<arith::ConstantIndexOp>(loc, value); };
  if (size <= unrolled) {
    for (int64_t i = 0; i < size; ++i)
      carried = body(index(i), std::move(carried));
    return carried;
  }
  auto loop = b.create<scf::ForOp>(loc, index(0), index(size), index(1), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  const SmallVector<Value> next = body(loop.getInductionVar(), SmallVector<Value>(loop.getRegionIterArgs()));
  if (!next.empty())
    b.create<scf::YieldOp>(loc, next);
  return SmallVector<Value>(loop.getResults());
}

} // namespace daedalus::cpu
