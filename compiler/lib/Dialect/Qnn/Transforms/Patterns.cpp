// See Patterns.h.

#include "Patterns.h"

#include "BatchProducts.h"
#include "Products.h"
#include "Tables.h"

#include "daedalus/Analysis/Locations.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Arithmetic.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/ADT/TypeSwitch.h"

namespace daedalus::qnn {

using namespace mlir;

LogicalResult applyPatterns(func::FuncOp main, RewritePatternSet &&patterns) {
  bool hasError = false;
  const ScopedDiagnosticHandler handler(main.getContext(), [&](Diagnostic &diagnostic) {
    hasError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return failure(); // others say it
  });
  return success(succeeded(applyPatternsAndFoldGreedily(main, std::move(patterns))) && !hasError);
}

Location joined(Location a, Location b) {
  return FusedLoc::get(a.getContext(), {a, b});
}

static SmallVector<Location> castsOf(Operation *op) {
  SmallVector<Location> casts;
  for (Value operand : op->getOperands())
    if (auto cast = operand.getDefiningOp<quant::DequantizeCastOp>())
      casts.push_back(cast.getLoc());
  return casts;
}

Location besideCasts(Operation *op) {
  return withQuantization(op->getLoc(), castsOf(op));
}

Location betweenCasts(Operation *op, quant::QuantizeCastOp quantization) {
  SmallVector<Location> casts = castsOf(op);
  casts.push_back(quantization.getLoc());
  return withQuantization(op->getLoc(), casts);
}

bool canRescale(Value quantized, UniformType to) {
  const auto from = cast<UniformType>(tensorType(quantized).getElementType());
  return toMultiplier(from.getScale() / to.getScale()).has_value();
}

bool isByteOperand(Value real) {
  Value quantized = dequantized(real);
  return quantized && isByte(tensorType(quantized).getElementType());
}

bool isQuantizable(Value real) {
  if (dequantizedActivation(real) || Table::isOf(real) || Product::of(real) || BatchProduct::of(real))
    return true;
  const auto isActivation = [](Value value) { return bool(dequantizedActivation(value)); };
  Operation *op = real.getDefiningOp();
  if (!op)
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<tosa::ClampOp>([](auto op) { return isQuantizable(op.getInput()); })
      .Case<MaxPoolOp>([](auto op) { return isQuantizable(op.getInput()); })
      .Case<tosa::ReshapeOp, tosa::TransposeOp>([](auto op) { return isQuantizable(op.getInput1()); })
      .Case<tosa::SliceOp>([](auto op) { // several parts of one may have scales of their own
        return op.getInput().hasOneUse() && isQuantizable(op.getInput());
      })
      .Case<AddOp, SubOp, MulOp>([&](auto op) {
        if (ResidualSum::of(op))
          return true;
        return isByteOperand(op.getA()) && isByteOperand(op.getB()) &&
               (isActivation(op.getA()) || isActivation(op.getB()));
      })
      .Case<AveragePoolOp>([&](auto op) { return isActivation(op.getInput()); })
      .Case<ConcatOp>([&](auto op) { return llvm::all_of(op->getOperands(), isActivation); })
      .Default(false);
}

bool reachesQuantize(Value real) {
  return llvm::any_of(real.getUsers(), [](Operation *user) {
    return isa<quant::QuantizeCastOp>(user) ||
           (isa<tosa::ClampOp, tosa::ReshapeOp, tosa::TransposeOp, MaxPoolOp, BatchNormOp, AddOp>(user) &&
            reachesQuantize(user->getResult(0)));
  });
}

} // namespace daedalus::qnn
