// Patterns of the graph level that count what they do, and what may be quantized.

#ifndef DAEDALUS_LIB_DIALECT_QNN_TRANSFORMS_PATTERNS_H
#define DAEDALUS_LIB_DIALECT_QNN_TRANSFORMS_PATTERNS_H

#include "daedalus/Dialect/Counting.h"
#include "daedalus/Dialect/Qnn/Transforms/Constants.h"
#include "daedalus/Dialect/Qnn/Transforms/Graph.h"

#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace daedalus::qnn {

/// A pattern whose successes are one of the pass's counts.
template <class Op> struct CountedPattern : mlir::OpRewritePattern<Op> {
  CountedPattern(mlir::MLIRContext *context, uint64_t &count, mlir::PatternBenefit benefit = 1)
      : mlir::OpRewritePattern<Op>(context, benefit), count(count) {}

protected:
  mlir::LogicalResult done() const {
    ++count;
    return mlir::success();
  }

private:
  uint64_t &count;
};

/// A pass on the graph of a module; modules without one stay as they are, one that is none is an error.
template <class Base> struct GraphPass : Base, CountingPass {
  using Base::Base;

  void runOnOperation() final {
    counts.clear();
    const mlir::FailureOr<mlir::func::FuncOp> graph = graphOf(this->getOperation());
    if (failed(graph) || (*graph && failed(runOnGraph(*graph))))
      this->signalPassFailure();
  }

  virtual mlir::LogicalResult runOnGraph(mlir::func::FuncOp main) = 0;
};

/// Applies the patterns until none applies; fails where one of them has said an error.
mlir::LogicalResult applyPatterns(mlir::func::FuncOp main, mlir::RewritePatternSet &&patterns);

/// Both, in this order, each once.
mlir::Location joined(mlir::Location a, mlir::Location b);

/// Of what takes the place of `op`: its nodes, and beside them those of the casts that give its operands.
mlir::Location besideCasts(mlir::Operation *op);

/// Of what takes the place of `op` and a quantization of it: the nodes of `op`, and beside them those of the
/// casts that give its operands and of the quantization.
mlir::Location betweenCasts(mlir::Operation *op, mlir::quant::QuantizeCastOp quantization);

/// Whether a quant.qcast of a tensor of f32 can go into the operation that gives it: one whose operands are
/// dequantized or constants, or one that commutes with a quantization (clamps, maxima, reshapes) of such.
bool isQuantizable(mlir::Value real);

/// Whether a requantization makes elements of `to` of those of a quantized tensor: there is a multiplier.
bool canRescale(mlir::Value quantized, UniformType to);

/// Whether a tensor of f32 is a dequantized one of 8 bits with one scale, computed or constant.
bool isByteOperand(mlir::Value real);

/// Whether a tensor of f32 is quantized, perhaps behind clamps, maxima, reshapes and what goes into weights.
bool reachesQuantize(mlir::Value real);

} // namespace daedalus::qnn

#endif
