// A call that hands its result over to the next one in INP: its tiles are what the windows of the next call's
// tiles read, so the tensor between them is neither stored nor loaded.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_HANDOVER_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_HANDOVER_H

#include "Lowering/TileOrder.h"
#include "Lowering/Tiles.h"

namespace daedalus::accelerator {

/// What the window of a tile and a step covers: positions of its buffer, of which the first is pixel (y, x);
/// and those inside of the image, as a tile of the result that is handed over.
struct HandedWindow {
  TileShape shape;
  int64_t y, x;
  Tile inside;
};

/// `sizes`: those of the tile and the step, of a schedule that takes what is handed over.
HandedWindow handedWindowOf(const Kernel &kernel, const Schedule &sizes, const Tile &tile, const Step &step);

/// Two calls, the first of which may hand over to the second: their windows, with the same pixels between
/// them where one of them was flattened; nothing where it may not.
struct HandoverWindows {
  Window from, to;
};
std::optional<HandoverWindows> handoverWindows(const KernelCall &from, const KernelCall &to);

/// Gives two calls these windows; false where the first one may not hand over.
bool shapeForHandover(KernelCall &from, KernelCall &to);
/// Back to what they were, and again.
void exchangeWindows(std::vector<KernelCall> &calls);

/// How the first call is computed where the second one, both with the windows of handoverWindows, has this
/// schedule; an error where it cannot be handed over so.
Result<Schedule> handoverSchedule(const Kernel &from, const Kernel &to, const Schedule &schedule,
                                  const isa::Machine &machine);

/// Cycles that both take, by a closed form that only has to say what is worth simulating.
double estimateHandover(const Kernel &from, const Kernel &to, const Schedule &ofFrom, const Schedule &ofTo,
                        const isa::Machine &machine);

} // namespace daedalus::accelerator

#endif
