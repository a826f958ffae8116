// Inverse trigonometric functions, hyperbolic functions and their inverses, to a few units in the last place:
// what MLIR would expand them to loses all digits near 0, far below 0 or near 1. The arc sine's polynomial is
// that of Cephes' asinf.

#include "Functions.h"

#include "daedalus/Kernels/Scalars.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace daedalus::codegen {
namespace {

using K = kernels::Scalars;
using Compare = K::Compare;

Value rootOf(K &k, Value x) {
  return k.b.create<math::SqrtOp>(k.loc, x);
}

Value log1pOf(K &k, Value x) {
  return k.b.create<math::Log1pOp>(k.loc, x);
}

Value withSignOf(K &k, Value magnitude, Value x) {
  return k.b.create<math::CopySignOp>(k.loc, magnitude, x);
}

/// Of 0 to 0.5, whose square is given.
Value smallAsinOf(K &k, Value x, Value square) {
  Value sum = k.f32(4.2163199048e-2);
  for (double coefficient : {2.4181311049e-2, 4.5470025998e-2, 7.4953002686e-2, 1.6666752422e-1})
    sum = k.add(k.mul(sum, square), k.f32(coefficient));
  return k.add(x, k.mul(k.mul(sum, square), x));
}

/// Above 0.5 it is pi/2 - 2 asin(sqrt((1 - |x|) / 2)).
struct Arc {
  Value isLarge, magnitude, part; ///< `part`: asin of the magnitude, or of the root where it is large
};

Arc arcOf(K &k, Value x) {
  Value magnitude = k.absolute(x), isLarge = k.compare(Compare::Greater, magnitude, k.f32(0.5));
  Value half = k.mul(k.f32(0.5), k.sub(k.f32(1), magnitude));
  Value square = k.select(isLarge, half, k.mul(x, x));
  return {isLarge, magnitude, smallAsinOf(k, k.select(isLarge, rootOf(k, half), magnitude), square)};
}

Value asinOf(K &k, Value x) {
  const Arc arc = arcOf(k, x);
  Value turned = k.sub(k.f32(M_PI_2), k.mul(k.f32(2), arc.part));
  return withSignOf(k, k.select(arc.isLarge, turned, arc.part), x);
}

Value acosOf(K &k, Value x) {
  const Arc arc = arcOf(k, x);
  Value twice = k.mul(k.f32(2), arc.part);
  Value large = k.select(k.compare(Compare::Less, x, k.f32(0)), k.sub(k.f32(M_PI), twice), twice);
  return k.select(arc.isLarge, large, k.sub(k.f32(M_PI_2), withSignOf(k, arc.part, x)));
}

/// log1p(t + t^2 / (1 + sqrt(1 + t^2))) of t = |x|, whose square would be infinite beyond 1e18.
Value asinhOf(K &k, Value x) {
  Value t = k.absolute(x), square = k.mul(t, t);
  Value more = k.div(square, k.add(k.f32(1), rootOf(k, k.add(k.f32(1), square))));
  Value isHuge = k.compare(Compare::Greater, t, k.f32(1e18));
  Value huge = k.add(k.log(t), k.f32(M_LN2));
  return withSignOf(k, k.select(isHuge, huge, log1pOf(k, k.add(t, more))), x);
}

Value acoshOf(K &k, Value x) {
  Value t = k.sub(x, k.f32(1));
  Value root = rootOf(k, k.add(k.mul(k.f32(2), t), k.mul(t, t)));
  Value huge = k.add(k.log(x), k.f32(M_LN2));
  return k.select(k.compare(Compare::Greater, x, k.f32(1e18)), huge, log1pOf(k, k.add(t, root)));
}

Value atanhOf(K &k, Value x) {
  Value t = k.absolute(x);
  Value ratio = k.div(k.mul(k.f32(2), t), k.sub(k.f32(1), t));
  return withSignOf(k, k.mul(k.f32(0.5), log1pOf(k, ratio)), x);
}

/// Of E = e^|x| - 1: (E + E / (E + 1)) / 2, which is infinite where E is.
Value sinhOf(K &k, Value x) {
  Value grown = k.b.create<math::ExpM1Op>(k.loc, k.absolute(x));
  Value isHuge = k.equal(grown, k.f32(std::numeric_limits<float>::infinity()));
  Value sum = k.add(grown, k.div(grown, k.add(grown, k.f32(1))));
  return withSignOf(k, k.select(isHuge, grown, k.mul(k.f32(0.5), sum)), x);
}

template <class Op, Value (*Of)(K &, Value)> struct Expand : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not of float32");
    K scalars(rewriter, op.getLoc());
    rewriter.replaceOp(op, Of(scalars, op.getOperand()));
    return success();
  }
};

} // namespace

void populateArcFunctions(RewritePatternSet &patterns) {
  const PatternBenefit first = 2; // before MLIR's own
  patterns.add<Expand<math::AcosOp, acosOf>, Expand<math::AcoshOp, acoshOf>, Expand<math::AsinOp, asinOf>,
               Expand<math::AsinhOp, asinhOf>, Expand<math::AtanhOp, atanhOf>, Expand<math::SinhOp, sinhOf>>(
      patterns.getContext(), first);
}

} // namespace daedalus::codegen
