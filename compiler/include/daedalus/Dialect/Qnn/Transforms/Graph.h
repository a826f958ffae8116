// Level `graph`: @main is a block of operations on whole tensors, of real, plain and quantized numbers, and
// of calls of private functions.

#ifndef DAEDALUS_DIALECT_QNN_TRANSFORMS_GRAPH_H
#define DAEDALUS_DIALECT_QNN_TRANSFORMS_GRAPH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace daedalus::qnn {

/// Whether an operation is one of level `graph` alone.
bool isOfGraph(mlir::Operation *op);

/// Whether @main has an operation of level `graph`.
bool isGraph(mlir::ModuleOp module);

/// The name of the user's function that a declaration stands for; nothing of other functions.
std::optional<llvm::StringRef> externalName(mlir::func::FuncOp function);

/// @main of a module at level `graph`, whose operations and types are what the passes expect; null where no
/// operation is one of that level. Failure, after a diagnostic, where @main is a graph that they do not take.
mlir::FailureOr<mlir::func::FuncOp> graphOf(mlir::ModuleOp module);

} // namespace daedalus::qnn

#endif
