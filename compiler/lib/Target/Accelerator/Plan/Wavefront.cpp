// See Wavefront.h.

#include "Plan/Wavefront.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <set>

namespace daedalus::accelerator {
namespace {

/// Whether an input that another call wrote is a whole tensor of pixels as that one wrote them, of which a
/// tile reads the channels that it writes.
bool readsSameChannels(const KernelCall &call, size_t operand, const KernelCall &from) {
  const Kernel &kernel = call.kernel;
  const Window &w = kernel.window;
  const bool isWhole = !kernel.layouts[operand] && !call.inputs[operand].pitch && !from.output.pitch;
  const bool readsOwn = isWindowed(kernel, operand) ? readsOwnChannels(kernel) : !isWeights(kernel, operand);
  return isWhole && readsOwn && from.kernel.resultBytes() == 1 && w.oc == from.kernel.window.oc &&
         (!isWindowed(kernel, operand) || w.c == w.oc);
}

/// Whether the next tile of `consumer` can follow: its inputs are there, and it is not ahead of neighbours
/// that it does not read.
bool mayFollow(const Tiler &consumer, const KernelCall &call, const Tiler &producer, const KernelCall &from,
               int64_t lag) {
  bool reads = false;
  for (auto [operand, slot] : llvm::enumerate(call.inputs)) {
    if (slot.root() != from.output.root())
      continue;
    reads = true;
    if (readsSameChannels(call, operand, from) && producer.completeChannels(lag) >= consumer.neededChannels())
      continue;
    const Window &w = call.kernel.window;
    const bool isPart = slot.pitch || from.output.pitch; // of a wider tensor, whose channels count otherwise
    if (isPart && (w.h * w.w == 1 || w.oh * w.ow == 1) && !producer.done())
      return false;
    if (!producer.complete(lag).covers(consumer.needed(operand)))
      return false;
  }
  return reads || producer.done() || producer.emitted().covers(consumer.emitted());
}

/// How many tiles of a call stand between two of the call before, so that they spread evenly.
size_t perTileBefore(const Tiler &tiler, const Tiler &before) {
  return llvm::divideCeil(tiler.tiles().size(), before.tiles().size());
}

/// Tiles of a group's calls as a wavefront: the last call that can go on and has its turn does.
class Wavefront {
public:
  Wavefront(llvm::ArrayRef<Script *> scripts, llvm::ArrayRef<KernelCall> calls, int64_t lag)
      : scripts(scripts), calls(calls), lag(lag), next(scripts.size(), 0), turns(scripts.size(), 0) {
    for (Script *script : scripts) {
      script->tiler.rewind();
      firstBuffers.push_back(buffers);
      buffers += script->program.buffers.size();
    }
  }

  std::vector<Piece> run() {
    for (size_t i = scripts.size(); i > 0;) {
      if (!canGoOn(i - 1)) {
        --i;
        continue;
      }
      take(i - 1);
      if (i < scripts.size())
        turns[i] = 0;
      i = scripts.size();
    }
    return std::move(pieces);
  }

private:
  bool canGoOn(size_t i) const {
    const Tiler &tiler = scripts[i]->tiler;
    if (tiler.done())
      return false;
    if (i > 0 && !scripts[i - 1]->tiler.done() && turns[i] >= perTileBefore(tiler, scripts[i - 1]->tiler))
      return false;
    for (size_t before = 0; before < i; ++before)
      if (!mayFollow(tiler, calls[i], scripts[before]->tiler, calls[before], lag))
        return false;
    return true;
  }

  void take(size_t i) {
    const std::vector<size_t> &ends = scripts[i]->ends;
    const size_t tile = next[i]++;
    pieces.push_back({&scripts[i]->program, tile ? ends[tile - 1] : 0, ends[tile], firstBuffers[i]});
    scripts[i]->tiler.skip();
    ++turns[i];
  }

  llvm::ArrayRef<Script *> scripts;
  llvm::ArrayRef<KernelCall> calls; ///< of the group
  const int64_t lag;
  std::vector<size_t> next, turns; ///< tiles taken; since the last one of the call before
  std::vector<BufferId> firstBuffers;
  BufferId buffers = 0;
  std::vector<Piece> pieces;
};

} // namespace

Script::Script(const KernelCall &call, uint32_t index, const isa::Machine &machine)
    : tiler(call, index, machine, program) {
  while (!tiler.done()) {
    tiler.emit();
    ends.push_back(program.ops.size());
  }
}

bool followsByChannels(const KernelCall &call, const KernelCall &from) {
  for (auto [operand, slot] : llvm::enumerate(call.inputs))
    if (slot.root() == from.output.root() && readsSameChannels(call, operand, from))
      return true;
  return false;
}

std::vector<Piece> wavefrontOf(llvm::ArrayRef<Script *> scripts, llvm::ArrayRef<KernelCall> calls,
                               int64_t lag) {
  return Wavefront(scripts, calls, lag).run();
}

void append(llvm::ArrayRef<Piece> pieces, TileProgram &program) {
  const BufferId base = program.buffers.size();
  size_t count = base;
  for (const Piece &piece : pieces)
    count = std::max(count, base + piece.firstBuffer + piece.program->buffers.size());
  program.buffers.resize(count);
  std::set<BufferId> copied;
  for (const Piece &piece : pieces) {
    if (copied.insert(piece.firstBuffer).second)
      llvm::copy(piece.program->buffers, program.buffers.begin() + base + piece.firstBuffer);
    for (TileOp op : piece.ops()) {
      for (BufferId *id : {&op.a, &op.b, &op.dst})
        *id = *id == NoBuffer ? NoBuffer : *id + base + piece.firstBuffer;
      program.ops.push_back(std::move(op));
    }
  }
}

} // namespace daedalus::accelerator
