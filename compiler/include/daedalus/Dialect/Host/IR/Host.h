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

/// Sets the constants of a package, as a resource that owns them; without bytes there are none.
void setConstants(PackageOp package, std::vector<uint8_t> bytes);

/// The constants of a package where they lie; an error where the module does not hold them.
mlir::FailureOr<llvm::ArrayRef<uint8_t>> constantsOf(PackageOp package);

} // namespace daedalus::host

#endif
