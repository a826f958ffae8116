// The tiles of a kernel in the order of its schedule, and what of its tensors they need and complete.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_TILEORDER_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_TILEORDER_H

#include "Lowering/Packing.h"

namespace daedalus::accelerator {

struct Tile {
  int64_t batch;
  Range oh, ow, oc; ///< pixels, and blocks of N channels
};

class TileOrder {
public:
  TileOrder(const Kernel &kernel, const Schedule &schedule, int64_t n);

  const std::vector<Tile> &tiles() const { return order; }
  size_t size() const { return order.size(); }

  /// Which elements of a tensor, in NHWC order, lie in front of a tile: a part of a whole.
  struct Progress {
    int64_t elements = 0, of = 1;
    bool covers(const Progress &other) const { return elements * other.of >= other.elements * of; }
  };
  /// The end of what a tile reads of an input.
  Progress needed(size_t tile, unsigned operand) const;
  /// The output that is complete in front of tile `next` but for the last `lag` bands: tiles of the same
  /// rows, or of the same pixels where there is one row.
  Progress complete(size_t next, int64_t lag) const;
  /// The channels that are complete, of all pixels, in front of tile `next` but for the last `lag` bands of
  /// the same channels; 0 where tiles do not come channels by channels.
  int64_t completeChannels(size_t next, int64_t lag) const;
  /// The end of the channels that a tile reads of an input of which it reads its own.
  int64_t neededChannels(size_t tile) const;

private:
  void ramp();

  const Kernel &kernel;
  const Window &w;
  const Schedule schedule;
  const int64_t n;
  /// Tiles of the same rows, or of the same pixels where there is one row; and of the same channels.
  const int64_t band, channelBand;
  std::vector<Tile> order;
};

} // namespace daedalus::accelerator

#endif
