// The host dialect: the program of the host, its attributes and operations.

#ifndef DAEDALUS_DIALECT_HOST_IR_HOST_H
#define DAEDALUS_DIALECT_HOST_IR_HOST_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"

#include "daedalus/Dialect/Host/IR/HostDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "daedalus/Dialect/Host/IR/HostAttributes.h.inc"
#define GET_OP_CLASSES
#include "daedalus/Dialect/Host/IR/HostOps.h.inc"

#include <vector>

namespace daedalus::host {

/// The host.placement of a module, made where there is none.
PlacementOp placementOf(mlir::ModuleOp module);

/// The host.package of a module; null where it has none.
PackageOp packageOf(mlir::ModuleOp module);

/// Whether any step of a module runs on the target.
bool hasStepsOf(mlir::ModuleOp module, llvm::StringRef target);

/// What a module's host.package or host.placement says of the target; null where it says nothing.
mlir::DictionaryAttr recordOf(mlir::ModuleOp module, llvm::StringRef target);

/// Adds a number to what a package says of the target.
void addToRecord(PackageOp package, llvm::StringRef target, llvm::StringRef name, uint64_t number);

/// Sets the constants of a package, as a resource that owns them; without bytes there are none.
void setConstants(PackageOp package, std::vector<uint8_t> bytes);

/// Only how many bytes they are; none of 0.
void setConstantBytes(PackageOp package, uint64_t bytes);
uint64_t constantBytes(PackageOp package);

/// The constants of a package where they lie; an error where the module does not hold them.
mlir::FailureOr<llvm::ArrayRef<uint8_t>> constantsOf(PackageOp package);

} // namespace daedalus::host

#endif
