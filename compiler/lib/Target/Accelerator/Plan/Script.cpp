// See Script.h.

#include "Plan/Script.h"

#include "Lowering/Tiler.h"
#include "Plan/Candidates.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace daedalus::accelerator {

/// The tiles of a call, or of two of which the first hands over to the second, as a program; `ends` of the
/// last one's tiles in it.
struct Emitted {
  TileOrder order;
  TileProgram program;
  std::vector<size_t> ends;

  Emitted(llvm::ArrayRef<KernelCall> calls, llvm::ArrayRef<Schedule> schedules, uint32_t index,
          const isa::Machine &machine)
      : order(calls.back().kernel, schedules.back(), machine.n) {
    if (calls.size() == 1) {
      run(Tiler(calls[0], schedules[0], order, index, machine, program));
      return;
    }
    const TileOrder none(calls[0].kernel, schedules[0], machine.n);
    Tiler source(calls[0], schedules[0], none, index, machine, program);
    run(Tiler(calls[1], schedules[1], order, index + 1, machine, program, &source));
  }

private:
  void run(Tiler &&tiler) {
    while (!tiler.done()) {
      tiler.emit();
      if (ends.empty()) { // the first tile has the most operations
        program.ops.reserve(program.ops.size() * order.size());
        program.buffers.reserve(program.buffers.size() * order.size());
      }
      ends.push_back(program.ops.size());
    }
  }
};

Script::Script(llvm::ArrayRef<KernelCall> calls, const isa::Machine &machine, Emitted &&emitted)
    : callCount(calls.size()), order(std::move(emitted.order)), ends(std::move(emitted.ends)),
      times(emitted.program, calls, machine) {}

Script::Script(llvm::ArrayRef<KernelCall> calls, llvm::ArrayRef<Schedule> schedules,
               const isa::Machine &machine)
    : Script(calls, machine, Emitted(calls, schedules, /*index=*/0, machine)) {}

std::pair<uint32_t, uint32_t> Script::operations(size_t tile) const {
  return {tile ? ends[tile - 1] : 0, ends[tile]};
}

llvm::ArrayRef<KernelCall> callsOf(const Script *script, llvm::ArrayRef<KernelCall> calls) {
  return calls.take_front(script ? script->calls() : 0);
}

std::string scriptKey(const KernelCall &call) {
  std::string key = rankingKey(call.kernel);
  llvm::raw_string_ostream stream(key);
  for (const Stage &stage : call.kernel.stages)
    for (const Operand &operand : {stage.dst, stage.a, stage.b, stage.table})
      stream << ' ' << (operand.is(Operand::Place::Immediate) ? 0 : operand.index);
  llvm::hash_code excess = 0;
  for (const Excess &each : call.kernel.excess)
    excess = llvm::hash_combine(excess, each.at, each.layer);
  stream << ' ' << size_t(excess);
  for (const Slot &slot : call.inputs)
    stream << " from " << slot.channel << ' ' << slot.pitch << ' ' << slot.isPadded;
  stream << " to " << call.output.channel << ' ' << call.output.pitch << ' ' << call.output.isPadded;
  return key;
}

void append(llvm::ArrayRef<KernelCall> calls, size_t first, llvm::ArrayRef<Piece> pieces,
            const isa::Machine &machine, TileProgram &program) {
  std::vector<std::optional<Emitted>> parts(calls.size());
  std::vector<BufferId> firstBuffers(calls.size());
  for (size_t i = 0; i < calls.size();) {
    const size_t count = 1 + calls[i].schedule.handsOver;
    llvm::SmallVector<Schedule, 2> schedules;
    for (const KernelCall &call : calls.slice(i, count))
      schedules.push_back(call.schedule);
    const Emitted &part = parts[i].emplace(calls.slice(i, count), schedules, first + i, machine);
    firstBuffers[i] = program.buffers.size();
    llvm::append_range(program.buffers, part.program.buffers);
    i += count;
  }
  for (const Piece &piece : pieces) {
    const Emitted &part = *parts[piece.script];
    for (size_t i = piece.first; i < piece.end; ++i) {
      TileOp op = part.program.ops[i];
      for (BufferId *id : {&op.a, &op.b, &op.table, &op.dst})
        *id = *id == NoBuffer ? NoBuffer : *id + firstBuffers[piece.script];
      program.ops.push_back(std::move(op));
    }
  }
}

} // namespace daedalus::accelerator
