// A kernel as tiles: loads, blocks and stores on buffers of the scratchpads, as plain data. The planner times
// them (StreamModel.h) before blockize makes operations of them, so both see the same order.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_TILES_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_TILES_H

#include "Lowering/Transfers.h"
#include "Schedule/Schedule.h"
#include "daedalus/Target/Accelerator/Accelerator.h"

#include <vector>

namespace daedalus::accelerator {

/// A kernel on its tensors, and how it is tiled.
struct KernelCall {
  Kernel kernel;
  Schedule schedule;        ///< fits
  std::vector<Slot> inputs; ///< as kernel.inputs
  Slot output;
  int64_t layer = 0;      ///< of the kernel
  int64_t fusedLayer = 0; ///< of the kernel that was fused to it
  mlir::Location fusedLoc;
  /// Whether its result is one operand of one call, and nothing else.
  bool hasOneReader = false;
  /// Its window before shapeForHandover.
  std::optional<Window> flat{};
  /// VECTOR's cycles for the rows of both kernels where they are not fused, which may be fewer.
  struct Apart {
    uint64_t own, fused;
  };
  std::optional<Apart> apart{};
};

/// Whether a slot is a part of a wider tensor, of other channels.
inline bool isPart(const Slot &slot) {
  return slot.pitch && !slot.isPadded;
}

/// A buffer of a scratchpad, dense, its innermost dimensions the lanes of a row.
struct TileBuffer {
  dae::Scope scope;
  llvm::SmallVector<int64_t, 6> shape;
  unsigned elementBits;
  bool isWrittenByVector = false; ///< of INP
};
using BufferId = int32_t;
constexpr BufferId NoBuffer = -1;

/// What is loaded from a call's constants.
enum class Constants : uint8_t { Weights, LaneWeights, SumWeights, Excess, OfStage };

struct TileOp {
  enum class Kind : uint8_t {
    Load,           ///< region of the input `operand` to dst
    LoadConstants,  ///< `bytes` of `constants` from byte `offset` to dst
    Fill,           ///< dst (ACC) = value
    Contract,       ///< dst (ACC) += a (INP) times b (WGT), on GEMM
    ContractExcess, ///< the same with one tile, or one block's that slides, of the excess: number `index` of
                    ///< b
    LaneProduct,    ///< dst (ACC) += a (INP) times b (PARAM) lane by lane, on VECTOR
    Combine,        ///< dst (ACC) = the elements of the window of a (INP), combined as the kernel says
    Stage,          ///< dst = stage `index` of the kernel of a and b, through `table`; of dst in INP the
                    ///< positions of `sizes` from `place` on
    Store,          ///< region of the output from a, `bytes` rows a position
  };
  Kind kind = Kind::Load;
  uint32_t call = 0; ///< in the planned order
  BufferId dst = NoBuffer, a = NoBuffer, b = NoBuffer, table = NoBuffer;
  bool fused = false;  ///< counts to the fused kernel's layer
  uint8_t operand = 0; ///< of Load
  Constants constants = Constants::Weights;
  uint16_t index = 0;  ///< of a stage, of the stages' constant, or of a tile of excess
  WeightTile excess{}; ///< within the tile and the step
  int32_t value = 0;
  int64_t offset = 0, bytes = 0;
  Region region{};
  Placement place{};
  Schedule sizes; ///< of the tile, which at borders are smaller than the schedule's
};

/// What the call reads and writes in DRAM.
Image inputImage(const KernelCall &call, unsigned operand);
Image outputImage(const KernelCall &call);

struct TileProgram {
  std::vector<TileBuffer> buffers;
  std::vector<TileOp> ops;
};

/// Rows that a buffer takes in its scope.
int64_t rowsOf(const TileBuffer &buffer, const isa::Machine &machine);

} // namespace daedalus::accelerator

#endif
