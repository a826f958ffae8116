// See Body.h.

#include "Body.h"

#include "Types.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <onnx/onnx_pb.h>

#include <limits>

using namespace mlir;

namespace daedalus::onnximport {

Sizes sizesOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

Type elementOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getElementType();
}

int64_t product(Sizes sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

/// A generic without inputs but the extents of its reduction loops.
Value Body::generic(Sizes shape, Sizes over, Value init, unsigned inner, bool readsInit, Join join) {
  const unsigned rank = shape.size(), loops = rank + over.size(), first = rank - inner,
                 behind = first + over.size();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  auto isReduction = [&](unsigned d) { return d >= first && d < behind; };
  auto dims = [&](bool reductions) {
    SmallVector<AffineExpr> exprs;
    for (unsigned d = 0; d < loops; ++d)
      if (isReduction(d) == reductions)
        exprs.push_back(b.getAffineDimExpr(d));
    return AffineMap::get(loops, 0, exprs, b.getContext());
  };
  if (!over.empty()) {
    inputs.push_back(b.create<tensor::EmptyOp>(loc, over, b.getI8Type()));
    maps.push_back(dims(true));
  }
  maps.push_back(dims(false));
  SmallVector<utils::IteratorType> iterators;
  for (unsigned d = 0; d < loops; ++d)
    iterators.push_back(isReduction(d) ? utils::IteratorType::reduction : utils::IteratorType::parallel);
  auto body = [&](OpBuilder &nested, Location, ValueRange arguments) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(nested.getBlock());
    Indices at, along;
    for (unsigned d = 0; d < loops; ++d)
      (isReduction(d) ? along : at).push_back(b.create<linalg::IndexOp>(loc, d));
    b.create<linalg::YieldOp>(loc, join(at, along, readsInit ? arguments.back() : Value()));
  };
  return b
      .create<linalg::GenericOp>(loc, TypeRange{init.getType()}, inputs, ValueRange{init}, maps, iterators,
                                 body)
      .getResult(0);
}

Value Body::compute(Sizes shape, Type type, Element element) {
  Value empty = b.create<tensor::EmptyOp>(loc, shape, type);
  return generic(shape, {}, empty, 0, false,
                 [&](const Indices &at, const Indices &, Value) { return element(at); });
}

Value Body::reduce(Sizes shape, Sizes over, Value init, Join join, unsigned inner) {
  Value empty = b.create<tensor::EmptyOp>(loc, shape, init.getType());
  Value filled = b.create<linalg::FillOp>(loc, init, empty).getResult(0);
  return generic(shape, over, filled, inner, true, join);
}

Value Body::read(Value tensor, const Indices &at) {
  return b.create<tensor::ExtractOp>(loc, tensor, at);
}

Value Body::readBroadcast(Value tensor, const Indices &at) {
  Sizes sizes = sizesOf(tensor);
  Indices own;
  for (auto [d, size] : llvm::enumerate(sizes))
    own.push_back(size == 1 ? index(0) : at[at.size() - sizes.size() + d]);
  return read(tensor, own);
}

void Body::require(Value condition, StringRef what) {
  b.create<cf::AssertOp>(loc, condition, what);
}

Value Body::constant(const HostTensor &host) {
  auto type = RankedTensorType::get(host.shape, elementType(b, host.dtype));
  if (host.isFloat())
    return b.create<arith::ConstantOp>(loc, DenseElementsAttr::get(type, ArrayRef<float>(host.floats)));
  if (host.dtype == onnx::TensorProto::DOUBLE)
    return b.create<arith::ConstantOp>(loc, DenseElementsAttr::get(type, ArrayRef<double>(host.doubles)));
  SmallVector<APInt> values;
  for (int64_t value : host.ints)
    values.push_back(APInt(type.getElementTypeBitWidth(), static_cast<uint64_t>(value), true));
  return b.create<arith::ConstantOp>(loc, DenseElementsAttr::get(type, values));
}

Value Body::index(int64_t value) {
  return b.create<arith::ConstantIndexOp>(loc, value);
}

Value Body::number(double value, Type type) {
  if (isa<FloatType>(type))
    return b.create<arith::ConstantOp>(loc, b.getFloatAttr(type, value));
  if (type.isIndex())
    return index(static_cast<int64_t>(value));
  constexpr double beyond = 9223372036854775808.0; // the largest int64 is no double
  const int64_t whole = value >= beyond ? std::numeric_limits<int64_t>::max() : static_cast<int64_t>(value);
  return b.create<arith::ConstantOp>(loc, b.getIntegerAttr(type, whole));
}

Value Body::boolean(bool value) {
  return b.create<arith::ConstantOp>(loc, b.getBoolAttr(value));
}

Value Body::toIndex(Value value) {
  return b.create<arith::IndexCastOp>(loc, b.getIndexType(), value);
}

Value Body::fromIndex(Value value, Type type) {
  return b.create<arith::IndexCastOp>(loc, type, value);
}

Value Body::truth(Value stored) {
  return compare(Compare::NotEqual, stored, number(0, stored.getType()));
}

Value Body::stored(Value truth) {
  return b.create<arith::ExtUIOp>(loc, b.getI8Type(), truth);
}

/// Out of a float: into the range of `to` first, since what lies outside has no meaning; a NaN becomes the
/// least.
Value Body::fromFloat(Value value, int32_t to) {
  const bool wide = to == onnx::TensorProto::INT64;
  Type integer = wide ? Type(b.getI64Type()) : Type(b.getI32Type());
  const double most = wide                             ? 9223371487098961920.0
                      : to == onnx::TensorProto::INT32 ? 2147483520.0
                                                       : mostOf(to);
  value = b.create<arith::MaxNumFOp>(loc, value, number(leastOf(to), value.getType()));
  value = b.create<arith::MinNumFOp>(loc, value, number(most, value.getType()));
  value = b.create<arith::FPToSIOp>(loc, integer, value);
  Type element = elementType(b, to);
  return element == integer ? value : b.create<arith::TruncIOp>(loc, element, value).getResult();
}

Value Body::convert(Value value, int32_t from, int32_t to) {
  if (from == to)
    return value;
  if (to == onnx::TensorProto::BOOL)
    return stored(truth(value));
  Type type = elementType(b, to);
  if (isFloatType(from) && isFloatType(to))
    return type.isF64() ? b.create<arith::ExtFOp>(loc, type, value).getResult()
                        : b.create<arith::TruncFOp>(loc, type, value).getResult();
  if (isFloatType(from))
    return fromFloat(value, to);
  if (isFloatType(to))
    return isUnsignedType(from) ? b.create<arith::UIToFPOp>(loc, type, value).getResult()
                                : b.create<arith::SIToFPOp>(loc, type, value).getResult();
  const unsigned has = value.getType().getIntOrFloatBitWidth(), needs = type.getIntOrFloatBitWidth();
  if (has == needs)
    return value;
  if (has > needs)
    return b.create<arith::TruncIOp>(loc, type, value);
  return isUnsignedType(from) ? b.create<arith::ExtUIOp>(loc, type, value).getResult()
                              : b.create<arith::ExtSIOp>(loc, type, value).getResult();
}

Value Body::add(Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return b.create<arith::AddFOp>(loc, x, y);
  return b.create<arith::AddIOp>(loc, x, y);
}

Value Body::sub(Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return b.create<arith::SubFOp>(loc, x, y);
  return b.create<arith::SubIOp>(loc, x, y);
}

Value Body::mul(Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return b.create<arith::MulFOp>(loc, x, y);
  return b.create<arith::MulIOp>(loc, x, y);
}

Value Body::div(Value x, Value y, bool isUnsigned) {
  if (isa<FloatType>(x.getType()))
    return b.create<arith::DivFOp>(loc, x, y);
  // A division that traps would end the host's process: x / 0 is 0, and the least value over -1 wraps.
  Value zero = number(0, x.getType()), isZero = compare(Compare::Equal, y, zero);
  Value safe = select(isZero, number(1, x.getType()), y);
  if (isUnsigned)
    return select(isZero, zero, b.create<arith::DivUIOp>(loc, x, safe));
  Value isMinusOne = compare(Compare::Equal, safe, number(-1, x.getType()));
  safe = select(isMinusOne, number(1, x.getType()), safe);
  Value quotient = b.create<arith::DivSIOp>(loc, x, safe);
  quotient = select(isMinusOne, sub(zero, quotient), quotient);
  return select(isZero, zero, quotient);
}

Value Body::min(Value x, Value y, bool isUnsigned) {
  if (isa<FloatType>(x.getType()))
    return b.create<arith::MinimumFOp>(loc, x, y);
  if (isUnsigned)
    return b.create<arith::MinUIOp>(loc, x, y);
  return b.create<arith::MinSIOp>(loc, x, y);
}

Value Body::max(Value x, Value y, bool isUnsigned) {
  if (isa<FloatType>(x.getType()))
    return b.create<arith::MaximumFOp>(loc, x, y);
  if (isUnsigned)
    return b.create<arith::MaxUIOp>(loc, x, y);
  return b.create<arith::MaxSIOp>(loc, x, y);
}

Value Body::clamp(Value x, Value lo, Value hi, bool isUnsigned) {
  return min(max(x, lo, isUnsigned), hi, isUnsigned);
}

Value Body::compare(Compare how, Value x, Value y, bool isUnsigned) {
  using I = arith::CmpIPredicate;
  using F = arith::CmpFPredicate;
  static constexpr I ofSigned[] = {I::eq, I::ne, I::slt, I::sle, I::sgt, I::sge};
  static constexpr I ofUnsigned[] = {I::eq, I::ne, I::ult, I::ule, I::ugt, I::uge};
  static constexpr F ofFloat[] = {F::OEQ, F::UNE, F::OLT, F::OLE, F::OGT, F::OGE};
  const auto at = static_cast<size_t>(how);
  if (isa<FloatType>(x.getType()))
    return b.create<arith::CmpFOp>(loc, ofFloat[at], x, y);
  return b.create<arith::CmpIOp>(loc, isUnsigned ? ofUnsigned[at] : ofSigned[at], x, y);
}

Value Body::both(Value x, Value y) {
  return b.create<arith::AndIOp>(loc, x, y);
}

Value Body::either(Value x, Value y) {
  return b.create<arith::OrIOp>(loc, x, y);
}

Value Body::negate(Value x) {
  return b.create<arith::XOrIOp>(loc, x, boolean(true));
}

Value Body::select(Value condition, Value x, Value y) {
  return b.create<arith::SelectOp>(loc, condition, x, y);
}

} // namespace daedalus::onnximport
