// Passes of the CPU backend.

#ifndef DAEDALUS_TARGET_CPU_PASSES
#define DAEDALUS_TARGET_CPU_PASSES

include "mlir/Pass/PassBase.td"

def CpuCallLibraries : Pass<"cpu-call-libraries", "mlir::ModuleOp"> {
  let summary = "Give products of the CPU's steps to functions of libraries";
  let description = [{
    A step whose kernel has a product of matrices or a convolution of float32, or of int8 with sums of int32, that one of `libraries` computes becomes a
    step that calls the library's function, an external one, with the sum and the maximum that follow. Its constants, and
    strides, pads and the like as a tensor of int64, are constants of the step. What the kernel computes before and
    behind it becomes steps of their own on the CPU.
  }];
  let options = [
    Option<"libraries", "libraries", "std::string", "\"\"",
           "As --cpu-library takes them: openblas, onednn:conv, or functions of the user's such as mine:matmul+conv.">,
    Option<"vnni", "vnni", "bool", "false",
           "All processors that code is made for add up products of bytes without saturating: libraries of the host get "
           "those that stay exact in float32.">];
  let dependentDialects = ["daedalus::host::HostDialect", "daedalus::qnn::QnnDialect", "mlir::linalg::LinalgDialect",
                           "mlir::memref::MemRefDialect", "mlir::tensor::TensorDialect"];
}

def CpuLowerKernels : Pass<"cpu-lower-kernels", "mlir::ModuleOp"> {
  let summary = "Lower the kernels of the CPU's steps to loops on buffers";
  let description = [{
    Each kernel becomes a function whose arguments are buffers: its inputs, its constants, its output and, where it
    needs one, its scratch memory. It returns 0, or 1 where something that it was compiled for does not hold. Constants
    become globals; those of more than 64 bytes are given by the step, and kernels that are the same without them are
    one function. Kernels stand at the end of the module, in the order of the steps.
  }];
  let dependentDialects = [
    "daedalus::cpu::CpuDialect", "daedalus::host::HostDialect", "mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
    "mlir::bufferization::BufferizationDialect", "mlir::cf::ControlFlowDialect", "mlir::linalg::LinalgDialect",
    "mlir::math::MathDialect", "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

#endif
