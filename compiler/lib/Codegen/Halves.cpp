// Floats of 16 bits in arithmetic on their bits: the code generator would call functions for the conversions,
// which a freestanding object does not have. What is computed with them is computed in float32 and rounded.

#include "daedalus/Codegen/Codegen.h"

#include "daedalus/Kernels/Scalars.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace daedalus::codegen {
namespace {

using K = kernels::Scalars;
using Compare = K::Compare;

bool isHalf(Type type) {
  return type.isF16() || type.isBF16();
}

/// Arithmetic on i32.
struct Bits {
  K &k;
  Value of(int64_t value) {
    return k.b.create<arith::ConstantOp>(k.loc, k.b.getI32IntegerAttr(int32_t(value)));
  }
  Value mask(Value x, int64_t bits) { return k.b.create<arith::AndIOp>(k.loc, x, of(bits)); }
  Value join(Value x, Value y) { return k.b.create<arith::OrIOp>(k.loc, x, y); }
  Value left(Value x, int64_t by) { return k.b.create<arith::ShLIOp>(k.loc, x, of(by)); }
  Value right(Value x, Value by) { return k.b.create<arith::ShRUIOp>(k.loc, x, by); }
  Value right(Value x, int64_t by) { return right(x, of(by)); }
  Value isAtLeast(Value x, int64_t least) { return k.compare(Compare::GreaterOrEqual, x, of(least), true); }
  /// x / 2^by to nearest even, of 1 to 31.
  Value shiftedToNearestEven(Value x, Value by) {
    Value half = k.sub(k.b.create<arith::ShLIOp>(k.loc, of(1), k.sub(by, of(1))), of(1));
    return right(k.add(x, k.add(half, mask(right(x, by), 1))), by);
  }
  Value cast(Type type, Value x) { return k.b.create<arith::BitcastOp>(k.loc, type, x); }
};

Value floatOfFloat16(K &k, Value bits) {
  Bits on{k};
  Value size = on.mask(bits, 0x7fff), sign = on.left(on.mask(bits, 0x8000), 16), wide = on.left(size, 13);
  // Of exponent 0 a whole number of 2^-24; of the largest exponent an infinity or a NaN.
  Value whole = k.b.create<arith::UIToFPOp>(k.loc, k.b.getF32Type(), size);
  Value small = on.cast(k.b.getI32Type(), k.mul(whole, k.f32(0x1p-24)));
  Value normal = k.add(wide, on.of(112 << 23)), special = k.add(wide, on.of(int64_t(224) << 23));
  Value magnitude = k.select(on.isAtLeast(size, 0x400), normal, small);
  magnitude = k.select(on.isAtLeast(size, 0x7c00), special, magnitude);
  return on.cast(k.b.getF32Type(), on.join(sign, magnitude));
}

Value float16Of(K &k, Value bits) {
  Bits on{k};
  Value size = on.mask(bits, 0x7fffffff), sign = on.mask(on.right(bits, 16), 0x8000);
  Value normal = on.shiftedToNearestEven(k.sub(size, on.of(112 << 23)), on.of(13));
  // Below 2^-14 it is a whole number of 2^-24: the fraction in units of 2^(exponent - 150).
  Value fraction = on.join(on.mask(size, 0x7fffff), on.of(0x800000));
  Value by = k.min(k.sub(on.of(126), on.right(size, 23)), on.of(25)); // from 25 on 0 is left
  Value small = on.shiftedToNearestEven(fraction, k.max(by, on.of(1)));
  Value magnitude = k.select(on.isAtLeast(size, 113 << 23), normal, small);
  magnitude = k.select(on.isAtLeast(size, int64_t(143) << 23), on.of(0x7c00), magnitude);
  Value nan = on.join(on.of(0x7e00), on.mask(on.right(size, 13), 0x3ff));
  magnitude = k.select(on.isAtLeast(size, 0x7f800001), nan, magnitude);
  return on.join(sign, magnitude);
}

Value bfloat16Of(K &k, Value bits) {
  Bits on{k};
  Value isNan = on.isAtLeast(on.mask(bits, 0x7fffffff), 0x7f800001);
  Value nan = on.join(on.right(bits, 16), on.of(0x40));
  return k.select(isNan, nan, on.shiftedToNearestEven(bits, on.of(16)));
}

/// A float64 as a float32 that rounds to the same 16 bits: what is not exact becomes odd, towards zero.
Value float32ToOdd(K &k, Value x) {
  Bits on{k};
  Value near = k.b.create<arith::TruncFOp>(k.loc, k.b.getF32Type(), x);
  Value back = k.b.create<arith::ExtFOp>(k.loc, x.getType(), near);
  const auto sizeOf = [&](Value value) -> Value { return k.b.create<math::AbsFOp>(k.loc, value); };
  Value isLess = k.compare(Compare::Less, sizeOf(back), sizeOf(x)),
        isMore = k.compare(Compare::Greater, sizeOf(back), sizeOf(x));
  Value bits = on.cast(k.b.getI32Type(), near);
  bits = k.select(isMore, k.sub(bits, on.of(1)), bits);
  bits = k.select(k.either(isLess, isMore), on.join(bits, on.of(1)), bits);
  return on.cast(k.b.getF32Type(), bits);
}

struct Widen : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    if (!isHalf(op.getIn().getType()))
      return rewriter.notifyMatchFailure(op, "not of 16 bits");
    K k(rewriter, op.getLoc());
    Bits on{k};
    Value stored = on.cast(k.b.getI16Type(), op.getIn());
    Value bits = k.b.create<arith::ExtUIOp>(k.loc, k.b.getI32Type(), stored);
    Value wide =
        op.getIn().getType().isF16() ? floatOfFloat16(k, bits) : on.cast(k.b.getF32Type(), on.left(bits, 16));
    if (!op.getType().isF32())
      wide = k.b.create<arith::ExtFOp>(k.loc, op.getType(), wide);
    rewriter.replaceOp(op, wide);
    return success();
  }
};

struct Narrow : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    if (!isHalf(op.getType()))
      return rewriter.notifyMatchFailure(op, "not of 16 bits");
    K k(rewriter, op.getLoc());
    Bits on{k};
    Value x = op.getIn().getType().isF64() ? float32ToOdd(k, op.getIn()) : op.getIn();
    Value bits = on.cast(k.b.getI32Type(), x);
    bits = op.getType().isF16() ? float16Of(k, bits) : bfloat16Of(k, bits);
    Value stored = k.b.create<arith::TruncIOp>(k.loc, k.b.getI16Type(), bits);
    rewriter.replaceOp(op, on.cast(op.getType(), stored));
    return success();
  }
};

/// Conversions between 16 and 64 bits in two steps.
struct ByFloat32 : RewritePattern {
  explicit ByFloat32(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    const bool isWider = isa<arith::ExtFOp>(op), isNarrower = isa<arith::TruncFOp>(op);
    if (!isWider && !isNarrower)
      return rewriter.notifyMatchFailure(op, "no conversion");
    const Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
    K k(rewriter, op->getLoc());
    if (isWider && isHalf(from) && to.isF64())
      rewriter.replaceOpWithNewOp<arith::ExtFOp>(
          op, to, k.b.create<arith::ExtFOp>(k.loc, k.b.getF32Type(), op->getOperand(0)).getResult());
    else if (isNarrower && from.isF64() && isHalf(to))
      rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, to, float32ToOdd(k, op->getOperand(0)));
    else
      return rewriter.notifyMatchFailure(op, "not between 16 and 64 bits");
    return success();
  }
};

/// Arithmetic on 16 bits becomes conversions around that on float32.
LogicalResult computeInFloat32(func::FuncOp kernel) {
  MLIRContext *context = kernel.getContext();
  TypeConverter types;
  arith::populateEmulateUnsupportedFloatsConversions(
      types, {Float16Type::get(context), BFloat16Type::get(context)}, Float32Type::get(context));
  RewritePatternSet patterns(context);
  arith::populateEmulateUnsupportedFloatsPatterns(patterns, types);
  ConversionTarget target(*context);
  arith::populateEmulateUnsupportedFloatsLegality(target, types);
  target.addDynamicallyLegalDialect<math::MathDialect>([&](Operation *op) { return types.isLegal(op); });
  return applyPartialConversion(kernel, target, std::move(patterns));
}

bool hasHalves(func::FuncOp kernel) {
  bool any = false;
  kernel.walk([&](Operation *op) {
    for (Type type : llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                              llvm::to_vector(op->getResultTypes())))
      any |= isHalf(getElementTypeOrSelf(type));
  });
  return any;
}

Type asInteger(Type type) {
  const Type i16 = IntegerType::get(type.getContext(), 16);
  if (auto shaped = dyn_cast<ShapedType>(type))
    return isHalf(shaped.getElementType()) ? Type(shaped.clone(i16)) : type;
  return isHalf(type) ? i16 : type;
}

void setIntegers(ValueRange values) {
  for (Value value : values)
    value.setType(asInteger(value.getType()));
}

void setIntegers(arith::ConstantOp op) {
  const Type type = asInteger(op.getType());
  if (auto number = dyn_cast<FloatAttr>(op.getValue()); number && isHalf(number.getType()))
    op.setValueAttr(IntegerAttr::get(type, number.getValue().bitcastToAPInt()));
  else if (auto elements = dyn_cast<DenseElementsAttr>(op.getValue()); elements && type != op.getType())
    op.setValueAttr(elements.bitcast(IntegerType::get(op.getContext(), 16)));
}

void setIntegers(memref::GlobalOp op) {
  const Type type = asInteger(op.getType());
  if (auto elements = dyn_cast_or_null<DenseElementsAttr>(op.getInitialValueAttr());
      elements && type != op.getType())
    op.setInitialValueAttr(elements.bitcast(IntegerType::get(op.getContext(), 16)));
  op.setType(cast<MemRefType>(type));
}

void setIntegers(func::FuncOp op) {
  op.setType(FunctionType::get(op.getContext(), llvm::map_to_vector(op.getArgumentTypes(), asInteger),
                               llvm::map_to_vector(op.getResultTypes(), asInteger)));
}

} // namespace

LogicalResult widenHalves(func::FuncOp kernel) {
  if (!hasHalves(kernel))
    return success();
  if (failed(computeInFloat32(kernel)))
    return failure();
  RewritePatternSet patterns(kernel.getContext());
  patterns.add<ByFloat32>(kernel.getContext());
  return applyPatternsAndFoldGreedily(kernel, std::move(patterns));
}

LogicalResult expandHalves(func::FuncOp kernel) {
  if (!hasHalves(kernel))
    return success();
  if (failed(computeInFloat32(kernel)))
    return failure();
  RewritePatternSet patterns(kernel.getContext());
  patterns.add<Widen, Narrow>(kernel.getContext());
  return applyPatternsAndFoldGreedily(kernel, std::move(patterns));
}

void moveHalvesAsIntegers(ModuleOp module) {
  SmallVector<arith::BitcastOp> copies;
  module.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op).Case<arith::ConstantOp, memref::GlobalOp, func::FuncOp>(
        [](auto op) { setIntegers(op); });
    setIntegers(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        setIntegers(block.getArguments());
    if (auto cast = dyn_cast<arith::BitcastOp>(op);
        cast && cast.getType() == asInteger(cast.getIn().getType()))
      copies.push_back(cast);
  });
  for (arith::BitcastOp cast : copies) {
    cast.replaceAllUsesWith(cast.getIn());
    cast.erase();
  }
}

} // namespace daedalus::codegen
