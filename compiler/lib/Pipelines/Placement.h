// Which kernel runs where, and why: what other files ask of place-kernels.

#ifndef DAEDALUS_LIB_PIPELINES_PLACEMENT_H
#define DAEDALUS_LIB_PIPELINES_PLACEMENT_H

#include "daedalus/package/package.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace daedalus {

/// A string attribute of a kernel; empty where it is absent.
llvm::StringRef kernelAttribute(mlir::func::FuncOp kernel, llvm::StringRef name);

/// The table of all layers of a package, in order: node | target | reason.
std::string placementTable(llvm::ArrayRef<package::Layer> layers);

} // namespace daedalus

#endif
