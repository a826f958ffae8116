// What several threads have of a reduction, combined.

#ifndef DAEDALUS_LIB_TARGET_CUDA_ROWS_COMBINE_H
#define DAEDALUS_LIB_TARGET_CUDA_ROWS_COMBINE_H

#include "Schedule.h"

#include "Transforms/Transforms.h"

namespace daedalus::cuda {

/// `a` and `b`, as the combiner of a reduction combines an element with what it has.
mlir::Value combine(mlir::Operation *combiner, mlir::Value a, mlir::Value b, mlir::OpBuilder &builder);

/// The value of the threads of each group combined, in all of them. `thread`: its number in the block.
mlir::Value combineGroup(mlir::Operation *combiner, mlir::Value value, const RowSchedule &schedule,
                         mlir::Value thread, DeviceFunction &f);

} // namespace daedalus::cuda

#endif
