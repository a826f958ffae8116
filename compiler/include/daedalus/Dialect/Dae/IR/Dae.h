// The dae dialect: its attributes (#dae.scope, #dae.op), the token type and the operations.

#ifndef DAEDALUS_DIALECT_DAE_IR_DAE_H
#define DAEDALUS_DIALECT_DAE_IR_DAE_H

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "daedalus/Dialect/Dae/IR/DaeDialect.h.inc"
#include "daedalus/Dialect/Dae/IR/DaeEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "daedalus/Dialect/Dae/IR/DaeAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "daedalus/Dialect/Dae/IR/DaeTypes.h.inc"
#define GET_OP_CLASSES
#include "daedalus/Dialect/Dae/IR/DaeOps.h.inc"

namespace daedalus::dae {

/// A block on buffers works for a layer, as the node's name a matter of its location: `fused<3 : i64>[...]`.
mlir::Location withLayer(mlir::Location loc, int64_t layer);
/// The layer and the location without it; nothing where the location says none.
std::optional<std::pair<int64_t, mlir::Location>> layerOf(mlir::Location loc);

} // namespace daedalus::dae

#endif
