// The cpu dialect (Schedule.td).

#ifndef DAEDALUS_TARGET_CPU_SCHEDULEOPS_H
#define DAEDALUS_TARGET_CPU_SCHEDULEOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"

#include "daedalus/Target/CPU/ScheduleDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "daedalus/Target/CPU/ScheduleAttributes.h.inc"
#define GET_OP_CLASSES
#include "daedalus/Target/CPU/ScheduleOps.h.inc"

#endif
