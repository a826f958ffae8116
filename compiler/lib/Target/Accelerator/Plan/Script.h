// All tiles of a call with one schedule, and the tiles of several in one order.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_SCRIPT_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_SCRIPT_H

#include "Lowering/TileOrder.h"
#include "Plan/Timing.h"

namespace daedalus::accelerator {

struct Emitted;

/// What plans are tried with: the tiles without the program that they are.
class Script {
public:
  Script(const KernelCall &call, const Schedule &schedule, const isa::Machine &machine);

  const TileOrder &tiles() const { return order; }
  const Timing &timing() const { return times; }
  /// Of a tile: the first of its operations, and the one behind its last.
  std::pair<uint32_t, uint32_t> operations(size_t tile) const;

private:
  Script(const KernelCall &call, const isa::Machine &machine, Emitted &&emitted);

  const TileOrder order;
  const std::vector<size_t> ends; ///< of the tiles, in the program
  const Timing times;
};

/// Calls of equal keys have equal scripts with the same schedule.
std::string scriptKey(const KernelCall &call);

/// Operations of one of several calls: those of a tile, or some of them.
struct Piece {
  uint32_t script, first, end;
};

/// Appends the operations of calls, the first of which is number `first`, in the order of pieces to a
/// program.
void append(llvm::ArrayRef<KernelCall> calls, size_t first, llvm::ArrayRef<Piece> pieces,
            const isa::Machine &machine, TileProgram &program);

} // namespace daedalus::accelerator

#endif
