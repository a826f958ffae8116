// What every generator of code needs of kernels at level linalg, functions of tensors: each operation that no
// processor has in terms of those that all have. A target calls these functions, or adds the passes of
// Passes.td, in the order that suits it.

#ifndef DAEDALUS_CODEGEN_CODEGEN_H
#define DAEDALUS_CODEGEN_CODEGEN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace daedalus::codegen {

/// tosa.apply_scale to arith on 64 bits, cut to its result: TOSA 0.60, apply_scale_32.
void expandApplyScale(mlir::func::FuncOp kernel);

/// qnn.lookup to a read of its table.
void expandLookup(mlir::func::FuncOp kernel);

/// qnn.requantize to arith on 64 bits, or 32 where these are enough, with the arithmetic of isa::requantize.
void expandRequantize(mlir::func::FuncOp kernel);

/// tensor.pad to a fill and an insert_slice.
void expandPad(mlir::func::FuncOp kernel);

/// Exponentials and the like in terms of arithmetic; nothing is called.
mlir::LogicalResult expandMath(mlir::func::FuncOp kernel);

/// Conversions of float16 and bfloat16 in arithmetic on their bits, and what is computed with them in
/// float32.
mlir::LogicalResult expandHalves(mlir::func::FuncOp kernel);
/// The latter alone, for code generators that convert: what is left are conversions to and from float32.
mlir::LogicalResult widenHalves(mlir::func::FuncOp kernel);
/// Of loops on buffers, in which floats of 16 bits only move: they become integers, for LLVM's code generator
/// carries a bfloat from block to block as a float and calls a function to narrow it again.
void moveHalvesAsIntegers(mlir::ModuleOp module);

/// Clones `kernel` to the end of `module` in destination-passing style: memref arguments for its inputs and
/// its result, the body between to_tensor and materialize_in_destination.
mlir::func::FuncOp cloneDestinationPassing(mlir::func::FuncOp kernel, mlir::ModuleOp module);
/// Lets what is stored in the destination be computed there.
void computeInDestination(mlir::func::FuncOp kernel);

/// Tensors to buffers: loops and conditions without results, and copies as `linalg.generic`. It may fail
/// without a diagnostic.
mlir::LogicalResult bufferize(mlir::func::FuncOp kernel);

/// Does what computes element by element before a reshape of what an operation computes, not behind it.
void computeBeforeReshapes(mlir::func::FuncOp kernel);

/// Joins operations that compute element by element, where one alone reads the other; constants of one number
/// are in their bodies.
void fuseElementwise(mlir::func::FuncOp kernel);

} // namespace daedalus::codegen

#endif
