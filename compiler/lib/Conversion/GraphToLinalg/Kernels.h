// One function a kernel form.

#ifndef DAEDALUS_LIB_CONVERSION_GRAPHTOLINALG_KERNELS_H
#define DAEDALUS_LIB_CONVERSION_GRAPHTOLINALG_KERNELS_H

#include "KernelBuilder.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Quant/QuantTypes.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <array>

namespace daedalus {

/// The type and range of a fused group's output.
struct GroupOutput {
  mlir::quant::UniformQuantizedType type;
  int64_t lo = -128, hi = 127;
};

/// Each builds the body of `kernel`, whose arguments are the operation's activations, and returns its result;
/// null after a diagnostic.
mlir::Value buildConv(KernelBuilder &kernel, qnn::ConvOp op, const GroupOutput &out);
mlir::Value buildMatmul(KernelBuilder &kernel, qnn::MatmulOp op, const GroupOutput &out);
/// `operands`: in place of the operation's, constants among them included.
mlir::Value buildAdd(KernelBuilder &kernel, mlir::Operation *op, mlir::ValueRange operands,
                     const GroupOutput &out);
/// The product, with operands as buildAdd has them.
mlir::Value buildMul(KernelBuilder &kernel, mlir::Operation *op, mlir::ValueRange operands,
                     const GroupOutput &out);
/// Of tensors of f32; null, without a diagnostic, where there is no such kernel.
mlir::Value buildFloat(KernelBuilder &kernel, mlir::Operation *op, mlir::ValueRange operands);
/// How many elements the windows of an average hold at each row and at each column of the result.
std::array<llvm::SmallVector<int64_t>, 2> windowCounts(qnn::AveragePoolOp op);
mlir::Value buildTable(KernelBuilder &kernel, mlir::tosa::TableOp op);
mlir::Value buildMaxPool(KernelBuilder &kernel, qnn::MaxPoolOp op, const GroupOutput &out);
mlir::Value buildMean(KernelBuilder &kernel, qnn::AveragePoolOp op, const GroupOutput &out);
/// From one quantized type to another, and into its range.
mlir::Value buildRescale(KernelBuilder &kernel, mlir::quant::UniformQuantizedType from,
                         const GroupOutput &out);
/// The operands one behind the other along `axis`, and each row and column of the argument several times.
mlir::Value buildConcat(KernelBuilder &kernel, mlir::ValueRange operands, int64_t axis);
mlir::Value buildRepeat(KernelBuilder &kernel, qnn::UpsampleOp op);
mlir::Value buildTranspose(KernelBuilder &kernel, mlir::ArrayRef<int64_t> permutation);
/// float32 to int8 as QuantizeLinear does, and back as DequantizeLinear does.
mlir::Value buildQuantize(KernelBuilder &kernel, const GroupOutput &out);
mlir::Value buildDequantize(KernelBuilder &kernel, mlir::quant::UniformQuantizedType from);

} // namespace daedalus

#endif
