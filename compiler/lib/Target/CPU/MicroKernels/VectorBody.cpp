// See VectorBody.h.

#include "VectorBody.h"

#include "Transforms/FlatBuffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace daedalus::cpu {

/// Of [0, width) and [width - 1, 2 * width - 1) side by side.
static SmallVector<int64_t> everySecond(int64_t width) {
  SmallVector<int64_t> places;
  for (int64_t i = 0; i < width; ++i)
    places.push_back(2 * i < width ? 2 * i : 2 * i + 1);
  return places;
}

Value baseOf(Value buffer) {
  while (Operation *view = buffer.getDefiningOp())
    if (isa<memref::SubViewOp, memref::CollapseShapeOp, memref::ExpandShapeOp, memref::CastOp>(view))
      buffer = view->getOperand(0);
    else
      break;
  return buffer;
}

bool VectorBody::isUsed(OpOperand &operand) {
  return operand.getOperandNumber() == output() || !op.getMatchingBlockArgument(&operand).use_empty();
}

bool VectorBody::isRead(OpOperand &operand) {
  return isUsed(operand) && isa<MemRefType>(operand.get().getType());
}

bool VectorBody::findSteps() {
  for (OpOperand &operand : op->getOpOperands()) {
    const auto known = stepsOf(operand.get(), op.getMatchingIndexingMap(&operand));
    if (!known && isRead(operand))
      return false;
    steps.push_back(known.value_or(SmallVector<int64_t>(op.getNumLoops(), 0)));
    ahead.push_back(0);
  }
  return true;
}

VectorBody::Places VectorBody::begin(unsigned loop) {
  lane = loop;
  for (OpOperand &operand : op->getOpOperands())
    flat.push_back(isRead(operand) ? flatten(b, loc, operand.get()) : Value());
  return Places(flat.size(), b.create<arith::ConstantIndexOp>(loc, 0));
}

void VectorBody::prefetch(unsigned operand, const Places &at, int64_t width) {
  const int64_t bytes = elementOf(operand).getIntOrFloatBitWidth() / 8;
  for (int64_t line = 0; line < std::max<int64_t>(width * bytes / LineBytes, 1); ++line) {
    Value more = b.create<arith::ConstantIndexOp>(loc, ahead[operand] + line * LineBytes / bytes);
    b.create<memref::PrefetchOp>(loc, flat[operand],
                                 b.create<arith::AddIOp>(loc, at[operand], more).getResult(),
                                 /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
  }
}

VectorBody::Places VectorBody::moved(const Places &at, Value by, unsigned loop) {
  Places next;
  for (auto [place, step] : llvm::zip(at, steps))
    next.push_back(daedalus::cpu::moved(b, loc, place, by, step[loop]));
  return next;
}

Type VectorBody::elementOf(unsigned operand) {
  return cast<MemRefType>(op->getOperand(operand).getType()).getElementType();
}

Value VectorBody::splat(Value scalar, int64_t width) {
  return b.create<vector::BroadcastOp>(loc, VectorType::get({width}, scalar.getType()), scalar);
}

Value VectorBody::load(unsigned operand, const Places &at, int64_t width) {
  const auto vectorAt = [&](Value place) -> Value {
    return b.create<vector::LoadOp>(loc, VectorType::get({width}, elementOf(operand)), flat[operand], place);
  };
  const int64_t step = steps[operand][lane];
  if (step == 1 && ahead[operand])
    prefetch(operand, at, width);
  if (step == 1 || (step == 2 && width == 1))
    return vectorAt(at[operand]);
  if (step == 2) { // no element behind the last one that counts is read
    Value behind = b.create<arith::ConstantIndexOp>(loc, width - 1);
    Value second = vectorAt(b.create<arith::AddIOp>(loc, at[operand], behind));
    return b.create<vector::ShuffleOp>(loc, vectorAt(at[operand]), second, everySecond(width));
  }
  return splat(b.create<memref::LoadOp>(loc, flat[operand], at[operand]), width);
}

Value VectorBody::compute(const Places &at, Value before, int64_t width) {
  IRMapping values;
  if (before)
    values.map(op.getBlock()->getArguments().back(), before);
  for (OpOperand *input : op.getDpsInputOperands())
    if (isUsed(*input))
      values.map(op.getMatchingBlockArgument(input),
                 isRead(*input) ? load(input->getOperandNumber(), at, width) : input->get());
  const auto vectorOf = [&](Value value) {
    Value known = values.lookupOrDefault(value);
    return isa<VectorType>(known.getType()) ? known : splat(known, width);
  };
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (inner.hasTrait<OpTrait::ConstantLike>()) {
      b.clone(inner, values);
      continue;
    }
    IRMapping operands;
    for (Value operand : inner.getOperands())
      operands.map(operand, vectorOf(operand));
    Operation *made = b.clone(inner, operands);
    for (auto [from, to] : llvm::zip(inner.getResults(), made->getResults())) {
      to.setType(VectorType::get({width}, from.getType()));
      values.map(from, to);
    }
  }
  return vectorOf(op.getBlock()->getTerminator()->getOperand(0));
}

void VectorBody::store(Value vector, const Places &at) {
  b.create<vector::StoreOp>(loc, vector, flat[output()], at[output()]);
}

Value VectorBody::address() {
  auto parts = b.create<memref::ExtractStridedMetadataOp>(loc, flat[output()]);
  Value start = b.create<memref::ExtractAlignedPointerAsIndexOp>(loc, parts.getBaseBuffer());
  return daedalus::cpu::moved(b, loc, start, parts.getOffset(),
                              elementOf(output()).getIntOrFloatBitWidth() / 8);
}

void VectorBody::storePastCaches(Value vector, const Places &at) {
  const int64_t bytes = elementOf(output()).getIntOrFloatBitWidth() / 8;
  Value place = daedalus::cpu::moved(b, loc, address(), at[output()], bytes);
  place = b.create<arith::IndexCastOp>(loc, b.getI64Type(), place);
  Value pointer = b.create<LLVM::IntToPtrOp>(loc, LLVM::LLVMPointerType::get(b.getContext()), place);
  const int64_t aligned = std::min(LineBytes, cast<VectorType>(vector.getType()).getNumElements() * bytes);
  b.create<LLVM::StoreOp>(loc, vector, pointer, aligned, /*isVolatile=*/false, /*isNonTemporal=*/true);
}

} // namespace daedalus::cpu
