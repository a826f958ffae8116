// Passes that generators of code share, one around each function of Codegen.h.

#ifndef DAEDALUS_CODEGEN_PASSES
#define DAEDALUS_CODEGEN_PASSES

include "mlir/Pass/PassBase.td"

class KernelPass<string name> : Pass<name, "mlir::func::FuncOp"> {
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::bufferization::BufferizationDialect",
                           "mlir::linalg::LinalgDialect", "mlir::math::MathDialect", "mlir::memref::MemRefDialect",
                           "mlir::tensor::TensorDialect"];
}

def CodegenExpandScales : KernelPass<"codegen-expand-scales"> {
  let summary = "Scales to arithmetic on 64 bits, lookups to reads of their tables";
  let description = [{
    `tosa.apply_scale` is that of TOSA 0.60 (apply_scale_32), cut to its result. `qnn.lookup` becomes a `tensor.extract`.
  }];
}

def CodegenExpandRequantize : KernelPass<"codegen-expand-requantize"> {
  let summary = "Requantizations to arithmetic on 64 bits, or 32 where these are enough";
  let description = [{
    The arithmetic is that of `isa::requantize`, the accelerator's. Where the sum is seen to have few bits, the product
    with the multiplier is computed in 32.
  }];
}

def CodegenExpandPads : KernelPass<"codegen-expand-pads"> {
  let summary = "Pads to fills of what lies around a tensor, and the tensor put between them";
}

def CodegenExpandMath : KernelPass<"codegen-expand-math"> {
  let summary = "Mathematical functions of float32 to arithmetic, so that nothing is called";
}

def CodegenExpandHalves : KernelPass<"codegen-expand-halves"> {
  let summary = "Conversions of float16 and bfloat16 to arithmetic on their bits";
  let description = [{
    What is computed with floats of 16 bits is computed in float32 and rounded.
  }];
}

def CodegenWidenHalves : KernelPass<"codegen-widen-halves"> {
  let summary = "Compute in float32 what is computed with float16 and bfloat16";
  let description = [{
    Conversions stay, but those of float64, which become two: by way of a float32 that rounds to the same 16 bits.
  }];
}

def CodegenComputeBeforeReshapes : KernelPass<"codegen-compute-before-reshapes"> {
  let summary = "Compute element by element before a reshape of what an operation computes, not behind it";
}

def CodegenComputeInDestination : KernelPass<"codegen-compute-in-destination"> {
  let summary = "Compute what is stored in the destination there";
}

def CodegenFuseElementwise : KernelPass<"codegen-fuse-elementwise"> {
  let summary = "Join operations that compute element by element, where one alone reads the other";
}

#endif
