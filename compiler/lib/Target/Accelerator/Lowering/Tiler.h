// From a kernel call to its tiles, in the order of the schedule.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_TILER_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_TILER_H

#include "Lowering/Packing.h"
#include "Lowering/Tiles.h"

#include <map>

namespace daedalus::accelerator {

struct Tile {
  int64_t batch;
  Range oh, ow, oc; ///< pixels, and blocks of N channels
};

/// Tiles of one call one by one. Weights, parameters and inputs are loaded when a tile first needs them and
/// stay while the schedule says so (weightsStay, inputsStay).
class Tiler {
public:
  Tiler(const KernelCall &call, uint32_t index, const isa::Machine &machine, TileProgram &program);

  const std::vector<Tile> &tiles() const { return order; }
  bool done() const { return next == order.size(); }
  /// Appends the next tile's operations to the program.
  void emit();
  /// What is emitted already is taken in again, tile by tile.
  void rewind() { next = 0; }
  void skip() { ++next; }

  /// Which elements of a tensor, in NHWC order, lie in front of a tile: a part of a whole.
  struct Progress {
    int64_t elements = 0, of = 1;
    bool covers(const Progress &other) const { return elements * other.of >= other.elements * of; }
  };
  /// The end of what the next tile reads of an input.
  Progress needed(unsigned operand) const;
  /// The output that is complete behind all tiles but the last `lag` bands: tiles of the same rows, or of the
  /// same pixels where there is one row.
  Progress complete(int64_t lag) const;
  /// The channels that are complete, of all pixels, behind all tiles but the last `lag` bands of the same
  /// channels; 0 where tiles do not come channels by channels.
  int64_t completeChannels(int64_t lag) const;
  /// The end of the channels that the next tile reads of an input of which it reads its own.
  int64_t neededChannels() const { return std::min(w.oc, (order[next].oc.begin + order[next].oc.count) * n); }
  /// How many tiles are emitted.
  Progress emitted() const { return {int64_t(next), int64_t(order.size())}; }

private:
  using Kept = std::map<std::vector<int64_t>, BufferId>;

  void makeTiles();
  void ramp();
  int64_t pieceOf(const Tile &tile, size_t step) const;
  BufferId alloc(dae::Scope scope, llvm::ArrayRef<int64_t> shape, unsigned elementBits);
  TileOp &append(TileOp::Kind kind, BufferId dst, BufferId a = NoBuffer, BufferId b = NoBuffer);
  std::pair<BufferId &, bool> keep(Kept &kept, const std::vector<int64_t> &key, bool hold);
  TileOp &loadConstants(BufferId dst, Constants constants, int64_t offset, int64_t bytes);
  Schedule sizes(const Tile &tile, const Step &step) const;
  bool onVector(const Tile &tile) const;

  BufferId weights(const Tile &tile, size_t step);
  BufferId inputWeights(const Tile &tile, size_t step);
  BufferId ones(dae::Scope scope);
  BufferId sumWeights(const Tile &tile, size_t step);
  void sumInputs(const Tile &tile, size_t step, BufferId inp, BufferId factors);
  BufferId laneWeights(const Tile &tile, size_t step);
  BufferId windowed(const Tile &tile, size_t step);
  BufferId pointwise(const Tile &tile, size_t operand, bool fused);
  BufferId constantOf(const Tile &tile, size_t index, bool fused);
  BufferId row(const Tile &tile, size_t operand, bool fused);
  BufferId loadWindow(const Tile &tile, const Step &step, int64_t firstBlock);
  bool isScattered(size_t operand) const;
  void fillLanes(BufferId buffer, size_t operand, const Region &region, const Placement &place,
                 int64_t blocks);
  void reduce(const Tile &tile);
  void loadFirstParameters(const Tile &tile);
  void runStage(const Tile &tile, size_t stage);
  BufferId place(const Tile &tile, const Operand &operand);
  BufferId source(const Tile &tile, const Operand &operand, bool fused);
  void store(const Tile &tile);

  const KernelCall &call;
  const Kernel &kernel;
  const Window &w;
  const Schedule schedule;
  const uint32_t index;
  const int64_t n;
  TileProgram &program;
  const std::vector<Step> steps;
  const bool keepWeights, keepInputs;
  const WeightPieces pieces;
  std::vector<Tile> order;
  size_t next = 0;
  Kept keptWeights, keptLaneWeights, keptSumWeights, keptInputs;
  std::vector<Kept> keptConstants;                               ///< of the stages
  std::vector<Kept> keptRows;                                    ///< of the inputs
  std::vector<BufferId> tileInputs, temporaries, rowTemporaries; ///< of the tile
  BufferId output = NoBuffer;                                    ///< of the tile
  std::vector<int64_t> inputPixel, weightsImage;
  std::map<dae::Scope, BufferId> keptOnes;
};

} // namespace daedalus::accelerator

#endif
