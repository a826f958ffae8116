// Which kernel runs where, and why.

#ifndef DAEDALUS_LIB_PIPELINES_PLACEMENT_H
#define DAEDALUS_LIB_PIPELINES_PLACEMENT_H

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Accelerator/Planning.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace daedalus {

/// The kernels of a module by their names, which are hashed once.
class Kernels {
public:
  explicit Kernels(mlir::ModuleOp module) : symbols(module) {}
  /// The kernel that a call calls.
  mlir::func::FuncOp of(mlir::func::CallOp call) const {
    return symbols.lookup<mlir::func::FuncOp>(call.getCalleeAttr().getAttr());
  }

private:
  mlir::SymbolTable symbols;
};

/// A string attribute of a kernel; empty where it is absent.
llvm::StringRef kernelAttribute(mlir::func::FuncOp kernel, llvm::StringRef name);

/// Sets target and reason of every kernel that `main` calls. A failure is a diagnostic at the node.
mlir::LogicalResult place(mlir::ModuleOp module, const CompileOptions &options,
                          accelerator::Planning &planning);

/// The table of all kernels in order.
std::string placementTable(mlir::ModuleOp module);

} // namespace daedalus

#endif
