// Passes of the CUDA backend, in the order in which they work.

#ifndef DAEDALUS_TARGET_CUDA_PASSES
#define DAEDALUS_TARGET_CUDA_PASSES

include "mlir/Pass/PassBase.td"

class CudaPass<string name, string on> : Pass<name, on> {
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::bufferization::BufferizationDialect",
    "daedalus::cuda::CudaDialect", "mlir::gpu::GPUDialect", "mlir::linalg::LinalgDialect", "mlir::LLVM::LLVMDialect", "mlir::math::MathDialect", "mlir::memref::MemRefDialect",
    "mlir::nvgpu::NVGPUDialect", "mlir::NVVM::NVVMDialect", "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect", "mlir::vector::VectorDialect"];
}

def CudaTakeStoredFactors : CudaPass<"cuda-take-stored-factors", "mlir::func::FuncOp"> {
  let summary = "Let products read factors as they are stored";
  let description = [{
    Where both are floats of 16 bits that are widened to float32 before, the product's body widens them.
  }];
}

def CudaBufferize : CudaPass<"cuda-bufferize", "mlir::ModuleOp"> {
  let summary = "Tensors of kernels to buffers in the GPU's memory";
  let description = [{
    What a kernel computes on the way to its result is allocated, constants become globals, copies `linalg.generic`.
  }];
}

def CudaReportStatus : CudaPass<"cuda-report-status", "mlir::func::FuncOp"> {
  let summary = "Store whether what a kernel was compiled for holds";
  let description = [{
    Where a `cf.assert` does not hold, 1 is stored in one of two words behind the kernel's buffers: the first is for
    shapes, the second for indices.
  }];
}

def CudaFormLaunches : CudaPass<"cuda-form-launches", "mlir::ModuleOp"> {
  let summary = "Make functions for the GPU of what kernels do, and launches of these";
  let description = [{
    An operation of linalg becomes a function that computes one element of its result in each thread, together with what
    fills its result before and what computes element by element of it behind. What is no such operation runs in one
    thread. A `cuda.schedule` says how products are computed; then one says what was decided.
  }];
}

def CudaToNvvm : CudaPass<"cuda-to-nvvm", "mlir::gpu::GPUModuleOp"> {
  let summary = "Functions for the GPU in the NVVM dialect: their buffers are known to be different memory";
}

#endif
