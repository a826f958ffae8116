// The instructions of a block for a match: the lanes bind to the innermost dimensions; what is left of the
// iteration space becomes loops of the instruction, whose strides are the coefficients of the indexing maps
// times the rows between neighbours in the memref.

#ifndef DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_BIND_H
#define DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_BIND_H

#include "Nest.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace daedalus::dae {

/// The instructions of a block without its buffers.
struct Bound {
  Nest nest;                           ///< its place and its layer are those of a block
  llvm::SmallVector<unsigned> numbers; ///< of the block's operand that each of the intrinsic's is
  int64_t temporaryRows = 0;           ///< of each temporary

  /// The nest of a block that has the same; makes the buffers of temporaries, of rows of N lanes.
  Nest of(mlir::linalg::GenericOp block, mlir::OpBuilder &builder, int64_t n) const;
};

/// Nothing where the operands do not lie as the intrinsic has them; `isFilled`: the output was, and no block
/// wrote it since.
std::optional<Bound> bind(mlir::linalg::GenericOp block, const Match &match, const isa::Machine &machine,
                          bool isFilled);

} // namespace daedalus::dae

#endif
