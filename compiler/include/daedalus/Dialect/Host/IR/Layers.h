// The layers of a program of the host.

#ifndef DAEDALUS_DIALECT_HOST_IR_LAYERS_H
#define DAEDALUS_DIALECT_HOST_IR_LAYERS_H

#include "daedalus/Dialect/Host/IR/Host.h"

#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <vector>

namespace daedalus::host {

/// The layers of kernels by their functions; of a layer in which several kernels run, none.
llvm::StringMap<std::vector<uint32_t>> layersOf(mlir::ModuleOp module);

/// Adds to the reason of a package's layer what it calls: "...; calls a, b".
void addCalls(PackageOp package, int64_t layer, llvm::ArrayRef<mlir::Attribute> functions);

/// Sets what the target of a package's layer says that it needs at least.
void setLeast(PackageOp package, int64_t layer, mlir::DictionaryAttr least);

} // namespace daedalus::host

#endif
