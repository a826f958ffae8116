// See Script.h.

#include "Plan/Script.h"

#include "Lowering/Tiler.h"
#include "Plan/Candidates.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace daedalus::accelerator {

/// A call's tiles as a program; `ends` of the tiles in it.
struct Emitted {
  TileOrder order;
  TileProgram program;
  std::vector<size_t> ends;

  Emitted(const KernelCall &call, const Schedule &schedule, uint32_t index, const isa::Machine &machine)
      : order(call.kernel, schedule, machine.n) {
    Tiler tiler(call, schedule, order, index, machine, program);
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

Script::Script(const KernelCall &call, const isa::Machine &machine, Emitted &&emitted)
    : order(std::move(emitted.order)), ends(std::move(emitted.ends)), times(emitted.program, call, machine) {}

Script::Script(const KernelCall &call, const Schedule &schedule, const isa::Machine &machine)
    : Script(call, machine, Emitted(call, schedule, /*index=*/0, machine)) {}

std::pair<uint32_t, uint32_t> Script::operations(size_t tile) const {
  return {tile ? ends[tile - 1] : 0, ends[tile]};
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
  std::vector<Emitted> parts;
  std::vector<BufferId> firstBuffers;
  for (auto [i, call] : llvm::enumerate(calls)) {
    parts.emplace_back(call, call.schedule, first + i, machine);
    firstBuffers.push_back(program.buffers.size());
    llvm::append_range(program.buffers, parts.back().program.buffers);
  }
  for (const Piece &piece : pieces) {
    const Emitted &part = parts[piece.script];
    for (size_t i = piece.first; i < piece.end; ++i) {
      TileOp op = part.program.ops[i];
      for (BufferId *id : {&op.a, &op.b, &op.table, &op.dst})
        *id = *id == NoBuffer ? NoBuffer : *id + firstBuffers[piece.script];
      program.ops.push_back(std::move(op));
    }
  }
}

} // namespace daedalus::accelerator
