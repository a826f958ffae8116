// The time of planned tiles: a recurrence over their operations in program order (max-plus, no clock), since
// the modules run in order and an instruction starts when its module is free and what it waits for has ended.
// Tokens are taken as perfect, so it is an estimate; the rules of docs/timing.md stand behind its constants.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_STREAMMODEL_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_STREAMMODEL_H

#include "Plan/Ending.h"
#include "Plan/Fetch.h"
#include "Plan/OpenSegments.h"
#include "Plan/Script.h"
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

  /// Runs the scripts of calls (scriptsOf), their tiles in the order of `pieces`, behind everything before;
  /// their buffers end with them. False where a buffer finds no room, or as soon as the cost cannot stay
  /// below `most`.
  bool run(llvm::ArrayRef<const Script *> scripts, llvm::ArrayRef<KernelCall> calls,
           llvm::ArrayRef<Piece> pieces, Rank rank, double most);

  /// What the cost is at least behind `work` more, which ends like this.
  double leastCost(const Busy &work, Rank rank, const Ending &ending = {}) const;

  /// The cycle in which everything so far has ended.
  uint64_t end() const { return last; }
  double cost(Rank rank) const;

private:
  enum Module { Load, Gemm, Vector, Store, ModuleCount };

  /// Rows of a scope that a buffer left, and when.
  struct Left {
    int64_t begin, end;
    Cycle at;
  };
  struct Scope {
    dae::Ring ring;
    llvm::SmallVector<Left, 16> left;
  };
  struct Buffer {
    int64_t row;
    Cycle free;  ///< its rows' last users have ended
    Cycle ready; ///< what was written last is there
    Cycle used;  ///< its last reader or writer has ended
  };
  /// What has been written to a tensor in DRAM, in the order in which it is there.
  struct Write {
    Timing::Part part;
    Cycle at;
  };
  using Writes = std::vector<Write>;

  /// What of a run belongs to a script.
  struct Running {
    const Timing *timing;
    std::unique_ptr<Buffer[]> buffers;
    llvm::SmallVector<const Writes *, 4> inputs; ///< null where nothing has to be waited for
    Writes *output;
  };

  Running begin(const Script *script, llvm::ArrayRef<KernelCall> calls);
  Writes *outputOf(const KernelCall &call);
  bool place(const Timing::Buffer &shape, Buffer &buffer);
  Cycle writableFrom(uint8_t scope) const;
  void release(const Timing::Buffer &shape, const Buffer &buffer);
  bool step(const Timing::Op &op, Running &script);
  Cycle execute(const Timing::Op &op, Running &script);
  Cycle leastLoad(Cycle gemm, Cycle vector, const Busy &work, const Ending &ending) const;
  double ranked(Cycle end, Cycle gemm, Cycle load, Rank rank) const;
  Cycle dispatch(Module module);
  Cycle startOf(Module module, Cycle ready);
  Cycle readyOf(const Writes &writes, const Timing::Part &part) const;
  Cycle load(const TransferTime &whole, Cycle ready);
  void readParts(const TransferTime &whole);
  void read(const BurstTime &part);
  Cycle compute(Module module, Cycle &toDo, Cycle cycles, Cycle ready);
  Cycle store(const TransferTime &whole, Cycle ready);
  void write(const BurstTime &part);

  const isa::Machine *machine;
  std::array<Scope, 6> scopes;                        ///< by dae::Scope less one
  std::map<int64_t, std::shared_ptr<Writes>> tensors; ///< by the offset of the whole tensor
  std::array<Cycle, ModuleCount> free{};
  std::array<llvm::SmallVector<Cycle, 8>, ModuleCount>
      starts;                               ///< of the last instructions, as many as a queue holds
  std::array<size_t, ModuleCount> oldest{}; ///< of these
  Busy toDo;                                ///< in this run
  Fetch fetch;
  OpenSegments reads, writes;
  Cycle dispatched = 0, readChannel = 0, writeChannel = 0, last = 0;
};

} // namespace daedalus::accelerator

#endif
