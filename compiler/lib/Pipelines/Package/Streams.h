// @main between placement and package: its steps, and what a value inside a stream is outside.

#ifndef DAEDALUS_LIB_PIPELINES_STREAMS_H
#define DAEDALUS_LIB_PIPELINES_STREAMS_H

#include "daedalus/Analysis/Views.h"
#include "daedalus/Dialect/Host/IR/Host.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace daedalus {

/// @main of a module whose kernels are placed: calls of kernels with a target, views and the end. A
/// diagnostic says what else is there.
mlir::FailureOr<mlir::func::FuncOp> placedMain(mlir::ModuleOp module);

/// @main of a module that has steps.
class Steps {
public:
  /// A diagnostic says what is missing.
  static mlir::FailureOr<Steps> of(mlir::ModuleOp module);

  host::PackageOp package() const { return packageOp; }
  mlir::func::FuncOp main() const { return mainOp; }
  llvm::SmallVector<host::StepOp> steps() const { return stepOps; }

  mlir::func::FuncOp callee(host::StepOp step) const {
    return symbols.lookup<mlir::func::FuncOp>(step.getCalleeAttr().getAttr());
  }
  /// The kernel that a call in a stream calls.
  mlir::func::FuncOp kernel(mlir::func::CallOp call) const {
    return symbols.lookup<mlir::func::FuncOp>(call.getCalleeAttr().getAttr());
  }
  /// The target of a call in a stream.
  llvm::StringRef target(mlir::func::CallOp call) const;
  /// The function of a step that is a stream not yet made of instructions; null of others.
  mlir::func::FuncOp stream(host::StepOp step) const;

  /// The value that has memory: an argument of @main, a result of a step that is no stream, or a result of a
  /// call in a stream.
  mlir::Value owner(mlir::Value value) const;

private:
  explicit Steps(mlir::ModuleOp module) : symbols(module) {}

  mlir::SymbolTable symbols;
  host::PackageOp packageOp;
  mlir::func::FuncOp mainOp;
  llvm::SmallVector<host::StepOp> stepOps;
  llvm::DenseMap<mlir::Operation *, host::StepOp> stepOf; ///< by the function of a stream
};

} // namespace daedalus

#endif
