// tosa.apply_scale as part of a requantization.

#ifndef DAEDALUS_DIALECT_QNN_TRANSFORMS_RAISESCALES_H
#define DAEDALUS_DIALECT_QNN_TRANSFORMS_RAISESCALES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace daedalus::qnn {

/// What is known of a scale's operands: the least and greatest value, one multiplier, one shift.
struct Scale {
  int64_t low, high, multiplier, shift;
};

/// Whether clamp(apply_scale(value) + zeroPoint) in 32 bits is requantize(value, half_up) for each value of
/// the range. apply_scale without double_round is (value * multiplier + 2^(shift - 1)) >> shift, cut to 32
/// bits (TOSA 0.60, apply_scale_32, where values for which it is cut have no meaning); requantize cuts
/// nothing. So they are equal exactly where nothing is cut: not before the zero point, nor behind it. Both
/// ends of the range tell, for scaling is monotone.
bool isRequantization(const Scale &scale, int64_t zeroPoint);

/// Raises what the pass qnn-raise-scales says; how many were made.
unsigned raiseScales(mlir::func::FuncOp function);

} // namespace daedalus::qnn

#endif
