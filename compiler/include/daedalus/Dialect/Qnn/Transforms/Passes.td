// Passes of the qnn dialect.

#ifndef DAEDALUS_DIALECT_QNN_TRANSFORMS_PASSES
#define DAEDALUS_DIALECT_QNN_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def QnnRaiseScales : Pass<"qnn-raise-scales", "mlir::func::FuncOp"> {
  let summary = "Make tosa.apply_scale and what follows it a qnn.requantize where both are equal";
  let description = [{
    In the body of a `linalg` operation, an int8 that is `apply_scale(value, multiplier, shift)`, with a zero
    point added, clamped to a part of int8 and cut, is `qnn.requantize` with `half_up`: where `double_round`
    is off, multipliers and shifts are constants in their ranges, and no value that the operand may take
    leaves 32 bits before the clamp. `acc + bias` with constant biases goes in with it. All else stays.
  }];
  let dependentDialects = ["daedalus::qnn::QnnDialect", "mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numRaised", "num-raised", "Number of requantizations made.">];
}

#endif
