// The operations of Schedule.td.

#ifndef DAEDALUS_TARGET_CUDA_SCHEDULEOPS_H
#define DAEDALUS_TARGET_CUDA_SCHEDULEOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <string>

#include "daedalus/Target/CUDA/ScheduleDialect.h.inc"
#include "daedalus/Target/CUDA/ScheduleEnums.h.inc"

#define GET_OP_CLASSES
#include "daedalus/Target/CUDA/ScheduleOps.h.inc"

namespace daedalus::cuda {

/// What products have in common that one cuda.product is for: the type of both factors, and sizes.
std::string keyOfProducts(mlir::Type element, llvm::ArrayRef<int64_t> sizes);
/// The same, and whether it is by warpgroups: no two entries of a schedule have it in common.
std::string keyOfEntry(ProductOp entry);

} // namespace daedalus::cuda

#endif
