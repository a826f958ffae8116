// Products of two tensors that are computed, before they are quantized operations: both are dequantized.

#ifndef DAEDALUS_LIB_DIALECT_QNN_TRANSFORMS_BATCHPRODUCTS_H
#define DAEDALUS_LIB_DIALECT_QNN_TRANSFORMS_BATCHPRODUCTS_H

#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

#include "mlir/IR/Builders.h"

namespace daedalus::qnn {

/// A qnn.batch_matmul of real numbers, or a qnn.matmul whose weights are computed, that can be a
/// qnn.batch_matmul of quantized tensors; one of the two may be a constant.
struct BatchProduct {
  mlir::Operation *op;
  mlir::Value left, right; ///< quantized, of 8 bits with one scale
  llvm::SmallVector<int64_t> leftOrder, rightOrder;

  /// Nothing where the operation is no such product, or its accumulator may leave 32 bits.
  static std::optional<BatchProduct> of(mlir::Value result);
};

/// An order of dimensions as an attribute; null where it is that of the tensor.
mlir::DenseI64ArrayAttr orderAttribute(mlir::OpBuilder &builder, llvm::ArrayRef<int64_t> order);

/// The product of integers with a result of `type`.
mlir::Value quantizedProduct(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                             const BatchProduct &product);

} // namespace daedalus::qnn

#endif
