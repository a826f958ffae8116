// The instructions of a block: an intrinsic, the rows of its operands and the loops over them. Loops of one
// iteration are not there, nested loops that step evenly are joined, and what still exceeds an instruction is
// unrolled into several.

#ifndef DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_NEST_H
#define DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_NEST_H

#include "Match.h"

#include "daedalus/isa/field_limits.h"

#include "mlir/IR/Builders.h"

namespace daedalus::dae {

/// The most instructions of a block.
constexpr int64_t MostInstructions = 65536;

/// Of a loop of GEMM and VECTOR.
constexpr int64_t MaxLoopCount = isa::maximumOf<isa::Gemm>("count"),
                  MaxLoopStride = isa::maximumOf<isa::Gemm>("inp_stride");

struct Nest {
  struct Loop {
    bool reduce;
    int64_t count;
    llvm::SmallVector<int64_t> strides; ///< rows, one for each buffer
  };
  /// Of a window: the loop over columns, and the fields of GEMM that say which are read.
  struct Window {
    int64_t rows, line, lead, step;
    Loop columns;
  };
  const Match *match;
  mlir::Location place;
  std::optional<int64_t> layer; ///< what the instructions work for; may be none
  /// Of the intrinsic's operands and behind them of its temporaries.
  llvm::SmallVector<mlir::Value> buffers;
  llvm::SmallVector<int64_t> rows; ///< the first ones, from the buffer's start
  llvm::SmallVector<Loop> loops;
  bool accumulate = false; ///< what was there counts in the first iteration too
  std::optional<Window> window = std::nullopt;
};

/// Joins loops that step evenly into one another, in any order: iterations of parallel loops may be permuted,
/// and so may those of reduction loops.
void joinLoops(llvm::SmallVectorImpl<Nest::Loop> &loops);

/// How many instructions emitNest makes; MostInstructions + 1 for more than that.
int64_t instructionsOf(const Nest &nest);

/// Makes the instructions of all steps.
void emitNest(mlir::OpBuilder &builder, const Nest &nest);

} // namespace daedalus::dae

#endif
