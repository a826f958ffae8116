// wgmma: products that four warps begin together, and whose factors tensor cores read from shared memory
// while the warps go on. Checked when they are begun, and computed at the last moment, when the warp waits
// for them: until then their sums are no numbers that anybody computed.
#pragma once

#include "Code.h"

#include <memory>

namespace daedalus::cuda {

struct RunningLaunch;

constexpr unsigned warpsOfGroup = 4;

/// A product that was begun.
struct PendingProduct {
  const Instruction *instruction = nullptr;
  uint64_t a = 0, b = 0; ///< descriptors
  std::vector<uint64_t>
      sums; ///< that it adds to, of each slot the lanes'; none where they are the product's before it
};

/// Of a warp.
struct WarpgroupState {
  std::vector<std::vector<PendingProduct>> groups; ///< the open one last
  bool isFenced = false;                           ///< since its registers were its own again
  size_t begun = 0;                                ///< products of this block

  void start();
};

/// Bytes of shared memory that a lane wrote, and that tensor cores may not read yet: no fence.proxy.async
/// came behind.
struct UnfencedBytes {
  uint64_t address = 0;
  uint32_t bytes = 0;
};

/// Notes that a lane wrote bytes of shared memory, in kernels with such products.
void noteUnfenced(Warp &warp, unsigned lane, uint64_t address, uint32_t bytes);

void fenceProxy(Warp &warp, const Instruction &instruction);    ///< fence.proxy.async
void fenceProducts(Warp &warp, const Instruction &instruction); ///< wgmma.fence
/// Operands: the descriptors of A and B; extra is the product.
void beginProduct(Warp &warp, const Instruction &instruction);
void commitProducts(Warp &warp, const Instruction &instruction);
void waitForProducts(Warp &warp,
                     const Instruction &instruction); ///< the immediate is how many groups may be left
/// At a block's end: whether all warps of each group began the same products.
void checkWarpgroups(RunningLaunch &launch, const std::vector<std::unique_ptr<Warp>> &warps);

} // namespace daedalus::cuda
