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
/// The same of windows: the type of the image's elements, sizes of the result, and of the window.
std::string keyOfWindows(mlir::Type element, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> window);
/// What an entry schedules, in words, such as "products of f16 1 64 64 128". Empty of what is no entry.
std::string whatIsScheduled(mlir::Operation &op);
/// Whether an entry is for code of sm_90a alone.
bool isByWarpgroups(mlir::Operation &op);
/// The same as whatIsScheduled(), and whether it is by warpgroups: no two entries of a schedule have it in
/// common.
std::string keyOfEntry(mlir::Operation &op);

} // namespace daedalus::cuda

#endif
