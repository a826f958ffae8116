// A kernel as tiles: loads, blocks and stores on buffers of the scratchpads, as plain data. The planner times
// them (StreamModel.h) before blockize makes operations of them, so both see the same order.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_TILES_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_TILES_H

#include "Schedule.h"
#include "Transfers.h"
#include "daedalus/Target/Accelerator/Accelerator.h"

#include <vector>

namespace daedalus::accelerator {

/// A kernel on its tensors, and how it is tiled.
struct KernelCall {
  Kernel kernel;
  Schedule schedule;        ///< fits
  std::vector<Slot> inputs; ///< as kernel.inputs, then the other operand of an epilogue that adds
  Slot output;
  int64_t layer = 0;         ///< of the kernel
  int64_t epilogueLayer = 0; ///< of the epilogue, where the kernel has one
  mlir::Location epilogueLoc;
};

/// A buffer of a scratchpad, dense, its innermost dimensions the lanes of a row.
struct TileBuffer {
  dae::Scope scope;
  llvm::SmallVector<int64_t, 6> shape;
  unsigned elementBits;
};
using BufferId = int32_t;
constexpr BufferId NoBuffer = -1;

/// What is loaded from a call's constants.
enum class Constants : uint8_t { Weights, LaneWeights, Parameters, EpilogueParameters, Table };

struct TileOp {
  enum class Kind : uint8_t {
    Load,          ///< region of the input `operand` to dst
    LoadConstants, ///< `bytes` of `constants` from byte `offset` to dst
    Fill,          ///< dst (ACC) = value
    Contract,      ///< dst (ACC) += a (INP) times b (WGT), on GEMM
    Depthwise,     ///< dst (ACC) += a (INP) times b (PARAM) lane by lane, on VECTOR
    Pool,          ///< dst (ACC) = max or sum over the window of a (INP)
    Scale,         ///< dst (ACC) = a times value, or plus that
    Multiply,      ///< dst (ACC) = a times b, both INP
    Lookup,        ///< dst (OUT) = table b of a
    Requantize,    ///< dst (OUT, or ACC in place) = requant of a by b (PARAM)
    Saturate,      ///< dst (OUT) = a clamped to int8
    Move,          ///< dst (OUT) = a (INP), repeated as the kernel says
    Store,         ///< region of the output from a, `bytes` rows a position
  };
  Kind kind;
  uint32_t call = 0; ///< in the planned order
  BufferId dst = NoBuffer, a = NoBuffer, b = NoBuffer;
  bool epilogue = false;   ///< counts to the epilogue's layer
  bool accumulate = false; ///< of Scale
  uint8_t operand = 0;     ///< of Load
  Constants constants = Constants::Weights;
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
