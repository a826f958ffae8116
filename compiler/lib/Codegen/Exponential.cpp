// The exponential of float32: e^x = 2^n e^r with n = round(x / ln 2), so that |r| <= ln(2) / 2. To 0.9 units
// in the last place with FMA; results below 2^-126 are 0. The reduction by two parts of ln 2 is that of Cody
// and Waite (Software Manual for the Elementary Functions, 1980); the polynomial is the one of degree 6 that
// begins with 1 + r and has the least largest relative error, 3.1e-9, with coefficients rounded to float32.

#include "Functions.h"

#include "daedalus/Kernels/Scalars.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

#include <limits>

using namespace mlir;

namespace daedalus::codegen {
namespace {

constexpr double Rounder = 12582912; ///< 1.5 * 2^23: what is added to it loses its fraction
constexpr double Highest = 88.72283, Lowest = -87.33654;      ///< whose exponentials are normal numbers
constexpr double Ln2 = 0.693359375, Ln2Rest = -2.12194440e-4; ///< n * Ln2 is exact
constexpr double Coefficients[] = {
    1.381432055e-3, 8.368851617e-3, 4.166840017e-2, 1.666651964e-1, 4.999999404e-1, 1, 1};

Value expOf(kernels::Scalars &k, Value x) {
  OpBuilder &b = k.b;
  const Location loc = k.loc;
  const auto fma = [&](Value p, Value q, Value r) { return b.create<math::FmaOp>(loc, p, q, r).getResult(); };
  Value shifted = fma(x, k.f32(1.4426950408889634), k.f32(Rounder));
  Value n = k.sub(shifted, k.f32(Rounder));
  Value r = fma(n, k.f32(-Ln2Rest), fma(n, k.f32(-Ln2), x));
  Value sum = k.f32(Coefficients[0]);
  for (double coefficient : llvm::drop_begin(Coefficients))
    sum = fma(sum, r, k.f32(coefficient));
  const auto bits = [&](Value value) {
    return b.create<arith::BitcastOp>(loc, b.getI32Type(), value).getResult();
  };
  Value exponent = b.create<arith::ShLIOp>(loc, bits(shifted), k.number(23, b.getI32Type()));
  Value scaled = b.create<arith::AddIOp>(loc, bits(sum), exponent);
  Value result = b.create<arith::BitcastOp>(loc, b.getF32Type(), scaled);
  const auto is = [&](arith::CmpFPredicate predicate, double than) {
    return b.create<arith::CmpFOp>(loc, predicate, x, k.f32(than)).getResult();
  };
  result = k.select(is(arith::CmpFPredicate::OLT, Lowest), k.f32(0), result);
  Value infinite = k.add(x, k.f32(std::numeric_limits<float>::infinity())); // or NaN
  return k.select(is(arith::CmpFPredicate::UGT, Highest), infinite, result);
}

struct ExpandExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ExpOp op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not of float32");
    kernels::Scalars scalars(rewriter, op.getLoc());
    rewriter.replaceOp(op, expOf(scalars, op.getOperand()));
    return success();
  }
};

} // namespace

void populateExponential(RewritePatternSet &patterns) {
  const PatternBenefit first = 2; // before MLIR's own
  patterns.add<ExpandExp>(patterns.getContext(), first);
}

} // namespace daedalus::codegen
