// The operations of the graph that one kernel computes, and what of them it has inside.

#ifndef DAEDALUS_LIB_CONVERSION_GRAPHTOLINALG_GROUPS_H
#define DAEDALUS_LIB_CONVERSION_GRAPHTOLINALG_GROUPS_H

#include "Kernels.h"

namespace daedalus {

/// Whether an operation that its verifier took has the form that its kernel is built of; a diagnostic where
/// it has not.
mlir::LogicalResult checkForm(mlir::Operation *op);

/// The operations of a kernel: one, and on quantized tensors a cast (behind a pool) and a clamp that are the
/// only users join it, unless the operation only moves elements; on real numbers those that follow a product,
/// or each other, element by element, where `isThere` says that their other operands are computed.
llvm::SmallVector<mlir::Operation *> groupOf(mlir::Operation *op,
                                             llvm::function_ref<bool(mlir::Value)> isThere);
/// What the last operation of a group gives.
GroupOutput outputOf(mlir::Operation *last);
mlir::Location locationOf(llvm::ArrayRef<mlir::Operation *> group);

/// The body of the kernel of a group, whose first operation checkForm() takes; null after a diagnostic.
mlir::Value buildKernel(KernelBuilder &kernel, llvm::ArrayRef<mlir::Operation *> group,
                        const GroupOutput &out);

/// The elements of a constant in their storage, of a dequantized one the real numbers; null where it is none.
mlir::DenseElementsAttr elementsOf(mlir::Value value);
/// Whether elementsOf() has any.
bool isConstant(mlir::Value value);
/// Whether an operand is a constant that the kernel has inside: weights, tables, and all that is not the one
/// tensor that an operation is of.
bool isInside(mlir::OpOperand &operand);
/// Whether an operation moves elements of one tensor, of whatever type.
bool isMove(mlir::Operation *op);
/// Whether an operation of tensors computes on real numbers.
bool isFloat(mlir::Operation *op);

} // namespace daedalus

#endif
