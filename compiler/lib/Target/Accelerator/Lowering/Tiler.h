// From a kernel call to its tiles, in the order of the schedule.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_TILER_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_TILER_H

#include "Lowering/Handover.h"
#include "Lowering/TileOrder.h"
#include "Lowering/Tiles.h"

#include <array>
#include <map>

namespace daedalus::accelerator {

/// Tiles of one call one by one. Weights, parameters and inputs are loaded when a tile first needs them and
/// stay while the schedule says so (weightsStay, inputsStay).
class Tiler {
public:
  /// `order` is that of the schedule. `giver` makes what the windows read, where that is handed over.
  Tiler(const KernelCall &call, const Schedule &schedule, const TileOrder &order, uint32_t index,
        const isa::Machine &machine, TileProgram &program, Tiler *giver = nullptr);

  bool done() const { return next == order.size(); }
  /// Appends the next tile's operations to the program.
  void emit();

private:
  using Key = std::array<int64_t, 7>; ///< what is not of it is 0
  /// Where in a buffer of INP a tile's result goes, and what loads the padding around it.
  struct Handed {
    BufferId buffer = NoBuffer;
    Placement place{};
    llvm::SmallVector<TileOp, 4> padding{};
  };
  using Kept = std::map<Key, BufferId>;

  int64_t pieceOf(const WeightPieces &from, const Tile &tile, size_t step, int64_t tiles) const;
  BufferId alloc(dae::Scope scope, llvm::ArrayRef<int64_t> shape, unsigned elementBits);
  TileOp &append(TileOp::Kind kind, BufferId dst, BufferId a = NoBuffer, BufferId b = NoBuffer);
  std::pair<BufferId &, bool> keep(Kept &kept, const Key &key, bool hold);
  TileOp &loadConstants(BufferId dst, Constants constants, int64_t offset, int64_t bytes);
  Schedule sizes(const Tile &tile, const Step &step) const;
  bool onVector(const Tile &tile) const;

  llvm::SmallVector<int64_t, 6> weightShape(const Tile &tile, size_t step, int64_t blocks) const;
  BufferId weights(const Tile &tile, size_t step);
  BufferId inputWeights(const Tile &tile, size_t step);
  BufferId ones(dae::Scope scope);
  BufferId sumWeights(const Tile &tile, size_t step);
  std::pair<size_t, size_t> excessOf(const Tile &tile, size_t step) const;
  BufferId excessWeights(const Tile &tile, size_t step, size_t first, size_t end);
  void addExcess(const Tile &tile, size_t step, BufferId acc, BufferId inp);
  void sumInputs(const Tile &tile, size_t step, BufferId inp, BufferId factors);
  BufferId laneWeights(const Tile &tile, size_t step);
  BufferId windowed(const Tile &tile, size_t step);
  BufferId pointwise(const Tile &tile, size_t operand, bool fused);
  BufferId constantOf(const Tile &tile, size_t index, bool fused);
  BufferId row(const Tile &tile, size_t operand, bool fused);
  BufferId loadWindow(const Tile &tile, const Step &step, int64_t firstBlock);
  BufferId handedWindow(const Tile &tile, size_t step);
  BufferId makeWindow(const Tile &tile, const Step &step);
  llvm::SmallVector<TileOp, 4> paddingOf(const HandedWindow &window, const Handed &to) const;
  void makeTile(const Tile &tile, Handed to);
  bool isScattered(size_t operand) const;
  void fillLanes(BufferId buffer, size_t operand, const Region &region, const Placement &place,
                 int64_t blocks);
  void compute(const Tile &tile);
  void reduce(const Tile &tile);
  void loadFirstParameters(const Tile &tile);
  void runStage(const Tile &tile, size_t stage);
  BufferId place(const Tile &tile, const Operand &operand);
  BufferId source(const Tile &tile, const Operand &operand, bool fused);
  int64_t lanesOf(const Slot &slot, const Range &blocks, int64_t channels) const;
  void store(const Tile &tile);

  const KernelCall &call;
  const Kernel &kernel;
  const Window &w;
  const Schedule schedule;
  const uint32_t index;
  const int64_t n;
  const TileOrder &order;
  TileProgram &program;
  const std::vector<Step> steps;
  const bool keepWeights, keepInputs, keepParameters;
  const WeightPieces pieces, lanePieces;
  const std::vector<WeightTile> excess;
  size_t next = 0;
  Kept keptWeights, keptLaneWeights, keptSumWeights, keptExcess, keptInputs;
  std::vector<Kept> keptConstants;                               ///< of the stages
  std::vector<bool> isForAll;                                    ///< of the stages' constants
  std::vector<Kept> keptRows;                                    ///< of the inputs
  std::vector<BufferId> tileInputs, temporaries, rowTemporaries; ///< of the tile
  BufferId output = NoBuffer;                                    ///< of the tile
  Tiler *const giver;                                            ///< hands over what the windows read
  Handed handed;                      ///< of the tile that is made for the next call
  std::map<size_t, BufferId> windows; ///< that were made, by the tile and the step
  Key inputPixel, weightsImage;
  std::map<dae::Scope, BufferId> keptOnes;
};

} // namespace daedalus::accelerator

#endif
