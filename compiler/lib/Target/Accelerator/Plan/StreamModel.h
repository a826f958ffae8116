// The time of planned tiles: a recurrence over their operations in program order (max-plus, no clock), since
// the modules run in order and an instruction starts when its module is free and what it waits for has ended.
// LOAD and STORE are timed by runs, not by single bursts, and tokens are taken as perfect, so it is an
// estimate; the rules of docs/timing.md stand behind its constants.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_STREAMMODEL_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_STREAMMODEL_H

#include "Lowering/Tiles.h"
#include "daedalus/Dialect/Dae/Transforms/Ring.h"

#include <array>
#include <map>
#include <memory>

namespace daedalus::accelerator {

/// The state of a machine behind the operations run so far. Copies are cheap: plans are tried on copies.
class StreamModel {
public:
  explicit StreamModel(const isa::Machine &machine);

  /// What to compare plans by: the cycle in which everything has ended, behind the last call; before that
  /// also how early GEMM and LOAD are free for what follows.
  enum class Rank { End, Score };

  /// Runs a program of the calls behind everything before; its buffers end with it. False where a buffer
  /// finds no room, or as soon as the cost cannot stay below `most`.
  bool run(llvm::ArrayRef<Piece> pieces, llvm::ArrayRef<KernelCall> calls, Rank rank, double most);

  /// The cycle in which everything so far has ended.
  uint64_t end() const { return last; }
  double cost(Rank rank) const;
  /// How many tiles the last run has simulated.
  uint64_t tilesOfLastRun() const { return tiles; }

private:
  using Cycle = uint64_t;
  enum Module { Load, Gemm, Vector, Store, ModuleCount };

  /// Rows of a scope that a buffer left, and when.
  struct Left {
    int64_t begin, end;
    Cycle at;
  };
  struct Scope {
    dae::Ring ring;
    std::vector<Left> left;
  };
  struct Buffer {
    int64_t row = -1, rows = 0, lastUse = 0;
    Cycle free = 0;  ///< its rows' last users have ended
    Cycle ready = 0; ///< what was written last is there
    Cycle used = 0;  ///< its last reader or writer has ended
  };
  /// When the parts of a tensor in DRAM are there: by fractions of its bytes, and blocks of channels.
  struct Tensor {
    int64_t blocks = 1;
    Cycle latest = 0;
    std::vector<Cycle> ready;
  };
  struct Part {
    int64_t first, end, firstBlock, endBlock;
  };

  bool place(const TileBuffer &shape, Buffer &buffer, int64_t position);
  void release(const TileBuffer &shape, const Buffer &buffer);
  bool step(const TileOp &op, const TileProgram &program, llvm::ArrayRef<KernelCall> calls, Buffer *buffers,
            int64_t position);
  Cycle execute(const TileOp &op, llvm::ArrayRef<KernelCall> calls, Buffer *buffers,
                const TileProgram &program);
  static Module moduleOf(TileOp::Kind block) { return block == TileOp::Kind::Contract ? Gemm : Vector; }
  Cycle cyclesOf(const TileOp &op, const KernelCall &call, const TileProgram &program) const;
  double ranked(Cycle end, Cycle gemm, Rank rank) const;
  double leastCost(Rank rank) const;
  Cycle dispatch(Module module);
  Cycle startOf(Module module, Cycle ready);
  Cycle load(const Transfer &transfer, Cycle ready);
  Cycle compute(Module module, Cycle cycles, Cycle ready);
  Cycle store(const Transfer &transfer, Cycle ready);
  Part partOf(const Slot &slot, const Image &image, const Window &w, const Region &region) const;
  Cycle inputReady(const KernelCall &call, const TileOp &op) const;
  void outputReady(const KernelCall &call, const TileOp &op, Cycle at);

  const isa::Machine *machine;
  std::array<Scope, 6> scopes;                        ///< by dae::Scope less one
  std::map<int64_t, std::shared_ptr<Tensor>> tensors; ///< by the offset of the whole tensor
  std::array<Cycle, ModuleCount> free{};
  std::array<std::vector<Cycle>, ModuleCount> starts; ///< of the last instructions, as many as a queue holds
  std::array<Cycle, ModuleCount> toDo{};              ///< what GEMM and VECTOR still have to do in this run
  uint64_t tiles = 0;
  Cycle dispatched = 0, readChannel = 0, writeChannel = 0, last = 0;
};

} // namespace daedalus::accelerator

#endif
