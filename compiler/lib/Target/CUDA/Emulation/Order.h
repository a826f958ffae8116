// Which accesses of a launch come before which others, by the barriers between them.
//
// Time is cut into intervals: each warp is in one, and begins the next one when it is synchronised. Numbers
// of intervals grow over all warps, blocks and launches, so that one number says all of it. An access leaves
// a stamp: its interval and its lane.
#pragma once

#include "Code.h"

namespace daedalus::cuda {

using Stamp = uint32_t; ///< the interval's number, and the lane in the last five bits; 0 is of no access

class Order {
public:
  void beginLaunch();
  void beginBlock(std::array<uint32_t, 3> index, unsigned warps);

  Stamp stamp(unsigned warp, unsigned lane) const { return now[warp] << 5 | lane; }

  /// Whether the access that left the stamp comes before what the lane does now; the lane's own ones do.
  bool isBefore(Stamp other, unsigned warp, unsigned lane) const {
    const uint32_t interval = other >> 5;
    if (interval < blockBegin)
      return interval < launchBegin;
    const unsigned its = warpOf[interval - blockBegin];
    return interval < known[warp][its] || (its == warp && (other & 31) == lane);
  }

  /// Whether the accesses of several warps, the last of which was in the stamp's interval, come before.
  bool areBefore(Stamp last, uint32_t warps, unsigned warp) const;

  /// All lanes of a warp wait for each other.
  void synchronizeWarp(unsigned warp) { begin(warp); }
  /// All threads of some warps do.
  void synchronizeWarps(uint32_t warps);

  /// Who left a stamp of this launch: the block and the thread's number in it.
  std::array<uint32_t, 3> blockOf(Stamp stamp) const;
  bool isOfThisBlock(Stamp stamp) const { return stamp >> 5 >= blockBegin; }
  unsigned threadOf(Stamp stamp) const; ///< only of this block's

  /// Whether there are few numbers left: more launches need a restart, for which nothing may have a stamp any
  /// more.
  bool isOld() const { return next > (uint32_t(1) << 26); }
  bool isExhausted() const { return next >= (uint32_t(1) << 27) - 64; }
  void restart() { next = 1; }

private:
  void begin(unsigned warp);

  uint32_t next = 1, launchBegin = 1, blockBegin = 1;
  unsigned warpCount = 0;
  std::array<uint32_t, 32> now = {}; ///< each warp's interval
  std::array<std::array<uint32_t, 32>, 32> known =
      {};                      ///< of each warp: what is before these of the others is before it
  std::vector<uint8_t> warpOf; ///< of the block's intervals
  std::vector<std::pair<uint32_t, std::array<uint32_t, 3>>> blocks; ///< where those of the launch begin
};

} // namespace daedalus::cuda
