// The private functions of a graph: what they compute, as the passes have to know it.

#ifndef DAEDALUS_LIB_DIALECT_QNN_TRANSFORMS_FUNCTIONS_H
#define DAEDALUS_LIB_DIALECT_QNN_TRANSFORMS_FUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <vector>

namespace daedalus::qnn {

/// The private function with a body of one block that a call calls, or null.
mlir::func::FuncOp calleeOf(mlir::func::CallOp call);

/// Whether it returns its one argument as it is.
bool isCopy(mlir::func::FuncOp function);

/// Whether each element of the result is a function of that element of each argument, made of scalar
/// operations that evaluate() knows.
bool isFunctionOfElements(mlir::func::FuncOp function);

/// The values of such a function, in double precision, of those of its arguments.
std::vector<double> evaluate(mlir::func::FuncOp function, llvm::ArrayRef<std::vector<double>> arguments);

/// Whether a scalar operation is one that evaluate() knows (Evaluate.cpp).
bool isEvaluated(mlir::Operation *op);
/// What the body of an elementwise operation yields, where its first arguments take these values, as many
/// each.
std::vector<double> evaluate(mlir::Block &body, llvm::ArrayRef<std::vector<double>> arguments);

/// (Retype.cpp) A function like it that moves elements of another type: its first argument, its result and
/// all between are of `element`, and numbers that it puts beside them are `convert`ed. Null where it does
/// more than to move elements of its first argument, or where one of the numbers has no value of that type
/// (`convert` gives nothing). It is in no module yet.
mlir::func::FuncOp retyped(mlir::func::FuncOp function, mlir::Type element,
                           llvm::function_ref<std::optional<int64_t>(double)> convert);

/// Erases calls of functions with a body whose results nobody reads, and all else that is dead.
void eraseDead(mlir::func::FuncOp main);

} // namespace daedalus::qnn

#endif
