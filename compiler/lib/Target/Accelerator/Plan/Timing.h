// The operations of a call's tiles as the model of time runs them: what of them does not depend on what runs
// before, nor on which of several equal calls they are of, worked out once for all plans that they are part
// of.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_TIMING_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_TIMING_H

#include "Lowering/Tiles.h"

namespace daedalus::accelerator {

using Cycle = uint64_t;

/// What bursts that LOAD or STORE asks for one by one need of the module and the bus, whatever they wait for.
struct BurstTime {
  uint32_t issue = 0;   ///< of them
  uint32_t service = 0; ///< of its channel of the bus
  uint32_t beats = 0;
  uint32_t each = 0; ///< beats of one of them
};

/// An instruction of LOAD or STORE: parts that wait for each other, as no more may be open.
struct TransferTime {
  uint32_t service = 0; ///< of all
  uint32_t parts = 1;
  BurstTime part, last; ///< each but the last one; that one
};

/// From behind the last read to the end of a STORE.
inline Cycle storeLatency(const isa::Machine &machine) {
  return machine.storeReadLatency + machine.writeLatency;
}

/// Cycles that operations keep each module busy; LOAD and STORE their channel of the bus.
struct Busy {
  Cycle load = 0, gemm = 0, vector = 0, store = 0;

  Busy &operator+=(const Busy &other);
};

/// Cycles from where a module has done its last operation of a script to the end of all, since others still
/// need its result.
struct Drain {
  Cycle load = 0, gemm = 0, vector = 0;
  uint32_t lastLoad = 0; ///< the operation that `load` is behind
};

struct Timing {
  enum class Kind : uint8_t { Fill, Load, Gemm, Vector, Store };
  /// What of a tensor in DRAM is read or written: fractions of its bytes, and blocks of its channels.
  struct Part {
    int32_t first = 0, end = 0, firstBlock = 0, endBlock = 0;

    bool overlaps(const Part &other) const {
      return first < other.end && other.first < end && firstBlock < other.endBlock &&
             other.firstBlock < endBlock;
    }
  };
  struct Op {
    static constexpr uint8_t NoInput = 255;
    static constexpr int Operands = 4;
    Kind kind = Kind::Fill;
    uint8_t input = NoInput;                                               ///< that is read
    uint8_t firstUse = 0, lastUse = 0;                                     ///< of its buffers, a bit each
    BufferId buffers[Operands] = {NoBuffer, NoBuffer, NoBuffer, NoBuffer}; ///< a, b, table, dst
    uint32_t firstTransfer = 0, endTransfer = 0;                           ///< of a load or a store
    Cycle cycles = 0;                                                      ///< of a block
    Part part;                                                             ///< of the input or of the output

    BufferId dst() const { return buffers[Operands - 1]; }
  };
  struct Buffer {
    uint8_t scope; ///< dae::Scope less one
    int32_t rows;  ///< that it owns
    int32_t alignment;
  };

  static constexpr int64_t Fractions = 64; ///< of a tensor, along its pixels

  /// Of the tiles of one call, or of two of which the first hands over to the second. Inputs are numbered as
  /// inputsOf has them.
  Timing(const TileProgram &program, llvm::ArrayRef<KernelCall> calls, const isa::Machine &machine);

  std::vector<Op> ops;
  std::vector<Buffer> buffers;
  std::vector<TransferTime> transfers;
  Busy work; ///< of all
  Drain drain;
};

/// The inputs of calls, one call's behind the other's.
llvm::SmallVector<const Slot *, 8> inputsOf(llvm::ArrayRef<KernelCall> calls);

} // namespace daedalus::accelerator

#endif
