// Passes of the CPU backend.

#ifndef DAEDALUS_TARGET_CPU_PASSES
#define DAEDALUS_TARGET_CPU_PASSES

include "mlir/Pass/PassBase.td"

def CpuLowerKernels : Pass<"cpu-lower-kernels", "mlir::ModuleOp"> {
  let summary = "Lower the kernels of the CPU's steps to loops on buffers";
  let description = [{
    Each kernel becomes a function whose arguments are buffers: its inputs, its constants, its output and, where it
    needs one, its scratch memory. It returns 0, or 1 where something that it was compiled for does not hold. Constants
    become globals; those of more than 64 bytes are given by the step, and kernels that are the same without them are
    one function. Kernels stand at the end of the module, in the order of the steps.
  }];
  let dependentDialects = [
    "daedalus::dae::DaeDialect", "mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
    "mlir::bufferization::BufferizationDialect", "mlir::cf::ControlFlowDialect", "mlir::linalg::LinalgDialect",
    "mlir::math::MathDialect", "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

#endif
