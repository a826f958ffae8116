// Loops that threads share: scf.forall in a kernel, a task in its code.

#ifndef DAEDALUS_LIB_TARGET_CPU_TASKS_H
#define DAEDALUS_LIB_TARGET_CPU_TASKS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace daedalus::cpu {

/// Makes loops that threads cannot share ordinary ones: those inside of loops, and those that use more of the
/// kernel than its arguments and what is computed from these without memory. All of them without `threads`.
void keepSharedLoops(mlir::func::FuncOp kernel, bool threads);

/// Bytes of the buffers of one iteration of a kernel's shared loops.
uint64_t workerBytesOf(mlir::func::FuncOp kernel);

/// Makes the body of each shared loop a function: `task(arguments of the kernel, i64 task, worker's memory)`.
/// A cpu.run stands for the loop.
/// The error names what cannot be shared.
mlir::LogicalResult outlineTasks(mlir::ModuleOp kernels);

} // namespace daedalus::cpu

#endif
