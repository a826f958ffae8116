// All tiles of a call with one schedule, and the tiles of several in one order.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_SCRIPT_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_SCRIPT_H

#include "Lowering/TileOrder.h"
#include "Plan/Timing.h"

namespace daedalus::accelerator {

struct Emitted;

/// What plans are tried with: the tiles without the program that they are. Of a call that hands over to the
/// next one, the tiles of both.
class Script {
public:
  Script(llvm::ArrayRef<KernelCall> calls, llvm::ArrayRef<Schedule> schedules, const isa::Machine &machine);

  /// How many.
  size_t calls() const { return callCount; }
  /// Of the last call.
  const TileOrder &tiles() const { return order; }
  const Timing &timing() const { return times; }
  /// Of a tile: the first of its operations, and the one behind its last.
  std::pair<uint32_t, uint32_t> operations(size_t tile) const;

private:
  Script(llvm::ArrayRef<KernelCall> calls, const isa::Machine &machine, Emitted &&emitted);

  const size_t callCount;
  const TileOrder order;
  const std::vector<size_t> ends; ///< of the tiles, in the program
  const Timing times;
};

/// Of `calls`, those that the script at their first one is of. Scripts of several calls are a list with a
/// place for each of them: where the call before hands over to it, the place is null.
llvm::ArrayRef<KernelCall> callsOf(const Script *script, llvm::ArrayRef<KernelCall> calls);

/// Calls of equal keys have equal scripts with the same schedule.
std::string scriptKey(const KernelCall &call);

/// Operations of one of several calls: those of a tile, or some of them.
struct Piece {
  uint32_t script, first, end;
};

/// Appends the operations of calls, which have their schedules and the first of which is number `first`, in
/// the order of pieces to a program.
void append(llvm::ArrayRef<KernelCall> calls, size_t first, llvm::ArrayRef<Piece> pieces,
            const isa::Machine &machine, TileProgram &program);

} // namespace daedalus::accelerator

#endif
