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

/// On a function: it is a stream, of calls first and of instructions in the end.
constexpr const char *streamName = "dae.stream";
/// On what a stream computes or is given, while it consists of calls: its dae.slot.
constexpr const char *slotName = "dae.slot";
/// On a call in a stream: which of its kernel's calls in @main it is; absent on the first.
constexpr const char *callName = "dae.call";

} // namespace daedalus::dae

#endif
