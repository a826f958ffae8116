// See Wavefront.h.

#include "Plan/Wavefront.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace daedalus::accelerator {
namespace {

/// Whether an input that another call wrote is a whole tensor of pixels as that one wrote them, of which a
/// tile reads the channels that it writes.
bool readsSameChannels(const KernelCall &call, size_t operand, const KernelCall &from) {
  const Kernel &kernel = call.kernel;
  const Window &w = kernel.window;
  const bool isWhole = !kernel.layouts[operand] && !isPart(call.inputs[operand]) && !isPart(from.output);
  const bool readsOwn = isWindowed(kernel, operand) ? readsOwnChannels(kernel) : !isWeights(kernel, operand);
  return isWhole && readsOwn && from.kernel.resultBytes() == 1 && w.oc == from.kernel.window.oc &&
         (!isWindowed(kernel, operand) || w.c == w.oc);
}

/// A call of which the tiles in front of `next` are taken; of a script of two calls the last one.
struct Front {
  const KernelCall &call;
  const Script &script;
  const uint32_t number;      ///< of the script
  const size_t perTileBefore; ///< tiles between two of the call before, so that they spread evenly
  const TileOrder &tiles = script.tiles();
  size_t next = 0;
  size_t turns = 0; ///< tiles taken since the last one of the call before

  bool done() const { return next == tiles.size(); }
  TileOrder::Progress taken() const { return {int64_t(next), int64_t(tiles.size())}; }
};

/// Whether the next tile of `consumer` can follow: its inputs are there, and it is not ahead of neighbours
/// that it does not read.
bool mayFollow(const Front &consumer, const Front &producer, int64_t lag) {
  bool reads = false;
  for (auto [operand, slot] : llvm::enumerate(consumer.call.inputs)) {
    if (slot.root() != producer.call.output.root())
      continue;
    reads = true;
    if (readsSameChannels(consumer.call, operand, producer.call) &&
        producer.tiles.completeChannels(producer.next, lag) >= consumer.tiles.neededChannels(consumer.next))
      continue;
    const Window &w = consumer.call.kernel.window;
    const bool arePart = isPart(slot) || isPart(producer.call.output);
    if (arePart && (w.h * w.w == 1 || w.oh * w.ow == 1) && !producer.done())
      return false;
    if (!producer.tiles.complete(producer.next, lag).covers(consumer.tiles.needed(consumer.next, operand)))
      return false;
  }
  return reads || producer.done() || producer.taken().covers(consumer.taken());
}

/// Tiles of a group's calls as a wavefront: the last call that can go on and has its turn does.
class Wavefront {
public:
  Wavefront(llvm::ArrayRef<const Script *> scripts, llvm::ArrayRef<KernelCall> calls, int64_t lag)
      : lag(lag) {
    size_t tiles = 0;
    for (auto [number, script] : llvm::enumerate(scripts)) {
      if (!script)
        continue;
      const size_t own = script->tiles().size();
      fronts.push_back({callsOf(script, calls.drop_front(number)).back(), *script, uint32_t(number),
                        fronts.empty() ? own : llvm::divideCeil(own, fronts.back().tiles.size())});
      tiles += own;
    }
    pieces.reserve(tiles);
  }

  std::vector<Piece> run() {
    for (size_t i = fronts.size(); i > 0;) {
      if (!canGoOn(i - 1)) {
        --i;
        continue;
      }
      take(i - 1);
      if (i < fronts.size())
        fronts[i].turns = 0;
      i = fronts.size();
    }
    return std::move(pieces);
  }

private:
  bool canGoOn(size_t i) const {
    const Front &front = fronts[i];
    if (front.done())
      return false;
    if (i > 0 && !fronts[i - 1].done() && front.turns >= front.perTileBefore)
      return false;
    for (size_t before = 0; before < i; ++before)
      if (!mayFollow(front, fronts[before], lag))
        return false;
    return true;
  }

  void take(size_t i) {
    const auto [first, end] = fronts[i].script.operations(fronts[i].next++);
    pieces.push_back({fronts[i].number, first, end});
    ++fronts[i].turns;
  }

  std::vector<Front> fronts;
  const int64_t lag;
  std::vector<Piece> pieces;
};

} // namespace

bool followsByChannels(const KernelCall &call, const KernelCall &from) {
  for (auto [operand, slot] : llvm::enumerate(call.inputs))
    if (slot.root() == from.output.root() && readsSameChannels(call, operand, from))
      return true;
  return false;
}

std::vector<Piece> wavefrontOf(llvm::ArrayRef<const Script *> scripts, llvm::ArrayRef<KernelCall> calls,
                               int64_t lag) {
  return Wavefront(scripts, calls, lag).run();
}

} // namespace daedalus::accelerator
