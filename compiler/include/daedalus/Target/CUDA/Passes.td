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

def CudaExplainLibraries : CudaPass<"cuda-explain-libraries", "mlir::ModuleOp"> {
  let summary = "Say in the reasons of layers which functions of libraries they call";
  let options = [Option<"libraries", "libraries", "std::string", "\"\"",
                        "As --cuda-library takes them, such as cublas:matmul.">];
}

def CudaTakeStoredFactors : CudaPass<"cuda-take-stored-factors", "mlir::func::FuncOp"> {
  let summary = "Let products read factors as they are stored";
  let description = [{
    Where both are floats of 16 bits that are widened to float32 before, the product's body widens them. One of them may
    be a constant whose numbers the other one's type has, and either may be padded with such a number.
  }];
}

def CudaLineUpFactors : CudaPass<"cuda-line-up-factors", "mlir::func::FuncOp"> {
  let summary = "Move factors that products could not read in chunks of 16 bytes";
  let description = [{
    Of products of bytes and of floats of 16 bits, both factors get one loop of the reduction as the last dimension: of a
    convolution, the channels. What is moved is used often enough to be worth it, or a constant.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def CudaSplitReductions : CudaPass<"cuda-split-reductions", "mlir::func::FuncOp"> {
  let summary = "Reduce very many elements to few results in two steps";
  let description = [{
    Parts of the same size are reduced first, so that there are as many blocks of threads as a GPU needs, and then their
    results. Of kernels with one reduction; those with several, such as a softmax, keep their rows whole.
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
    A sum of products is computed in tiles, as `cuda.schedule` says or the compiler chooses; a `cuda.schedule` then says
    what was decided.
    A reduction of rows, with what is computed row by row before and behind it (a softmax, a layer normalization), is one
    function: a warp or a block of threads has a row, or a thread where neighbours in memory are of different rows.
    Elements stay in registers from one pass over a row to the next, if there are enough. Operations that compute element
    by element are one function, of which each thread has as many neighbours as 16 bytes hold; those that transpose go
    through tiles in shared memory. Of any other operation of linalg a thread computes an element of the result,
    together with what fills it before and what computes element by element of it behind. What no threads can share
    runs in one thread. Products that a library computes become `cuda.gemm`, convolutions `cuda.conv`, with what is
    computed of them in launches behind.
  }];
  let options = [Option<"architecture", "architecture", "std::string", "\"sm_80\"",
                        "The GPU that they are for, as --cuda-arch names it.">,
                 Option<"libraries", "libraries", "std::string", "\"\"",
                        "As --cuda-library takes them, such as cublas:matmul.">];
}

def CudaToNvvm : CudaPass<"cuda-to-nvvm", "mlir::gpu::GPUModuleOp"> {
  let summary = "Functions for the GPU in the NVVM dialect: their buffers are known to be different memory";
}

#endif
