// The qnn dialect: what quantized networks mean, neutral to targets.

#ifndef DAEDALUS_DIALECT_QNN_IR_QNN_H
#define DAEDALUS_DIALECT_QNN_IR_QNN_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "daedalus/Dialect/Qnn/IR/QnnDialect.h.inc"
#include "daedalus/Dialect/Qnn/IR/QnnEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "daedalus/Dialect/Qnn/IR/QnnAttributes.h.inc"
#define GET_OP_CLASSES
#include "daedalus/Dialect/Qnn/IR/QnnOps.h.inc"

namespace daedalus::qnn {

/// The entries of a lookup's table, and what is added to the int8 to number them.
constexpr int64_t tableEntries = 256, tableOrigin = 128;

} // namespace daedalus::qnn

#endif
