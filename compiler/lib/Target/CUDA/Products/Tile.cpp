// See Tile.h. The model has the sizes of an A100, the smallest GPU for servers of sm_80 ("NVIDIA A100 Tensor
// Core GPU Architecture", table 4). Its times are there to be compared with each other alone: blocks run in
// waves, and each multiprocessor is as fast as its slowest part allows.

#include "Tile.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t staticShared = 48 << 10; ///< bytes of a block
constexpr int64_t mostSums = 128;          ///< of a thread, in registers
constexpr double multiprocessors = 108, sharedPerMultiprocessor = 164 << 10, threadsPerMultiprocessor = 2048,
                 registersPerMultiprocessor = 65536;
constexpr double sharedBytesPerCycle = 128, globalBytesPerCycle = 24, cyclesOfLatency = 800;

int64_t bytesOf(const Product &product) {
  return product.a.type().getIntOrFloatBitWidth() / 8;
}

int64_t sumsOfThread(const Tile &tile) {
  return tile.m * tile.n / tile.threads();
}

/// Products that a multiprocessor adds up in a cycle.
double productsPerCycle(const Product &product, Way way) {
  return way == Way::Fma ? 64 : product.isInt8() ? 2048 : 1024;
}

/// Bytes that a block reads from shared memory for a stage: each warp both its rows and its columns.
double sharedBytesOfStage(const Product &product, const Tile &tile) {
  const int64_t elements = tile.way == Way::Fma
                               ? 16 * (tile.m + tile.n) / 4 // a quarter of a warp reads one chunk
                               : tile.m * tile.warpsN + tile.n * tile.warpsM;
  return double(elements * tile.k * bytesOf(product));
}

double cyclesOf(const Product &product, const Tile &tile) {
  const double registers = double(sumsOfThread(tile) + 40) * tile.threads();
  const double atOnce =
      std::max(1.0, std::floor(std::min({sharedPerMultiprocessor / (tile.bytesOfShared(product) + 1024),
                                         threadsPerMultiprocessor / tile.threads(),
                                         registersPerMultiprocessor / registers})));
  const double blocks = tile.blocks(product);
  const double resident = std::min(atOnce, std::ceil(blocks / multiprocessors));
  const double waves = std::ceil(blocks / (multiprocessors * resident));
  const double compute = double(tile.m * tile.n * tile.k) / productsPerCycle(product, tile.way);
  const double shared = sharedBytesOfStage(product, tile) / sharedBytesPerCycle;
  const double global = double((tile.m + tile.n) * tile.k * bytesOf(product)) / globalBytesPerCycle;
  const bool takesTurns = tile.way == Way::Fma; // the same warps issue loads and FMA
  const double stage = std::max(takesTurns ? compute + shared : std::max(compute, shared), global);
  const double stages = llvm::divideCeil(product.k.size, tile.k);
  return waves * (cyclesOfLatency + stages * std::max(resident * stage, cyclesOfLatency / (tile.stages - 1)));
}

/// 16 KiB of both factors a stage of the large ones.
llvm::SmallVector<Tile> candidates(const Product &product) {
  if (product.isInt8() || product.isHalf()) {
    const int64_t k = 64 / bytesOf(product);
    return {{Way::TensorCores, 128, 128, k, 2, 4, 3}, {Way::TensorCores, 128, 64, k, 4, 2, 4},
            {Way::TensorCores, 64, 128, k, 2, 4, 4},  {Way::TensorCores, 64, 64, k, 2, 2, 4},
            {Way::TensorCores, 64, 32, k, 2, 1, 4},   {Way::TensorCores, 32, 64, k, 1, 2, 4},
            {Way::TensorCores, 32, 32, k, 1, 2, 4}};
  }
  return {
      {Way::Fma, 128, 128, 16, 2, 4, 3}, {Way::Fma, 64, 64, 16, 2, 4, 4}, {Way::Fma, 32, 32, 16, 2, 4, 4}};
}

/// Small ones are as fast without tiles; indices of large ones need more than 32 bits.
bool isWorthTiles(const Product &product) {
  constexpr int64_t fewProducts = 1 << 12;
  return whyNot(product, candidates(product).back()).empty() &&
         product.m.size * product.n.size * product.k.size >= fewProducts;
}

bool hasSmallIndices(const Product &product) {
  const auto isSmall = [](const Factor &factor) {
    return cast<MemRefType>(factor.operand->get().getType()).getNumElements() <
           std::numeric_limits<int32_t>::max();
  };
  return isSmall(product.a) && isSmall(product.b) &&
         product.batch.size * product.m.size * product.n.size < std::numeric_limits<int32_t>::max();
}

std::string number(int64_t value) {
  return std::to_string(value);
}

} // namespace

int64_t Tile::bytesOfShared(const Product &product) const {
  return stages * (m + n) * k * bytesOf(product);
}

int64_t Tile::blocks(const Product &product) const {
  return product.batch.size * llvm::divideCeil(product.m.size, m) * llvm::divideCeil(product.n.size, n);
}

Tile tileFor(const Product &product) {
  Tile best;
  if (!isWorthTiles(product))
    return best;
  double least = std::numeric_limits<double>::infinity();
  for (const Tile &tile : candidates(product))
    if (const double cycles = cyclesOf(product, tile); cycles < least)
      least = cycles, best = tile;
  return best;
}

std::string whyNot(const Product &product, const Tile &tile) {
  if (tile.way == Way::Threads)
    return "";
  const bool byTensorCores = tile.way == Way::TensorCores;
  const int64_t chunk = 16 / bytesOf(product), leastK = byTensorCores ? 2 * chunk : chunk;
  const int64_t leastM = 16 * (byTensorCores ? tile.warpsM : 1),
                leastN = 16 * (byTensorCores ? tile.warpsN : 1);
  if (!hasSmallIndices(product))
    return "has 2^31 elements or more, which are computed by threads alone";
  if (byTensorCores && !product.isInt8() && !product.isHalf())
    return "is of float32, which tensor cores round; expected by fma or by threads";
  if (!byTensorCores && product.isInt8())
    return "is of int8; expected by tensor_cores or by threads";
  if (tile.m < leastM || tile.n < leastN || tile.k < leastK)
    return "has a tile of " + number(tile.m) + " x " + number(tile.n) + " x " + number(tile.k) +
           "; expected at least " + number(leastM) + " x " + number(leastN) + " x " + number(leastK);
  if (tile.threads() > 1024 || sumsOfThread(tile) > mostSums)
    return "has " + number(tile.threads()) + " threads with " + number(sumsOfThread(tile)) +
           " sums each; expected 1024 and " + number(mostSums) + " at most";
  if (tile.bytesOfShared(product) > staticShared)
    return "needs " + number(tile.bytesOfShared(product)) + " bytes of shared memory; expected " +
           number(staticShared) + " at most";
  return "";
}

} // namespace daedalus::cuda
