// What the lanes of a warp do together: shuffles, votes, sums, loads of matrices and their products.
#pragma once

#include "Code.h"

namespace daedalus::cuda {

enum class ShuffleKind : uint8_t { Butterfly, Up, Down, Index };
enum class ReductionKind : uint8_t { Add, And, Max, Min, Or, UMax, UMin, Xor };

/// List: mask, value, offset, mask and clamp, and the slot of whether the source is in range. The immediate
/// is the kind.
void shuffle(Warp &warp, const Instruction &instruction);
void ballot(Warp &warp, const Instruction &instruction); ///< operands: mask, predicate
void reduce(Warp &warp, const Instruction &instruction); ///< operands: mask, value; the immediate is the kind

/// Width is the number of matrices, the list the results' slots, the immediate whether they are transposed.
void loadMatrix(Warp &warp, const Instruction &instruction);
void storeMatrix(Warp &warp, const Instruction &instruction); ///< the list is of the sources' slots

/// Extra is the product.
void multiplyMatrices(Warp &warp, const Instruction &instruction);

/// Operands: target, source, the number of bytes to copy of `width`, the rest of which are zeros.
void copyAsync(Warp &warp, const Instruction &instruction);
void commitCopies(Warp &warp, const Instruction &instruction);
void waitForCopies(Warp &warp,
                   const Instruction &instruction); ///< the immediate is how many groups may be left

} // namespace daedalus::cuda
