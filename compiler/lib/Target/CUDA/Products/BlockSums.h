// The sums that a block of threads keeps of a tile of a product, and how each thread adds to its own.

#ifndef DAEDALUS_LIB_TARGET_CUDA_BLOCKSUMS_H
#define DAEDALUS_LIB_TARGET_CUDA_BLOCKSUMS_H

#include "Staging.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>

namespace daedalus::cuda {

/// One sum of a thread: which it is, and where it lies in the tile.
struct Sum {
  mlir::Value value, row, column;
};

class BlockSums {
public:
  virtual ~BlockSums() = default;

  /// Sums of nothing, as a loop carries them.
  virtual llvm::SmallVector<mlir::Value> zeros(Numbers n) = 0;
  /// What each thread does in front of the barrier behind which a stage's products are added.
  virtual void beforeBarrier(Numbers) {}
  /// Adds the products of a stage. `copy` begins the copies to another one: in front of what keeps the
  /// threads busy, behind what goes on without them.
  virtual llvm::SmallVector<mlir::Value> add(Numbers n, mlir::Value stage, mlir::ValueRange sums,
                                             llvm::function_ref<void()> copy) = 0;
  /// All sums of the thread, behind the last stage.
  virtual llvm::SmallVector<Sum> all(Numbers n, mlir::ValueRange sums) = 0;
};

/// By FMA, of floats.
std::unique_ptr<BlockSums> fmaSums(const Product &product, const Tile &tile, StagedFactor &a, StagedFactor &b,
                                   mlir::Value thread);
/// By tensor cores (mma.sync, PTX ISA), of int8, float16 and bfloat16.
std::unique_ptr<BlockSums> tensorCoreSums(const Product &product, const Tile &tile, StagedFactor &a,
                                          StagedFactor &b, mlir::Value thread);

/// By warpgroups (wgmma), of the same types.
std::unique_ptr<BlockSums> warpgroupSums(const Product &product, const Tile &tile, StagedFactor &a,
                                         StagedFactor &b, mlir::Value thread);

} // namespace daedalus::cuda

#endif
