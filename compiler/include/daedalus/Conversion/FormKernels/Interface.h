// What the arguments and results of @main say besides their types: names, and the integers that i8 stands
// for.

#ifndef DAEDALUS_CONVERSION_FORMKERNELS_INTERFACE_H
#define DAEDALUS_CONVERSION_FORMKERNELS_INTERFACE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace daedalus {

/// The name of an argument or result: what `daedalus.name` says, else "arg0", "result0" and so on.
mlir::StringAttr argumentName(mlir::func::FuncOp main, unsigned number);
mlir::StringAttr resultName(mlir::func::FuncOp main, unsigned number);

/// Errors where an attribute `daedalus.*` is none that there is or no string, a name is empty, or two inputs
/// or two outputs have the same one.
mlir::LogicalResult checkInterface(mlir::func::FuncOp main);

} // namespace daedalus

#endif
