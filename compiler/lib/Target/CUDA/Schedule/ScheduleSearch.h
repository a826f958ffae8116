// What the dialect's schedules are to the search of better ones.

#ifndef DAEDALUS_LIB_TARGET_CUDA_SCHEDULESEARCH_H
#define DAEDALUS_LIB_TARGET_CUDA_SCHEDULESEARCH_H

#include "mlir/IR/Dialect.h"

namespace daedalus::cuda {

/// Gives the dialect its SchedulingInterface.
void addScheduling(mlir::Dialect &dialect);

} // namespace daedalus::cuda

#endif
