// The kernels of operations at graph level, one function a form, and what they share.

#ifndef DAEDALUS_LIB_CONVERSION_GRAPHTOLINALG_KERNELS_H
#define DAEDALUS_LIB_CONVERSION_GRAPHTOLINALG_KERNELS_H

#include "KernelBuilder.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Quant/QuantTypes.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <array>

namespace daedalus {

using UniformType = mlir::quant::UniformQuantizedType;

/// The type and range of a fused group's output.
struct GroupOutput {
  UniformType type;
  int64_t lo = -128, hi = 127;
};

// Each builds the body of `kernel`, whose arguments are the operation's activations, and returns its result;
// null after a diagnostic. `requant` is a linalg.generic with qnn.requantize and a bias, multiplier and shift
// for each channel.

/// [tensor.pad] -> linalg.fill 0 -> linalg.conv_2d_nhwc_fhwc -> requant; with a residual r, a second
/// argument, linalg.generic (sums 2^k + r factor) before the requant
mlir::Value buildConv(KernelBuilder &kernel, qnn::ConvOp op, const GroupOutput &out);
/// linalg.fill 0 -> linalg.conv_2d_nhwc_fhwc, or linalg.generic of a convolution in groups, with channels
/// last: of f32, or of i8 with sums of i32. `x` has its padding.
/// Its `w` in groups is [G,F/G,KH,KW,C/G].
llvm::SmallVector<int64_t> productShape(qnn::ConvOp op);
mlir::Value buildProducts(KernelBuilder &kernel, qnn::ConvOp op, mlir::Value x, mlir::Value w);
/// linalg.fill 0 -> linalg.matmul_transpose_b -> requant, with a residual as buildConv has it
mlir::Value buildMatmul(KernelBuilder &kernel, qnn::MatmulOp op, const GroupOutput &out);
/// linalg.fill 0 -> linalg.generic of the batch, rows, columns and the reduction, ((left - zl) (right - zr))
/// -> requant. `operands`: in place of the operation's, constants among them included.
mlir::Value buildBatchMatmul(KernelBuilder &kernel, qnn::BatchMatmulOp op, mlir::ValueRange operands,
                             const GroupOutput &out);
/// [tensor.pad -128] -> linalg.fill -128 -> linalg.pooling_nhwc_max [-> requant]
mlir::Value buildMaxPool(KernelBuilder &kernel, qnn::MaxPoolOp op, const GroupOutput &out);
/// [tensor.pad] -> linalg.fill 0 -> linalg.pooling_nhwc_sum -> requant
mlir::Value buildMean(KernelBuilder &kernel, qnn::AveragePoolOp op, const GroupOutput &out);
/// linalg.generic (a ma + b mb) -> requant. `operands`: in place of the operation's, constants among them
/// included.
mlir::Value buildAdd(KernelBuilder &kernel, mlir::Operation *op, mlir::ValueRange operands,
                     const GroupOutput &out);
/// linalg.generic ((a - za) (b - zb)) -> requant, with operands as buildAdd has them.
mlir::Value buildMul(KernelBuilder &kernel, mlir::Operation *op, mlir::ValueRange operands,
                     const GroupOutput &out);
/// From one quantized type to another, and into its range: requant.
mlir::Value buildRescale(KernelBuilder &kernel, UniformType from, const GroupOutput &out);
/// linalg.generic with qnn.lookup, of entries in the range of `out`
mlir::Value buildTable(KernelBuilder &kernel, mlir::tosa::TableOp op, const GroupOutput &out);
/// float32 to int8 as QuantizeLinear does, and back as DequantizeLinear does.
mlir::Value buildQuantize(KernelBuilder &kernel, const GroupOutput &out);
mlir::Value buildDequantize(KernelBuilder &kernel, UniformType from);
/// The operands one behind the other along `axis`, and each row and column of the argument several times.
mlir::Value buildConcat(KernelBuilder &kernel, mlir::ValueRange operands, int64_t axis);
mlir::Value buildRepeat(KernelBuilder &kernel, qnn::UpsampleOp op);
mlir::Value buildTranspose(KernelBuilder &kernel, mlir::ArrayRef<int64_t> permutation);
mlir::Value buildSlice(KernelBuilder &kernel, mlir::tosa::SliceOp op);
/// Of tensors of f32; null, without a diagnostic, where there is no such kernel.
mlir::Value buildFloat(KernelBuilder &kernel, mlir::Operation *op, mlir::ValueRange operands);

/// The element type of a tensor with one scale.
inline UniformType uniformType(mlir::Value value) {
  return mlir::cast<UniformType>(elementOf(value));
}
kernels::Window windowOf(qnn::ConvOp op);
kernels::Window windowOf(qnn::MaxPoolOp op);
kernels::Window windowOf(qnn::AveragePoolOp op);
/// How much of the padding at the end of rows and of columns an average counts.
std::array<std::optional<int64_t>, 2> countedEnd(qnn::AveragePoolOp op);
/// With the range of `out`.
Requant withRange(Requant requant, const GroupOutput &out);
/// To `out` from `from`; nothing to do where they are equal and nothing is clamped.
mlir::Value rescaled(KernelBuilder &kernel, mlir::Value x, UniformType from, const GroupOutput &out);
/// Null, after a diagnostic: the scales of input and output have no multiplier.
mlir::Value tooLarge(mlir::Location loc);

} // namespace daedalus

#endif
