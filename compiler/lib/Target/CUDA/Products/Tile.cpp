// See Tile.h. The model has the sizes of an A100, the smallest GPU for servers of sm_80 ("NVIDIA A100 Tensor
// Core GPU Architecture", table 4), and for sm_90a those of an H100 ("NVIDIA H100 Tensor Core GPU
// Architecture", table 3). Its times are there to be compared with each other alone: blocks run in waves, and
// each multiprocessor is as fast as its slowest part allows.

#include "Tile.h"

#include "llvm/Support/MathExtras.h"

#include <limits>
#include <tuple>

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t mostSums = 128; ///< of a thread, in registers
constexpr int64_t warpsOfGroup = 4, rowsOfGroup = 64, leastColumns = 16, mostColumns = 256,
                  bytesOfK = 32; ///< of wgmma
constexpr double threadsPerMultiprocessor = 2048, registersPerMultiprocessor = 65536;
constexpr double sharedBytesPerCycle = 128, cyclesOfLatency = 800;

struct Gpu {
  double multiprocessors, sharedPerMultiprocessor;
  double productsPerCycle;    ///< of float16 by mma.sync, of each multiprocessor; of int8 twice as many
  double globalBytesPerCycle; ///< to a multiprocessor, most of them from the L2
};

// The last two of an H100 are fitted to what 16 tiles of eight products took on an H200
// (docs/performance.md): the engine of mma.sync waits for the matrices that its warps load, so it reaches
// less than the GPU's 1280.
constexpr Gpu a100 = {108, 164 << 10, 1024, 24}, h100 = {132, 228 << 10, 500, 32};
constexpr double productsOfWarpgroups = 2048;

int64_t bytesOf(const Product &product) {
  return product.a.type().getIntOrFloatBitWidth() / 8;
}

int64_t sumsOfThread(const Tile &tile) {
  return tile.m * tile.n / tile.threads();
}

/// Products that a multiprocessor adds up in a cycle.
double productsPerCycle(const Product &product, Way way, const Gpu &gpu) {
  const double ofHalves = way == Way::Warpgroups ? productsOfWarpgroups : gpu.productsPerCycle;
  return way == Way::Fma ? 64 : product.isInt8() ? 2 * ofHalves : ofHalves;
}

/// Bytes that a block reads from shared memory for a stage: each warp, or group of warps, both its rows and
/// its columns.
double sharedBytesOfStage(const Product &product, const Tile &tile) {
  const int64_t down = tile.way == Way::Warpgroups ? tile.warpsM / warpsOfGroup : tile.warpsM;
  const int64_t elements = tile.way == Way::Fma
                               ? 16 * (tile.m + tile.n) / 4 // a quarter of a warp reads one chunk
                               : tile.m * tile.warpsN + tile.n * down;
  return double(elements * tile.k * bytesOf(product));
}

double cyclesOf(const Product &product, const Tile &tile, const Gpu &gpu) {
  const double registers = double(sumsOfThread(tile) + 40) * tile.threads();
  const double atOnce =
      std::max(1.0, std::floor(std::min({gpu.sharedPerMultiprocessor / (tile.bytesOfShared(product) + 1024),
                                         threadsPerMultiprocessor / tile.threads(),
                                         registersPerMultiprocessor / registers})));
  const double blocks = tile.blocks(product);
  const double resident = std::min(atOnce, std::ceil(blocks / gpu.multiprocessors));
  const double waves = std::ceil(blocks / (gpu.multiprocessors * resident));
  const double compute = double(tile.m * tile.n * tile.k) / productsPerCycle(product, tile.way, gpu);
  const double shared = sharedBytesOfStage(product, tile) / sharedBytesPerCycle;
  const double global = double((tile.m + tile.n) * tile.k * bytesOf(product)) / gpu.globalBytesPerCycle;
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

/// Stages of lines of 128 bytes along K, of small ones also of 64.
llvm::SmallVector<Tile> candidatesOfWarpgroups(const Product &product) {
  const int64_t k = 128 / bytesOf(product);
  return {{Way::Warpgroups, 128, 256, k, 8, 1, 4},  {Way::Warpgroups, 128, 128, k, 8, 1, 4},
          {Way::Warpgroups, 64, 256, k, 4, 1, 4},   {Way::Warpgroups, 128, 64, k, 8, 1, 4},
          {Way::Warpgroups, 64, 128, k, 4, 1, 4},   {Way::Warpgroups, 64, 64, k, 4, 1, 4},
          {Way::Warpgroups, 64, 32, k, 4, 1, 4},    {Way::Warpgroups, 64, 64, k / 2, 4, 1, 4},
          {Way::Warpgroups, 64, 32, k / 2, 4, 1, 4}};
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

bool Tile::operator==(const Tile &other) const {
  const auto all = [](const Tile &t) {
    return std::tuple(t.way, t.m, t.n, t.k, t.warpsM, t.warpsN, t.stages);
  };
  return all(*this) == all(other);
}

int64_t Tile::bytesOfShared(const Product &product) const {
  return stages * (m + n) * k * bytesOf(product);
}

int64_t Tile::blocks(const Product &product) const {
  return product.batch.size * llvm::divideCeil(product.m.size, m) * llvm::divideCeil(product.n.size, n);
}

llvm::SmallVector<Tile> candidatesFor(const Product &product, const Architecture &architecture) {
  llvm::SmallVector<Tile> tiles = candidates(product);
  if (architecture.hasWarpgroups() && tiles.front().way == Way::TensorCores) {
    const llvm::SmallVector<Tile> others = candidatesOfWarpgroups(product);
    tiles.insert(tiles.begin(), others.begin(), others.end());
  }
  return tiles;
}

Tile tileFor(const Product &product, const Architecture &architecture) {
  Tile best;
  if (!isWorthTiles(product))
    return best;
  double least = std::numeric_limits<double>::infinity();
  for (const Tile &tile : candidatesFor(product, architecture)) // of those that are as good the first
    if (const double cycles = cyclesOf(product, tile, architecture.hasWarpgroups() ? h100 : a100);
        cycles < least)
      least = cycles, best = tile;
  return best;
}

/// Of a tile by warpgroups, beside what all tiles have to be.
static std::string whyNotByWarpgroups(const Product &product, const Tile &tile) {
  if (tile.warpsM % warpsOfGroup)
    return "has " + number(tile.warpsM) + " warps that share the rows; expected groups of " +
           number(warpsOfGroup);
  const int64_t rows = rowsOfGroup * tile.warpsM / warpsOfGroup, columns = tile.n / tile.warpsN;
  if (tile.m < rows || columns < leastColumns || columns > mostColumns ||
      tile.k * bytesOf(product) < bytesOfK)
    return "has a tile of " + number(tile.m) + " x " + number(tile.n) + " x " + number(tile.k) +
           "; expected at least " + number(rows) + " rows, " + number(leastColumns * tile.warpsN) + " to " +
           number(mostColumns * tile.warpsN) + " columns, and " + number(bytesOfK / bytesOf(product)) +
           " along K";
  return "";
}

std::string whyNot(const Product &product, const Tile &tile) {
  if (tile.way == Way::Threads)
    return "";
  const bool byTensorCores = tile.way == Way::TensorCores || tile.way == Way::Warpgroups;
  const int64_t chunk = 16 / bytesOf(product), leastK = byTensorCores ? 2 * chunk : chunk;
  const int64_t leastM = 16 * (byTensorCores ? tile.warpsM : 1),
                leastN = 16 * (byTensorCores ? tile.warpsN : 1);
  if (!hasSmallIndices(product))
    return "has 2^31 elements or more, which are computed by threads alone";
  if (byTensorCores && !product.isInt8() && !product.isHalf())
    return "is of float32, which tensor cores round; expected by fma or by threads";
  if (!byTensorCores && product.isInt8())
    return "is of int8; expected by tensor_cores, by warpgroups or by threads";
  if (tile.way == Way::Warpgroups)
    if (std::string why = whyNotByWarpgroups(product, tile); !why.empty())
      return why;
  if (tile.m < leastM || tile.n < leastN || tile.k < leastK)
    return "has a tile of " + number(tile.m) + " x " + number(tile.n) + " x " + number(tile.k) +
           "; expected at least " + number(leastM) + " x " + number(leastN) + " x " + number(leastK);
  if (tile.threads() > 1024 || sumsOfThread(tile) > mostSums)
    return "has " + number(tile.threads()) + " threads with " + number(sumsOfThread(tile)) +
           " sums each; expected 1024 and " + number(mostSums) + " at most";
  const int64_t mostShared = tile.way == Way::Warpgroups ? sharedOfWarpgroups : sharedOfBlock;
  if (tile.bytesOfShared(product) > mostShared)
    return "needs " + number(tile.bytesOfShared(product)) + " bytes of shared memory; expected " +
           number(mostShared) + " at most";
  return "";
}

} // namespace daedalus::cuda
