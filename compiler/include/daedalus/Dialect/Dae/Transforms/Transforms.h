// From blocks to words: the steps of the accelerator path behind blockize, each on one function of the dae
// dialect (a stream: a single block in program order). Passes.td wraps each as a pass of the same name.

#ifndef DAEDALUS_DIALECT_DAE_TRANSFORMS_TRANSFORMS_H
#define DAEDALUS_DIALECT_DAE_TRANSFORMS_TRANSFORMS_H

#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"
#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace daedalus::dae {

/// The scope as the ISA library names it; both come from isa.yaml.
inline isa::Scope isaScope(Scope scope) {
  return static_cast<isa::Scope>(static_cast<int>(scope));
}

/// Replaces every linalg.generic on scoped memrefs by the instructions of the intrinsic that it matches
/// (Intrinsics.h). An error names the block that nothing matches.
mlir::LogicalResult tensorize(mlir::func::FuncOp stream, const isa::Machine &machine,
                              const Intrinsics &intrinsics = builtinIntrinsics());

/// Gives every dae.alloc its first row: each scope is a ring in program order, so that consecutive tiles land
/// in different rows and overlap; a buffer never lands on one that is still in use. ACC buffers begin at a
/// bank and own whole banks, since GEMM and VECTOR may not share a bank's port.
mlir::LogicalResult allocate(mlir::func::FuncOp stream, const isa::Machine &machine);

/// Makes every dependence between modules (rows, bank ports, DRAM bytes) a token operand, as far as earlier
/// tokens of the same pair of modules do not imply it.
mlir::LogicalResult orderByTokens(mlir::func::FuncOp stream, const isa::Machine &machine);

/// Sets the wait and signal masks from the token operands. For each pair of modules the n-th wait takes the
/// n-th signal, which is the right one because both sides are in order.
void assignMasks(mlir::func::FuncOp stream);

/// The instruction of a dae.load, gemm, vector or store whose buffers have rows; an error where a value does
/// not fit its field.
mlir::FailureOr<isa::Instruction> toInstruction(mlir::Operation *op, const isa::Machine &machine);

/// What a stream with its tokens as masks is in words.
struct Instructions {
  std::vector<isa::Instruction> all; ///< ends with FINISH
  std::vector<uint32_t> layers;      ///< of each; FINISH counts to the last layer
};
mlir::FailureOr<Instructions> toInstructions(mlir::func::FuncOp stream, const isa::Machine &machine);

/// Whether the operation is an instruction.
bool isInstruction(mlir::Operation *op);

} // namespace daedalus::dae

#endif
